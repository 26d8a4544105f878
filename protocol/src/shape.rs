//! Reads JSON that came from outside into a type.
//!
//! An array is never taken for an object, a whole number may be written `1.0`, and an error says
//! in plain words what came, what would be right, and where.

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Expected, IntoDeserializer, Unexpected, Visitor};
use serde_json::{Map, Value, map};

/// How much of a text that is wrong is shown.
const SHOWN: usize = 60;

/// From this likeness on (0 is none, 1 is the same) a name is taken for a slip of the other.
const ALIKE: f64 = 0.7;

/// What becomes of members that a type does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    Ignored,
    Refused,
}

/// Something is not what it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrongShape {
    /// Where, as `seats.1.level` or `actions[1]`; empty if it is the whole.
    pub field: String,
    pub reason: String,
    /// Whether all is well but for a member that is not known.
    pub is_unknown: bool,
    /// The known name that is most like the unknown one.
    pub nearest: Option<&'static str>,
}

/// Reads a value into a type.
pub fn read<T: DeserializeOwned>(value: Value, unknown: Unknown) -> Result<T, WrongShape> {
    T::deserialize(Reader { value, unknown })
}

impl WrongShape {
    fn new(reason: impl Into<String>) -> WrongShape {
        WrongShape { reason: reason.into(), ..WrongShape::default() }
    }

    /// There is no member of this name; there are the others.
    pub fn unknown(name: &str, known: &[&'static str]) -> WrongShape {
        let others = known.iter().copied().filter(|&other| other != name);
        let small = name.to_lowercase();
        let likeness = |other: &&str| strsim::jaro_winkler(&small, other);
        let nearest = others.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let nearest = nearest.filter(|other| likeness(other) >= ALIKE);
        let reason = match nearest {
            Some(nearest) => format!("there is no such member here; did you mean \"{nearest}\"?"),
            None if known.is_empty() => "there is no such member here; there is none at all".into(),
            None => format!("there is no such member here; there is {}", known.join(", ")),
        };
        WrongShape { field: name.into(), reason, is_unknown: true, nearest }
    }

    /// The same, seen from one level further out.
    #[must_use]
    pub fn inside(mut self, place: &str) -> WrongShape {
        let joint = if self.field.is_empty() || self.field.starts_with('[') { "" } else { "." };
        self.field = format!("{place}{joint}{}", self.field);
        self
    }
}

impl fmt::Display for WrongShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => f.write_str(&self.reason),
            field => write!(f, "{field}: {}", self.reason),
        }
    }
}

impl Error for WrongShape {}

impl de::Error for WrongShape {
    fn custom<T: fmt::Display>(reason: T) -> WrongShape {
        WrongShape::new(reason.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, right: &dyn Expected) -> WrongShape {
        WrongShape::new(format!("must be {right}, not {}", in_words(found)))
    }

    fn invalid_value(found: Unexpected<'_>, right: &dyn Expected) -> WrongShape {
        de::Error::invalid_type(found, right)
    }

    fn invalid_length(length: usize, right: &dyn Expected) -> WrongShape {
        WrongShape::new(format!("must be {right}, and has {length}"))
    }

    fn unknown_variant(found: &str, known: &'static [&'static str]) -> WrongShape {
        one_of(known, &in_words(Unexpected::Str(found)))
    }

    fn unknown_field(found: &str, known: &'static [&'static str]) -> WrongShape {
        WrongShape::unknown(found, known)
    }

    fn missing_field(name: &'static str) -> WrongShape {
        WrongShape::new("is missing").inside(name)
    }

    fn duplicate_field(name: &'static str) -> WrongShape {
        WrongShape::new("is given twice").inside(name)
    }
}

fn one_of(words: &[&str], found: &str) -> WrongShape {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    WrongShape::new(match words.as_slice() {
        [] => format!("nothing can stand here, and not {found} either"),
        [word] => format!("must be {word}, not {found}"),
        [words @ .., last] => format!("must be {} or {last}, not {found}", words.join(", ")),
    })
}

/// What came, as it can be read in a sentence.
fn in_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(number) => number.to_string(),
        Unexpected::Signed(number) => number.to_string(),
        Unexpected::Float(number) => number.to_string(),
        Unexpected::Str(text) => match text.char_indices().nth(SHOWN) {
            None => format!("{:?}", text),
            Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
        },
        Unexpected::Unit | Unexpected::Option => "null".into(),
        Unexpected::Seq => "an array".into(),
        Unexpected::Map => "an object".into(),
        _ => "something else".into(),
    }
}

