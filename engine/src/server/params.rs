//! Reading the params of a method.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tabuleiro_protocol::ErrorObject;

use crate::plain_error::plainly;

/// Reads the params of a method, or says which of them is wrong.
pub(super) fn read<T: DeserializeOwned>(params: Value) -> Result<T, ErrorObject> {
    if !params.is_object() {
        return Err(ErrorObject::params("params", "must be an object"));
    }
    serde_path_to_error::deserialize(params).map_err(|error| {
        let path = error.path().to_string();
        let reason = plainly(&error.into_inner());
        // serde tells the member that is missing only in words, and the path of what it is missing
        // from.
        let missing = reason.strip_prefix("missing field `").and_then(|rest| rest.split('`').next());
        match (path.as_str(), missing) {
            (".", Some(member)) => ErrorObject::params(member, "is missing"),
            (path, Some(member)) => ErrorObject::params(&format!("{path}.{member}"), "is missing"),
            (".", None) => ErrorObject::params("params", &reason),
            (path, None) => ErrorObject::params(path, &reason),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tabuleiro_protocol::method::{New, Play};

    use super::*;

    fn field<T: DeserializeOwned>(params: Value) -> String {
        let error = read::<T>(params).err().expect("these params are wrong");
        error.data.expect("data")["field"].as_str().expect("a field").into()
    }

    #[test]
    fn the_field_that_is_wrong_is_named() {
        assert_eq!(field::<Play>(json!({"actions": []})), "table");
        assert_eq!(field::<Play>(json!({"table": 1, "actions": []})), "table");
        assert_eq!(field::<Play>(json!({"table": "t1", "actions": "w1"})), "actions");
        assert_eq!(field::<Play>(json!({"table": "t1", "actions": ["w1", 2]})), "actions[1]");
        assert_eq!(field::<Play>(json!({"table": "t1", "actions": [], "ply": -1})), "ply");
        assert_eq!(field::<New>(json!({"game": "zurero", "start": {}})), "start.rows");
        assert_eq!(field::<New>(json!({"game": "zurero", "start": {"rows": [1]}})), "start.rows[0]");
        assert_eq!(
            field::<New>(json!({"game": "zurero", "start": {"rows": [], "to_move": 3}})),
            "start.to_move"
        );
        assert_eq!(field::<New>(json!({"game": "zurero", "seats": {"2": {"kind": "cat"}}})), "seats.2.kind");
        assert_eq!(field::<New>(json!({"game": "zurero", "options": []})), "options");
        assert_eq!(field::<New>(json!(["zurero"])), "params");
    }
}
