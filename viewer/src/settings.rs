//! What a person has chosen about the window.

use serde::{Deserialize, Serialize};

use crate::stage::theme::{mark_colours, themes};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The name of a theme.
    pub theme: String,
    /// The colour of marks on the board: red, green, blue.
    pub mark_colour: [u8; 3],
    pub quality: QualityChoice,
    pub speed: Speed,
    pub coordinates: bool,
    /// Heights of piles as numbers.
    pub counts: bool,
    /// What the engine says about the position, as light on the cells.
    pub overlays: bool,
    /// A ghost of what the action under the pointer would do.
    pub ghosts: bool,
    /// The chances of both sides while playing.
    pub evaluation: bool,
    /// How large text is: 1 is normal.
    pub text_size: f32,
    pub full_screen: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            theme: themes()[0].name.clone(),
            mark_colour: mark_colours()[0].colour.0,
            quality: QualityChoice::Automatic,
            speed: Speed::Normal,
            coordinates: true,
            counts: false,
            overlays: true,
            ghosts: true,
            evaluation: true,
            text_size: 1.0,
            full_screen: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityChoice {
    /// What this machine can draw smoothly.
    Automatic,
    Low,
    Medium,
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    Off,
    Slow,
    Normal,
    Fast,
}

impl Speed {
    pub const ALL: [Speed; 4] = [Speed::Off, Speed::Slow, Speed::Normal, Speed::Fast];

    /// How many times faster than normal things move; `None` is not at all.
    pub fn factor(self) -> Option<f32> {
        match self {
            Speed::Off => None,
            Speed::Slow => Some(0.5),
            Speed::Normal => Some(1.0),
            Speed::Fast => Some(2.5),
        }
    }
}