/// What came.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => in_words(Unexpected::Unit),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => in_words(Unexpected::Str(text)),
        Value::Array(_) => in_words(Unexpected::Seq),
        Value::Object(_) => in_words(Unexpected::Map),
    }
}

/// A whole number, however it is written: JSON knows one kind of numbers only, so that 1.0 is 1.
fn whole(value: &Value) -> Option<i128> {
    let number = value.as_number()?;
    match (number.as_u64(), number.as_i64()) {
        (Some(number), _) => Some(number.into()),
        (None, Some(number)) => Some(number.into()),
        (None, None) => number.as_f64().and_then(whole_float),
    }
}

/// One that is whole and of 64 bits. Of the numbers that are too large for them, the nearest to the
/// bounds are rounded to a bound when they are read, so that the bounds themselves are left out.
fn whole_float(number: f64) -> Option<i128> {
    let fits = number > i64::MIN as f64 && number < u64::MAX as f64;
    (fits && number.fract() == 0.0).then_some(number as i128)
}

/// For visitors that are also asked by other readers than this one: a number that is whole.
pub(crate) fn whole_of<E: de::Error>(number: f64, visitor: &impl Expected) -> Result<i128, E> {
    whole_float(number).ok_or_else(|| E::invalid_type(Unexpected::Float(number), visitor))
}

struct Reader {
    value: Value,
    unknown: Unknown,
}

impl Reader {
    fn wrong<T>(&self, right: &str) -> Result<T, WrongShape> {
        Err(WrongShape::new(format!("must be {right}, not {}", shown(&self.value))))
    }

    /// A whole number within the bounds of its type.
    fn whole(&self, least: i128, most: i128) -> Result<i128, WrongShape> {
        match whole(&self.value) {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            Some(number) if number > most => self.wrong(&format!("a whole number, {most} at most")),
            _ if least == 0 => self.wrong("a whole number, 0 or more"),
            Some(_) => self.wrong(&format!("a whole number, {least} at least")),
            None => self.wrong("a whole number"),
        }
    }

    fn items(self, length: Option<usize>) -> Result<Items, WrongShape> {
        match (self.value, length) {
            (Value::Array(items), Some(length)) if items.len() != length => {
                Err(WrongShape::new(format!("must have {length} items, not {}", items.len())))
            }
            (Value::Array(items), _) => {
                Ok(Items { items: items.into_iter().enumerate(), unknown: self.unknown })
            }
            (value, _) => Reader { value, unknown: self.unknown }.wrong("an array"),
        }
    }

    fn members(self, known: Option<&'static [&'static str]>) -> Result<Members, WrongShape> {
        match self.value {
            Value::Object(members) => Ok(Members::new(members, known, self.unknown)),
            value => Reader { value, unknown: self.unknown }.wrong("an object"),
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $visit:ident $number:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
            visitor.$visit(self.whole($number::MIN.into(), $number::MAX.into())? as $number)
        })*
    };
}

impl<'de> de::Deserializer<'de> for Reader {
    type Error = WrongShape;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(ref number) => match whole(&self.value) {
                Some(number) => match (u64::try_from(number), i64::try_from(number)) {
                    (Ok(number), _) => visitor.visit_u64(number),
                    (_, Ok(number)) => visitor.visit_i64(number),
                    _ => visitor.visit_f64(number as f64),
                },
                None => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(_) => visitor.visit_seq(self.items(None)?),
            Value::Object(_) => visitor.visit_map(self.members(None)?),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value {
            Value::Bool(value) => visitor.visit_bool(value),
            _ => self.wrong("true or false"),
        }
    }

