//! Colours of the boards, the pieces, the light and the table. Each is defined once, in a file
//! under `assets/themes`; what a game's colours are for stands in the game's set.

use std::fmt;
use std::sync::LazyLock;

use macroquad::color::Color;
use macroquad::math::Vec3;
use serde::de::{Deserialize, Deserializer, Error};

use crate::sets::colours;

/// A colour as files spell it: `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Colour {
    pub fn parse(text: &str) -> Option<Colour> {
        let is_hex =
            |digits: &&str| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let digits = text.strip_prefix('#').filter(is_hex)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        Some(Colour([(value >> 16) as u8, (value >> 8) as u8, value as u8]))
    }

    /// In amounts of light, which is what shaders reckon with.
    pub fn light(self) -> Vec3 {
        let part = |value: u8| (f32::from(value) / 255.0).powf(2.2);
        Vec3::new(part(self.0[0]), part(self.0[1]), part(self.0[2]))
    }

    /// Part of the way to another colour.
    pub fn towards(self, other: Colour, part: f32) -> Colour {
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * part).round() as u8;
        Colour(std::array::from_fn(|index| mix(self.0[index], other.0[index])))
    }
}

impl fmt::Debug for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl From<Colour> for Color {
    fn from(Colour([red, green, blue]): Colour) -> Color {
        Color::from_rgba(red, green, blue, 255)
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Colour, D::Error> {
        let text = String::deserialize(deserializer)?;
        Colour::parse(&text)
            .ok_or_else(|| D::Error::custom(format!("\"{text}\" is no colour: write #rrggbb")))
    }
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    pub name: String,
    pub light: Light,
    pub table: TableTop,
    pub zurero: colours::Zurero,
    pub fabrik: colours::Fabrik,
    pub absorption: colours::Absorption,
    pub syrtis: colours::Syrtis,
    /// Of games that have no set of their own.
    pub generic: colours::Generic,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    /// The lamp at the upper left.
    pub key: Colour,
    pub key_strength: f32,
    /// What comes from above.
    pub sky: Colour,
    pub sky_strength: f32,
    /// What the table throws back from below.
    pub bounce: Colour,
}

#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableTop {
    pub top: Colour,
    /// What the table fades into, far away.
    pub far: Colour,
}

/// A colour for marks, by name.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkColour {
    pub name: String,
    pub colour: Colour,
}

/// The colours of marks on the board. Each kind has a form of its own besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkPalette {
    /// What may be pointed at, and what has been.
    pub open: Colour,
    pub last: Colour,
    pub hint: Colour,
    pub aid: Colour,
}

const FILES: [&str; 3] = [
    include_str!("../../../assets/themes/daylight.json"),
    include_str!("../../../assets/themes/evening.json"),
    include_str!("../../../assets/themes/clear.json"),
];

const MARK_FILE: &str = include_str!("../../../assets/themes/marks.json");

static THEMES: LazyLock<Vec<Theme>> =
    LazyLock::new(|| FILES.iter().filter_map(|file| serde_json::from_str(file).ok()).collect());

static MARK_COLOURS: LazyLock<Vec<MarkColour>> =
    LazyLock::new(|| serde_json::from_str(MARK_FILE).unwrap_or_default());

/// All themes, the usual one first.
pub fn themes() -> &'static [Theme] {
    &THEMES
}

