//! The JSON Schema of all messages and documents, made from their types.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::{ErrorObject, Id, Record, method, notice};

const TWO_TO_63: u64 = 1 << 63;
pub(crate) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A JSON Schema of every line, in either direction, made from the types of this crate. In `$defs`
/// there is besides the params and the result of every method by name, as `play.params` and
/// `play.result`, the params of every notification, as `changed.params`, and `Record`, the document
/// that a game is saved as.
///
/// What it takes and what the engine takes is the same. It passes validators in their strict mode.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(bounds_for_formats));
    let mut generator = settings.into_generator();
    let mut definitions = Map::new();
    let (mut methods, mut requests, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for (name, params, result) in method::schemas(&mut generator) {
        methods.push(name);
        requests.push(of_method(name, request(&generator, &params)));
        if !results.contains(&result) {
            results.push(result.clone());
        }
        definitions.insert(format!("{name}.params"), params.into());
        definitions.insert(format!("{name}.result"), result.into());
    }
    let (mut notices, mut notifications) = (Vec::new(), Vec::new());
    for (name, params) in notice::schemas(&mut generator) {
        notices.push(name);
        notifications.push(of_method(name, json!({"properties": {"params": params}})));
        definitions.insert(format!("{name}.params"), params.into());
    }
    let id = reference::<Id>(&mut generator);
    let error = reference::<ErrorObject>(&mut generator);
    reference::<Record>(&mut generator);
    let version = json!({"const": "2.0"});
    definitions.extend(generator.take_definitions(true));
    definitions.insert(
        "Request".into(),
        json!({
            "description": "A line to the engine.",
            "type": "object",
            "required": ["method"],
            "properties": {"jsonrpc": version, "id": id, "method": {"enum": methods}, "params": true},
            "allOf": requests,
        }),
    );
    definitions.insert(
        "Response".into(),
        json!({
            "description": "A line from the engine: the answer to a request.",
            "type": "object",
            "required": ["jsonrpc", "id"],
            "properties": {"jsonrpc": version, "id": {"anyOf": [id, {"type": "null"}]}},
            "oneOf": [
                {"required": ["result"], "properties": {"result": {"anyOf": results}}},
                {"required": ["error"], "properties": {"error": error}},
            ],
        }),
    );
    definitions.insert(
        "Notification".into(),
        json!({
            "description": "A line from the engine that nobody asked for.",
            "type": "object",
            "required": ["jsonrpc", "method", "params"],
            "properties": {"jsonrpc": version, "id": false, "method": {"enum": notices}, "params": true},
            "allOf": notifications,
        }),
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The Tabuleiro protocol, version 1",
        "description": "One line, to the engine or from it.",
        "anyOf": [
            {"$ref": "#/$defs/Request"},
            {"$ref": "#/$defs/Response"},
            {"$ref": "#/$defs/Notification"},
        ],
        "$defs": definitions,
    })
}

