//! Sounds: what each material sounds like, made here and nowhere recorded, and when it is heard.
//!
//! What is heard is decided by [`Motion`](crate::motion::Motion) and can be asked for without a
//! loudspeaker. Only [`Loudspeaker`] needs one, and only with the feature `sound`.

use std::f32::consts::TAU;

/// Samples a second.
pub const RATE: u32 = 22_050;

/// What something is made of, or falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Material {
    Wood,
    Stone,
    Steel,
    Slate,
    Water,
}

impl Material {
    pub const ALL: [Material; 5] =
        [Material::Wood, Material::Stone, Material::Steel, Material::Slate, Material::Water];
}

/// Something that is to be heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    pub material: Material,
    /// 1 is a piece put down; less is quieter.
    pub strength: f32,
}

/// What a body sounds like when it is struck: its tones, and the noise of the stroke.
struct Voice {
    seconds: f32,
    /// Of each tone how high it is in hertz, how loud, and after how many seconds a third is left.
    tones: &'static [(f32, f32, f32)],
    /// How loud the stroke is, and how dull: 0 is a hiss, near 1 a thud.
    stroke: f32,
    dullness: f32,
    stroke_lasts: f32,
}

fn voice(material: Material) -> Voice {
    // The tones of a bar or a plate are no multiples of the lowest one.
    match material {
        Material::Wood => Voice {
            seconds: 0.16,
            tones: &[(310.0, 0.7, 0.022), (845.0, 0.35, 0.012), (1_630.0, 0.15, 0.007)],
            stroke: 0.5,
            dullness: 0.75,
            stroke_lasts: 0.006,
        },
        Material::Stone => Voice {
            seconds: 0.14,
            tones: &[(1_480.0, 0.5, 0.014), (2_310.0, 0.4, 0.011), (3_950.0, 0.25, 0.007)],
            stroke: 0.45,
            dullness: 0.35,
            stroke_lasts: 0.003,
        },
        Material::Steel => Voice {
            seconds: 0.5,
            tones: &[(1_870.0, 0.4, 0.09), (3_120.0, 0.3, 0.07), (5_240.0, 0.2, 0.05)],
            stroke: 0.3,
            dullness: 0.2,
            stroke_lasts: 0.002,
        },
        Material::Slate => Voice {
            seconds: 0.18,
            tones: &[(720.0, 0.5, 0.02), (1_240.0, 0.4, 0.015), (2_660.0, 0.2, 0.008)],
            stroke: 0.6,
            dullness: 0.55,
            stroke_lasts: 0.008,
        },
        Material::Water => {
            Voice { seconds: 0.9, tones: &[], stroke: 0.5, dullness: 0.93, stroke_lasts: 0.22 }
        }
    }
}

/// The sound of something that is put down on, or falls into, a material: from -1 to 1, [`RATE`]
/// samples a second.
pub fn samples(material: Material) -> Vec<f32> {
    let Voice { seconds, tones, stroke, dullness, stroke_lasts } = voice(material);
    let count = (seconds * RATE as f32) as usize;
    let mut chance: u32 = 0x9e37_79b9;
    let mut dull = 0.0;
    let mut sound: Vec<f32> = (0..count)
        .map(|index| {
            let time = index as f32 / RATE as f32;
            let ringing: f32 = tones
                .iter()
                .map(|(hertz, loudness, lasts)| loudness * (-time / lasts).exp() * (TAU * hertz * time).sin())
                .sum();
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let hiss = (chance >> 8) as f32 / (1 << 23) as f32 - 1.0;
            dull = dull * dullness + hiss * (1.0 - dullness);
            ringing + stroke * (-time / stroke_lasts).exp() * dull
        })
        .collect();
    if material == Material::Water {
        add_bubbles(&mut sound);
    }
    finish(&mut sound);
    sound
}

/// Air that comes up: short tones that rise, the large ones first.
fn add_bubbles(sound: &mut [f32]) {
    for (begins, hertz, loudness) in
        [(0.04, 260.0, 0.5), (0.17, 380.0, 0.35), (0.27, 520.0, 0.22), (0.4, 450.0, 0.16), (0.52, 610.0, 0.1)]
    {
        let mut turned = 0.0;
        let first = (begins * RATE as f32) as usize;
        for (index, sample) in sound.iter_mut().skip(first).enumerate() {
            let time = index as f32 / RATE as f32;
            turned += TAU * hertz * (1.0 + 6.0 * time) / RATE as f32;
            *sample += loudness * (time / 0.004).min(1.0) * (-time / 0.035).exp() * turned.sin();
        }
    }
}

