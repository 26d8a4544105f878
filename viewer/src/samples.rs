//! Boards in the middle of a game, for small pictures.

/// The games that there are boards of.
pub const GAMES: [&str; 4] = ["zurero", "fabrik", "absorption", "syrtis"];

/// The rows of a board of this game.
pub fn rows(game: &str) -> Option<Vec<String>> {
    let text = match game {
        "zurero" => include_str!("../../assets/samples/zurero.txt"),
        "fabrik" => include_str!("../../assets/samples/fabrik.txt"),
        "absorption" => include_str!("../../assets/samples/absorption.txt"),
        "syrtis" => include_str!("../../assets/samples/syrtis.txt"),
        _ => return None,
    };
    Some(text.lines().map(str::to_string).collect())
}
