//! What serde says about bad input, put in words for people.

/// What serde says, with Rust's names of number types put in words.
pub(crate) fn plainly(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.rsplit_once(", expected ") {
        Some((what, "u8" | "u32" | "u64" | "usize")) => format!("{what}, expected a whole number, 0 or more"),
        _ => said,
    }
}