/// As loud as the others, without a crack at either end.
fn finish(sound: &mut [f32]) {
    let loudest = sound.iter().fold(f32::EPSILON, |loudest, sample| loudest.max(sample.abs()));
    let count = sound.len();
    let (rise, fall) = (RATE as usize / 1_000, RATE as usize / 50);
    for (index, sample) in sound.iter_mut().enumerate() {
        let begun = (index as f32 / rise as f32).min(1.0);
        let left = ((count - 1 - index) as f32 / fall as f32).min(1.0);
        *sample *= 0.9 / loudest * begun * left;
    }
}

/// The same as a WAV file: one channel, 16 bits.
pub fn wav(samples: &[f32]) -> Vec<u8> {
    let bytes = samples.len() as u32 * 2;
    let mut file = Vec::with_capacity(44 + bytes as usize);
    let header: [(&[u8], u32); 4] =
        [(b"RIFF", 36 + bytes), (b"WAVEfmt ", 16), (b"", 0x0001_0001), (b"", RATE)];
    for (name, number) in header {
        file.extend_from_slice(name);
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(&(RATE * 2).to_le_bytes());
    file.extend_from_slice(&[2, 0, 16, 0]);
    file.extend_from_slice(b"data");
    file.extend_from_slice(&bytes.to_le_bytes());
    for sample in samples {
        file.extend_from_slice(&((sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16).to_le_bytes());
    }
    file
}

/// Whether this program was built with sound.
pub const IS_BUILT_IN: bool = cfg!(feature = "sound");

/// Plays noises, if the program was built with sound and the machine has any.
#[derive(Debug, Default)]
pub struct Loudspeaker {
    #[cfg(feature = "sound")]
    sounds: Vec<macroquad::audio::Sound>,
}

impl Loudspeaker {
    /// Makes all sounds. The window has to be open.
    #[cfg(feature = "sound")]
    pub async fn new() -> Loudspeaker {
        let mut sounds = Vec::new();
        for material in Material::ALL {
            // Without a sound device there is silence.
            match macroquad::audio::load_sound_from_bytes(&wav(&samples(material))).await {
                Ok(sound) => sounds.push(sound),
                Err(_) => return Loudspeaker::default(),
            }
        }
        Loudspeaker { sounds }
    }

    #[cfg(not(feature = "sound"))]
    pub async fn new() -> Loudspeaker {
        Loudspeaker::default()
    }

    /// At most one of each material in a frame: more would only be louder.
    #[cfg(feature = "sound")]
    pub fn play(&self, noises: &[Noise], volume: f32) {
        for (material, sound) in Material::ALL.into_iter().zip(&self.sounds) {
            let of_this = noises.iter().filter(|noise| noise.material == material);
            let strength = of_this.map(|noise| noise.strength).fold(0.0, f32::max);
            if strength * volume > 0.0 {
                let params =
                    macroquad::audio::PlaySoundParams { looped: false, volume: strength * volume * LOUDEST };
                macroquad::audio::play_sound(sound, params);
            }
        }
    }

    #[cfg(not(feature = "sound"))]
    pub fn play(&self, _noises: &[Noise], _volume: f32) {}
}

/// Boards are quiet.
#[cfg(feature = "sound")]
const LOUDEST: f32 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_has_a_sound_of_its_own_that_dies_away() {
        let all: Vec<Vec<f32>> = Material::ALL.iter().map(|&material| samples(material)).collect();
        for (sound, material) in all.iter().zip(Material::ALL) {
            let loudest = sound.iter().fold(0.0f32, |loudest, sample| loudest.max(sample.abs()));
            assert!((0.5..=0.91).contains(&loudest), "{material:?}: {loudest}");
            let power =
                |part: &[f32]| part.iter().map(|sample| sample * sample).sum::<f32>() / part.len() as f32;
            let (begin, end) = (power(&sound[..sound.len() / 3]), power(&sound[sound.len() * 4 / 5..]));
            assert!(end < begin * 0.05, "{material:?} goes on: {begin} and {end}");
            assert_eq!(*sound, samples(material), "the same every time");
        }
        for (index, sound) in all.iter().enumerate() {
            assert!(all[index + 1..].iter().all(|other| other != sound));
        }
    }

    #[test]
    fn a_sound_is_a_wav_file() {
        let file = wav(&[0.0, 1.0, -1.0]);
        assert_eq!(file.len(), 44 + 6);
        assert_eq!((&file[..4], &file[8..16], &file[36..40]), (&b"RIFF"[..], &b"WAVEfmt "[..], &b"data"[..]));
        assert_eq!(u32::from_le_bytes(file[4..8].try_into().unwrap()), 36 + 6);
        assert_eq!(u32::from_le_bytes(file[24..28].try_into().unwrap()), RATE);
        assert_eq!(&file[44..], [0, 0, 0xff, 0x7f, 1, 0x80]);
    }
}