/// All colours that marks are offered in, the usual one first.
pub fn mark_colours() -> &'static [MarkColour] {
    &MARK_COLOURS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_a_theme_with_a_name_of_its_own() {
        for file in FILES {
            serde_json::from_str::<Theme>(file).unwrap();
        }
        let mut names: Vec<&str> = themes().iter().map(|theme| theme.name.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), FILES.len());
        serde_json::from_str::<Vec<MarkColour>>(MARK_FILE).unwrap();
        assert!(!mark_colours().is_empty());
    }

    #[test]
    fn colours_are_read_as_files_spell_them() {
        assert_eq!(Colour::parse("#0a80ff"), Some(Colour([10, 128, 255])));
        for text in ["", "0a80ff", "#0a80f", "#0a80fg", "#éééé", "#+a80ff"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }

    /// How light a colour looks, from 0 to 1.
    fn lightness(colour: Colour) -> f32 {
        colour.light().dot(Vec3::new(0.2126, 0.7152, 0.0722)).powf(1.0 / 2.2)
    }

    #[test]
    fn the_two_sides_differ_in_lightness_in_every_theme() {
        for theme in themes() {
            let pairs = [
                (theme.zurero.dark, theme.zurero.light),
                (theme.fabrik.dark, theme.fabrik.light),
                (theme.absorption.dark, theme.absorption.light),
                (theme.syrtis.dark, theme.syrtis.light),
                (theme.syrtis.basalt, theme.syrtis.sand),
                (theme.generic.dark, theme.generic.light),
            ];
            for (dark, light) in pairs {
                assert!(lightness(light) - lightness(dark) > 0.3, "{}: {dark:?} {light:?}", theme.name);
            }
        }
    }

    /// What is left of linear light without the long, the middle and the short cones: the matrices of
    /// tests/window/deficiencies.
    const DEFICIENCIES: [[[f32; 3]; 3]; 3] = [
        [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
        [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
        [[1.01354, 0.14268, -0.15622], [-0.01181, 0.87561, 0.13619], [0.07707, 0.81208, 0.11085]],
    ];

    fn seen(colour: Colour, matrix: [[f32; 3]; 3]) -> Vec3 {
        let light = colour.light();
        Vec3::from(matrix.map(|row| Vec3::from(row).dot(light))).clamp(Vec3::ZERO, Vec3::ONE)
    }

    #[test]
    fn the_two_sides_differ_in_lightness_for_whoever_sees_fewer_colours() {
        let lightness = |light: Vec3| light.dot(Vec3::new(0.2126, 0.7152, 0.0722)).powf(1.0 / 2.2);
        for theme in themes() {
            let pairs = [
                (theme.zurero.dark, theme.zurero.light),
                (theme.fabrik.dark, theme.fabrik.light),
                (theme.absorption.dark, theme.absorption.light),
                (theme.syrtis.dark, theme.syrtis.light),
                (theme.syrtis.basalt, theme.syrtis.sand),
            ];
            for (matrix, (dark, light)) in DEFICIENCIES.iter().flat_map(|m| pairs.map(|pair| (*m, pair))) {
                let by = lightness(seen(light, matrix)) - lightness(seen(dark, matrix));
                assert!(by > 0.3, "{}: {dark:?} {light:?} differ by {by}", theme.name);
            }
        }
    }

    /// A tower stands on tiles of both kinds: of body and crown, one stands out from either.
    #[test]
    fn towers_stand_out_from_every_tile_in_every_theme() {
        let lightness = |light: Vec3| light.dot(Vec3::new(0.2126, 0.7152, 0.0722)).powf(1.0 / 2.2);
        let plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for theme in themes() {
            let colours = &theme.syrtis;
            let towers = [(colours.light, colours.light_crown), (colours.dark, colours.dark_crown)];
            for matrix in DEFICIENCIES.into_iter().chain([plain]) {
                let far = |one, other| (lightness(seen(one, matrix)) - lightness(seen(other, matrix))).abs();
                for (body, crown) in towers {
                    assert!(far(body, crown) > 0.3, "{}: {body:?} {crown:?}", theme.name);
                    for tile in [colours.sand, colours.basalt] {
                        let by = far(body, tile).max(far(crown, tile));
                        assert!(by > 0.3, "{}: {body:?} {crown:?} on {tile:?}: {by}", theme.name);
                    }
                }
            }
        }
    }

    /// Marks have forms of their own; that their usual colours differ, too, must not need three kinds
    /// of cones.
    #[test]
    fn the_usual_marks_differ_for_whoever_sees_fewer_colours() {
        let palette = crate::settings::Settings::default().mark_palette();
        let marks = [palette.open, palette.last, palette.hint, palette.aid];
        for matrix in DEFICIENCIES {
            for (index, &one) in marks.iter().enumerate() {
                for &other in &marks[index + 1..] {
                    let far = |colour| seen(colour, matrix).powf(1.0 / 2.2);
                    let distance = far(one).distance(far(other));
                    assert!(distance > 0.15, "{one:?} and {other:?} are {distance} apart");
                }
            }
        }
    }
}