/// The schema of one thing by its name in `$defs`, with all that it needs.
pub fn schema_of(name: &str) -> Option<Value> {
    let mut schema = schema();
    let definitions = schema["$defs"].take();
    definitions.get(name)?;
    Some(json!({
        "$schema": schema["$schema"],
        "title": name,
        "$ref": format!("#/$defs/{name}"),
        "$defs": definitions,
    }))
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// What holds for the lines with this method.
fn of_method(name: &str, then: Value) -> Value {
    json!({"if": {"required": ["method"], "properties": {"method": {"const": name}}}, "then": then})
}

/// What a request has besides its method. Params of which none is required may be left out, and
/// null is as good as left out.
fn request(generator: &SchemaGenerator, params: &Schema) -> Value {
    let definition = params.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
    let definition = definition.and_then(|name| generator.definitions().get(name));
    let is_needed = definition.is_some_and(|definition| definition.get("required").is_some());
    if is_needed {
        json!({"required": ["params"], "properties": {"params": params}})
    } else {
        json!({"properties": {"params": {"anyOf": [params, {"type": "null"}]}}})
    }
}

/// Names of Rust's numbers are formats that validators do not know: they are told the bounds. Those
/// of 64 bits are powers of two, because many validators have no other numbers of that size.
fn bounds_for_formats(schema: &mut Schema) {
    let (least, most, bound) = match schema.remove("format").as_ref().and_then(Value::as_str) {
        Some("uint8") => (json!(0), "maximum", json!(u8::MAX)),
        Some("uint16") => (json!(0), "maximum", json!(u16::MAX)),
        Some("uint32") => (json!(0), "maximum", json!(u32::MAX)),
        Some("uint" | "uint64") => (json!(0), "exclusiveMaximum", json!(TWO_TO_64)),
        Some("int64") => (json!(i64::MIN), "exclusiveMaximum", json!(TWO_TO_63)),
        _ => return,
    };
    let members = schema.ensure_object();
    members.entry("minimum").or_insert(least);
    members.entry(most).or_insert(bound);
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_file_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schema.json");
        let now = format!("{:#}\n", schema());
        // The same variable renews all golden files, also those that insta keeps.
        if std::env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always") {
            fs::write(path, &now).expect("it can be written");
        }
        let there = fs::read_to_string(path).unwrap_or_default();
        assert!(
            there == now,
            "protocol/schema.json is out of date: run INSTA_UPDATE=always cargo test -p tabuleiro-protocol schema"
        );
    }

    /// The keywords that we use, and the type of things that they are about.
    const KEYWORDS: &[(&str, &str)] = &[
        ("$ref", ""),
        ("$schema", ""),
        ("$defs", ""),
        ("title", ""),
        ("description", ""),
        ("default", ""),
        ("type", ""),
        ("const", ""),
        ("enum", ""),
        ("anyOf", ""),
        ("oneOf", ""),
        ("allOf", ""),
        ("not", ""),
        ("if", ""),
        ("then", ""),
        ("properties", "object"),
        ("required", "object"),
        ("additionalProperties", "object"),
        ("items", "array"),
        ("minItems", "array"),
        ("maxItems", "array"),
        ("pattern", "string"),
        ("examples", ""),
        ("minimum", "integer"),
        ("maximum", "integer"),
        ("exclusiveMaximum", "integer"),
    ];

    /// What holds at the same place from further out.
    #[derive(Clone, Default)]
    struct Around {
        types: Vec<String>,
        properties: Vec<String>,
    }

    /// Walks a schema as a validator in strict mode does, and says what that would not take.
    fn check_strictly(schema: &Value, root: &Value, around: &Around, place: &str, found: &mut Vec<String>) {
        let members = match schema {
            Value::Bool(_) => return,
            Value::Object(members) => members,
            _ => return found.push(format!("{place} is no schema")),
        };
        let mut here = around.clone();
        match members.get("type") {
            None => {}
            Some(Value::String(one)) => here.types = vec![one.clone()],
            Some(Value::Array(several)) => {
                here.types = several.iter().filter_map(Value::as_str).map(String::from).collect();
                if here.types.len() != 2 || here.types[1] != "null" {
                    found.push(format!("{place} has a union of types"));
                }
            }
            Some(_) => found.push(format!("{place} has a strange type")),
        }
        let properties = members.get("properties").and_then(Value::as_object);
        here.properties.extend(properties.iter().flat_map(|properties| properties.keys().cloned()));
        for (name, value) in members {
            let Some((_, about)) = KEYWORDS.iter().find(|(keyword, _)| keyword == name) else {
                found.push(format!("{place} has the unknown keyword {name}"));
                continue;
            };
            let is_about = |kind: &String| kind == about || (*about == "integer" && kind == "number");
            if !about.is_empty() && !here.types.iter().any(is_about) {
                found.push(format!("{place} has {name}, but no type {about}"));
            }
            let place = format!("{place}/{name}");
            let inner = Around::default();
            match name.as_str() {
                "$ref" => {
                    let target = value.as_str().and_then(|path| path.strip_prefix('#'));
                    if target.and_then(|path| root.pointer(path)).is_none() {
                        found.push(format!("{place} leads nowhere"));
                    }
                }
                "required" => {
                    let names = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                    let strange = names.filter(|name| !here.properties.iter().any(|known| known == name));
                    found.extend(strange.map(|name| format!("{place}: {name} is not among the properties")));
                }
                "anyOf" | "oneOf" | "allOf" => {
                    for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                        check_strictly(part, root, &here, &format!("{place}/{index}"), found);
                    }
                }
                "not" | "if" | "then" => check_strictly(value, root, &here, &place, found),
                "items" | "additionalProperties" => check_strictly(value, root, &inner, &place, found),
                "properties" | "$defs" => {
                    for (name, part) in value.as_object().into_iter().flatten() {
                        check_strictly(part, root, &inner, &format!("{place}/{name}"), found);
                    }
                }
                _ => {}
            }
        }
    }

    fn trouble(schema: &Value) -> Vec<String> {
        let mut found = Vec::new();
        check_strictly(schema, schema, &Around::default(), "#", &mut found);
        found
    }

    /// Validators in strict mode take only what they fully understand: ajv is one.
    #[test]
    fn a_strict_validator_takes_it() {
        assert_eq!(trouble(&schema()), Vec::<String>::new());
        assert_eq!(trouble(&schema_of("Record").expect("a schema")), Vec::<String>::new());
        for (wrong, says) in [
            (json!({"methods": {}}), "the unknown keyword methods"),
            (json!({"type": "integer", "format": "uint64"}), "the unknown keyword format"),
            (json!({"type": ["string", "integer"]}), "a union of types"),
            (json!({"properties": {}}), "no type object"),
            (json!({"type": "object", "required": ["a"]}), "a is not among the properties"),
            (json!({"type": "string", "minimum": 1}), "no type integer"),
            (json!({"items": {"$ref": "#/$defs/No"}, "type": "array"}), "leads nowhere"),
        ] {
            assert!(trouble(&wrong).iter().any(|trouble| trouble.contains(says)), "{wrong}: {says}");
        }
    }

    #[test]
    fn every_method_has_its_params_and_its_result_by_name() {
        for method in method::METHODS {
            for part in ["params", "result"] {
                let name = format!("{method}.{part}");
                let schema = schema_of(&name).expect(&name);
                assert_eq!(schema["$ref"], format!("#/$defs/{name}"));
            }
        }
        assert!(schema_of("fly.params").is_none());
    }
}