    whole_numbers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value.as_f64() {
            Some(number) => visitor.visit_f64(number),
            None => self.wrong("a number"),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_string(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value {
            Value::String(text) => visitor.visit_string(text),
            _ => self.wrong("a string"),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_string(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_string(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            _ => self.wrong("null"),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        visitor.visit_seq(self.items(None)?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, WrongShape> {
        visitor.visit_seq(self.items(Some(length))?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        visitor.visit_map(self.members(None)?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        visitor.visit_map(self.members(Some(known))?)
    }

    /// One of several words, or an object whose only member is one of them and carries something.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        let found = shown(&self.value);
        let (name, value) = match self.value {
            Value::String(word) => (word, None),
            Value::Object(members) if members.len() == 1 => match members.into_iter().next() {
                Some((name, value)) => (name, Some(value)),
                None => return Err(one_of(known, &found)),
            },
            _ => return Err(one_of(known, &found)),
        };
        match known.contains(&name.as_str()) {
            true => visitor.visit_enum(Variant { name, value, unknown: self.unknown }),
            false => Err(one_of(known, &in_words(Unexpected::Str(&name)))),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        self.deserialize_string(visitor)
    }

    /// What nobody wants to know is a member that is not known.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongShape> {
        match self.unknown {
            Unknown::Ignored => visitor.visit_unit(),
            Unknown::Refused => Err(WrongShape { is_unknown: true, ..WrongShape::default() }),
        }
    }
}

/// One of several words, with what it carries.
struct Variant {
    name: String,
    value: Option<Value>,
    unknown: Unknown,
}

impl Variant {
    fn carried(self) -> Result<(String, Reader), WrongShape> {
        let Variant { name, value, unknown } = self;
        match value {
            Some(value) => Ok((name, Reader { value, unknown })),
            None => Err(WrongShape::new(format!("must be {{\"{name}\": …}}, not the word alone"))),
        }
    }
}

impl<'de> de::EnumAccess<'de> for Variant {
    type Error = WrongShape;
    type Variant = Variant;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Variant), WrongShape> {
        let name: StrDeserializer<'_, WrongShape> = self.name.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant {
    type Error = WrongShape;

    fn unit_variant(self) -> Result<(), WrongShape> {
        match self.value {
            None => Ok(()),
            Some(_) => Err(WrongShape::new(format!("must be \"{}\", the word alone", self.name))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, WrongShape> {
        let (name, reader) = self.carried()?;
        seed.deserialize(reader).map_err(|wrong| wrong.inside(&name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, WrongShape> {
        let (name, reader) = self.carried()?;
        de::Deserializer::deserialize_tuple(reader, length, visitor).map_err(|wrong| wrong.inside(&name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongShape> {
        let (name, reader) = self.carried()?;
        de::Deserializer::deserialize_struct(reader, "", known, visitor).map_err(|wrong| wrong.inside(&name))
    }
}

struct Items {
    items: std::iter::Enumerate<std::vec::IntoIter<Value>>,
    unknown: Unknown,
}

impl<'de> de::SeqAccess<'de> for Items {
    type Error = WrongShape;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, WrongShape> {
        let Some((index, value)) = self.items.next() else { return Ok(None) };
        let read = seed.deserialize(Reader { value, unknown: self.unknown });
        read.map(Some).map_err(|wrong| wrong.inside(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members {
    /// The member that comes before all others.
    first: Option<(String, Value)>,
    rest: map::IntoIter,
    /// The one that is being read.
    name: String,
    value: Value,
    /// The names that a type has; those of a map may be any.
    known: Option<&'static [&'static str]>,
    unknown: Unknown,
}

impl Members {
    /// The first of the known names comes first wherever it stands: a `kind` says what the others
    /// may be.
    fn new(
        mut members: Map<String, Value>,
        known: Option<&'static [&'static str]>,
        unknown: Unknown,
    ) -> Members {
        let tag = known.and_then(|known| known.first().copied());
        let first = match (tag, members.keys().next()) {
            (Some(tag), Some(first)) if first != tag => members.shift_remove_entry(tag),
            _ => None,
        };
        let rest = members.into_iter();
        Members { first, rest, name: String::new(), value: Value::Null, known, unknown }
    }
}

impl<'de> de::MapAccess<'de> for Members {
    type Error = WrongShape;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, WrongShape> {
        let Some((name, value)) = self.first.take().or_else(|| self.rest.next()) else { return Ok(None) };
        (self.name, self.value) = (name, value);
        match self.known {
            Some(known) if self.unknown == Unknown::Refused && !known.contains(&self.name.as_str()) => {
                Err(WrongShape::unknown(&self.name, known))
            }
            _ => {
                let name: StrDeserializer<'_, WrongShape> = self.name.as_str().into_deserializer();
                seed.deserialize(name).map(Some)
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WrongShape> {
        let reader = Reader { value: self.value.take(), unknown: self.unknown };
        seed.deserialize(reader).map_err(|wrong| {
            let is_ignored = wrong.is_unknown && wrong.reason.is_empty();
            if is_ignored {
                WrongShape::unknown(&self.name, self.known.unwrap_or_default())
            } else {
                wrong.inside(&self.name)
            }
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len() + usize::from(self.first.is_some()))
    }
}

/// A number that may be left out and is at least 1; for `deserialize_with`, beside the same bound
/// for the schema.
pub(crate) fn at_least_one<'de, D, N>(deserializer: D) -> Result<Option<N>, D::Error>
where
    D: de::Deserializer<'de>,
    N: TryFrom<u64>,
{
    struct Positive<N>(PhantomData<N>);

    impl<'de, N: TryFrom<u64>> Visitor<'de> for Positive<N> {
        type Value = Option<N>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match u64::MAX.checked_shr(64 - 8 * size_of::<N>() as u32) {
                None | Some(u64::MAX) => f.write_str("a whole number, 1 or more"),
                Some(most) => write!(f, "a whole number from 1 to {most}"),
            }
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Option<N>, E> {
            let positive = N::try_from(number).ok().filter(|_| number > 0);
            positive.map(Some).ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<Option<N>, E> {
            match u64::try_from(whole_of::<E>(number, &self)?) {
                Ok(number) => self.visit_u64(number),
                Err(_) => Err(E::invalid_value(Unexpected::Float(number), &self)),
            }
        }

        fn visit_unit<E: de::Error>(self) -> Result<Option<N>, E> {
            Ok(None)
        }

        fn visit_none<E: de::Error>(self) -> Result<Option<N>, E> {
            Ok(None)
        }

        fn visit_some<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Option<N>, D::Error> {
            deserializer.deserialize_any(self)
        }
    }

    deserializer.deserialize_option(Positive(PhantomData))
}

/// A list with something in it; for `deserialize_with`, beside the same bound for the schema.
pub(crate) fn not_empty<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: de::Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items = Vec::deserialize(deserializer)?;
    if items.is_empty() { Err(de::Error::custom("must have one item at least")) } else { Ok(items) }
}

/// A chance; for `deserialize_with`, beside the same bounds for the schema.
pub(crate) fn chance<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        chance if (0.0..=1.0).contains(&chance) => Ok(chance),
        other => Err(de::Error::custom(format!("must be a number from 0 to 1, not {other}"))),
    }
}

/// A number with an upper bound; for `deserialize_with`, beside the same bound for the schema.
pub(crate) fn at_most<'de, D: de::Deserializer<'de>, const MOST: u32>(
    deserializer: D,
) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        number if number > MOST => {
            Err(de::Error::custom(format!("must be a whole number, {MOST} at most, not {number}")))
        }
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lesson::Goal;
    use crate::method::{Cancel, Choose, Load, New, Perft, Play, SetSeat, Tables, Undo};
    use crate::{Id, Limits, Player, Record, Seat};

    fn wrong<T: DeserializeOwned>(value: Value, unknown: Unknown) -> WrongShape {
        read::<T>(value.clone(), unknown).err().unwrap_or_else(|| panic!("{value} is wrong"))
    }

    fn says<T: DeserializeOwned>(value: Value) -> String {
        wrong::<T>(value, Unknown::Ignored).to_string()
    }

    #[test]
    fn a_word_may_carry_something_and_what_is_wrong_with_it_has_a_place() {
        let goal = |value| read::<Goal>(value, Unknown::Refused).map_err(|wrong| wrong.to_string());
        assert_eq!(goal(json!("any")), Ok(Goal::Any));
        assert_eq!(goal(json!({"win": 2})), Ok(Goal::Win(2)));
        assert_eq!(goal(json!({"action": ["w5"]})), Ok(Goal::Action(vec!["w5".into()])));
        for (value, said) in [
            (json!("win"), "must be {\"win\": …}, not the word alone"),
            (json!({"any": 1}), "must be \"any\", the word alone"),
            (json!({"win": "soon"}), "win: must be a whole number, 0 or more, not \"soon\""),
            (json!({"turns": [["w5", 5]]}), "turns[0][1]: must be a string, not 5"),
            (
                json!({"event": {"kind": "split", "pats": 3}}),
                "event.pats: there is no such member here; did you mean \"parts\"?",
            ),
            (
                json!({"won": 2}),
                "must be \"any\", \"turns\", \"action\", \"event\", \"win\", \"hold\" or \"game\", not \"won\"",
            ),
            (
                json!({"win": 1, "hold": 1}),
                "must be \"any\", \"turns\", \"action\", \"event\", \"win\", \"hold\" or \"game\", not an object",
            ),
        ] {
            assert_eq!(goal(value), Err(said.to_string()));
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_plain_words_with_its_place() {
        for (said, expected) in [
            (says::<Play>(json!({"actions": ["w1"]})), "table: is missing"),
            (says::<Play>(json!({"table": 1, "actions": ["w1"]})), "table: must be a string, not 1"),
            (says::<Play>(json!({"table": "t1", "actions": "w1"})), "actions: must be an array, not \"w1\""),
            (
                says::<Play>(json!({"table": "t1", "actions": ["w1", 2]})),
                "actions[1]: must be a string, not 2",
            ),
            (says::<Play>(json!({"table": "t1", "actions": []})), "actions: must have one item at least"),
            (
                says::<Play>(json!({"table": "t1", "actions": ["w1"], "ply": -1})),
                "ply: must be a whole number, 0 or more, not -1",
            ),
            (
                says::<Play>(json!({"table": "t1", "actions": ["w1"], "ply": 1.5})),
                "ply: must be a whole number, 0 or more, not 1.5",
            ),
            (says::<New>(json!({"game": "zurero", "start": {}})), "start.rows: is missing"),
            (
                says::<New>(json!({"game": "zurero", "start": {"rows": [[]]}})),
                "start.rows[0]: must be a string, not an array",
            ),
            (
                says::<New>(json!({"game": "zurero", "start": {"rows": [], "to_move": 3}})),
                "start.to_move: must be 1 or 2, not 3",
            ),
            (
                says::<New>(json!({"game": "syrtis", "start": {"rows": [], "sinks": [1]}})),
                "start.sinks: must have 2 items, not 1",
            ),
            (
                says::<New>(json!({"game": "zurero", "seats": {"2": {"kind": "cat"}}})),
                "seats.2.kind: must be \"client\", \"ai\" or \"bot\", not \"cat\"",
            ),
            (
                says::<New>(json!({"game": "zurero", "seats": {"2": {"level": "club"}}})),
                "seats.2.kind: is missing",
            ),
            (
                says::<SetSeat>(json!({"table": "t1", "seat": "1", "to": {"kind": "ai", "level": "club"}})),
                "seat: must be 1 or 2, not \"1\"",
            ),
            (
                says::<SetSeat>(
                    json!({"table": "t1", "seat": 1, "to": {"limits": {"nodes": 0}, "level": "x", "kind": "ai"}}),
                ),
                "to.limits.nodes: must be a whole number, 1 or more, not 0",
            ),
            (
                says::<New>(json!({"game": "zurero", "options": []})),
                "options: must be an object, not an array",
            ),
            (
                says::<Undo>(json!({"table": "t1", "turns": -1})),
                "turns: must be a whole number, 1 or more, not -1",
            ),
            (
                says::<Limits>(json!({"depth": 5_000_000_000_u64})),
                "depth: must be a whole number from 1 to 4294967295, not 5000000000",
            ),
            (
                says::<Perft>(json!({"game": "zurero", "depth": 101})),
                "depth: must be a whole number, 100 at most, not 101",
            ),
            (
                says::<Perft>(json!({"game": "zurero", "depth": 1e10})),
                "depth: must be a whole number, 4294967295 at most, not 10000000000.0",
            ),
            (
                says::<Cancel>(json!({"request": [1]})),
                "request: must be a string or a whole number of 64 bits, not an array",
            ),
            (says::<New>(json!(["zurero"])), "must be an object, not an array"),
            (
                says::<Tables>(json!("x".repeat(99))),
                &format!("must be an object, not \"{}…\"", "x".repeat(60)),
            ),
        ] {
            assert_eq!(said, expected);
        }
    }

    #[test]
    fn an_array_is_no_object_however_deep() {
        let player = json!({"kind": "client"});
        for (value, field) in [
            (json!({"game": "zurero", "seats": [player, player]}), "seats"),
            (json!({"game": "zurero", "seats": {"1": ["client"]}}), "seats.1"),
            (json!({"game": "zurero", "start": [[], 1]}), "start"),
            (
                json!({"game": "zurero", "seats": {"1": {"kind": "ai", "level": "club", "limits": [null, 7]}}}),
                "seats.1.limits",
            ),
            (
                json!({"game": "zurero", "seats": {"1": {"kind": "bot", "name": "b", "limits": {"clock": [1, 2]}}}}),
                "seats.1.limits.clock",
            ),
        ] {
            assert_eq!(wrong::<New>(value, Unknown::Ignored).field, field);
        }
    }

    #[test]
    fn whole_numbers_may_be_written_with_a_point() {
        assert_eq!(read::<Seat>(json!(2.0), Unknown::Ignored), Ok(Seat::Two));
        assert_eq!(read::<Id>(json!(7.0), Unknown::Ignored), Ok(Id::Number(7)));
        let perft: Perft =
            read(json!({"game": "x", "depth": 3.0, "options": {"size": 9.0}}), Unknown::Ignored)
                .expect("params");
        assert_eq!((perft.depth, perft.options.expect("options")["size"].as_u64()), (3, Some(9)));
        // Nor does any other reader mind.
        assert_eq!(serde_json::from_str::<Id>("7.0").ok(), Some(Id::Number(7)));
        assert_eq!(serde_json::from_str::<Seat>("1.0").ok(), Some(Seat::One));
        for too_large in
            [json!(1.8446744073709552e19), json!(-1e19), json!(1e300), json!(-9223372036854775808.0)]
        {
            assert!(read::<Id>(too_large.clone(), Unknown::Ignored).is_err(), "{too_large}");
        }
    }

    #[test]
    fn unknown_members_are_ignored_or_refused_with_the_nearest_name() {
        for (value, field, nearest) in [
            (json!({"game": "zurero", "option": {}}), "option", Some("options")),
            (json!({"game": "zurero", "xyz": 1}), "xyz", None),
            (json!({"game": "zurero", "start": {"rows": [], "to_mov": 1}}), "start.to_mov", Some("to_move")),
            (
                json!({"game": "zurero", "seats": {"1": {"kind": "ai", "level": "club", "limits": {"time": 5}}}}),
                "seats.1.limits.time",
                Some("time_ms"),
            ),
            (json!({"game": "zurero", "seats": {"3": null}}), "seats.3", None),
            // A member of another kind of players.
            (
                json!({"game": "zurero", "seats": {"1": {"level": "x", "kind": "client"}}}),
                "seats.1.level",
                None,
            ),
        ] {
            assert!(read::<New>(value.clone(), Unknown::Ignored).is_ok(), "{value}");
            let wrong = wrong::<New>(value, Unknown::Refused);
            assert_eq!((wrong.field.as_str(), wrong.nearest, wrong.is_unknown), (field, nearest, true));
        }
        let none = wrong::<Tables>(json!({"table": "t1"}), Unknown::Refused);
        assert_eq!(none.to_string(), "table: there is no such member here; there is none at all");
        let far = wrong::<Cancel>(json!({"id": 1}), Unknown::Refused);
        assert_eq!(far.to_string(), "id: there is no such member here; there is request");
        let near = wrong::<Cancel>(json!({"requst": 1}), Unknown::Refused);
        assert_eq!(near.to_string(), "requst: there is no such member here; did you mean \"request\"?");
        let player = json!({"kind": "client", "name": "x"});
        let other_kind = wrong::<Player>(player, Unknown::Refused);
        assert_eq!(other_kind.to_string(), "name: there is no such member here; there is kind, open");
        assert_eq!(WrongShape::unknown("ID", &["id", "method"]).nearest, Some("id"));
        // What may have any members has them in strict reading, too.
        let free = json!({"game": "zurero", "options": {"colour": [1]}, "played": []});
        assert!(read::<Choose>(free, Unknown::Refused).is_ok());
        assert!(read::<Load>(json!({"record": {"any": 1}}), Unknown::Refused).is_ok());
    }

    #[test]
    fn a_player_is_read_wherever_its_kind_stands() {
        let text = r#"{"limits":{"nodes":5},"level":"club","kind":"ai","more":1}"#;
        let value: Value = serde_json::from_str(text).expect("JSON");
        let here: Player = read(value, Unknown::Ignored).expect("a player");
        assert_eq!(serde_json::from_str::<Player>(text).expect("a player"), here);
        assert_eq!(json!(here), json!({"kind": "ai", "level": "club", "limits": {"nodes": 5}}));
        assert!(read::<Record>(json!({"format": "tabuleiro-record"}), Unknown::Ignored).is_err());
    }
}
