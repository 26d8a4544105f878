//! The JSON Schema of all messages, made from their types.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{ErrorObject, Id, method, notice};

/// A JSON Schema of every line, in either direction, made from the types of this crate. Besides,
/// `methods` and `notifications` list what belongs to which name.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let (mut requests, mut methods) = (Vec::new(), Map::new());
    let mut results = Vec::new();
    for (name, params, result) in method::schemas(&mut generator) {
        requests.push(json!({"properties": {"method": {"const": name}, "params": params}}));
        if !results.contains(&result) {
            results.push(result.clone());
        }
        methods.insert(name.into(), json!({"params": params, "result": result}));
    }
    let (mut notifications, mut notices) = (Vec::new(), Map::new());
    for (name, params) in notice::schemas(&mut generator) {
        notifications.push(json!({
            "required": ["params"],
            "properties": {"method": {"const": name}, "params": params},
        }));
        notices.insert(name.into(), json!({"params": params}));
    }
    let id = generator.subschema_for::<Id>();
    let error = generator.subschema_for::<ErrorObject>();
    let version = json!({"const": "2.0"});
    let mut definitions = generator.take_definitions(true);
    definitions.insert(
        "Request".into(),
        json!({
            "description": "A line to the engine.",
            "type": "object",
            "required": ["method"],
            "properties": {"jsonrpc": version, "id": id},
            "oneOf": requests,
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
            "required": ["jsonrpc", "method"],
            "properties": {"jsonrpc": version, "id": false},
            "oneOf": notifications,
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
        "methods": methods,
        "notifications": notices,
        "$defs": definitions,
    })
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
}
