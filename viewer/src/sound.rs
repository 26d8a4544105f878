//! Sounds: what each material sounds like, made here and nowhere recorded, and when it is heard.
//!
//! What is heard is decided by [`Motion`](crate::motion::Motion) and can be asked for without a
//! loudspeaker. Only [`Loudspeaker`] needs one, and only with the feature `sound`.

use std::f32::consts::TAU;
use std::panic::PanicHookInfo;
#[cfg(any(feature = "sound", test))]
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Boards are quiet.
const LOUDEST: f32 = 0.5;

/// How loud each material is to be: at most one noise of each in a frame, for more would only be
/// louder.
fn loudness(noises: &[Noise], volume: f32) -> impl Iterator<Item = (Material, f32)> {
    Material::ALL.into_iter().filter_map(move |material| {
        let of_this = noises.iter().filter(|noise| noise.material == material);
        let strength = of_this.map(|noise| noise.strength).fold(0.0, f32::max);
        let loudness = strength.min(1.0) * volume * LOUDEST;
        (loudness > 0.0).then_some((material, loudness))
    })
}

/// Whether the library's thread has come to its end: without a sound device it panics.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether a panic is that of the library's thread, which then is noted: the window goes on without
/// sound, and the person need not read it.
pub(crate) fn take_panic(info: &PanicHookInfo) -> bool {
    let is_of_sound = info.location().is_some_and(|location| is_of_library(location.file()));
    if is_of_sound {
        IS_LOST.store(true, Ordering::Relaxed);
    }
    is_of_sound
}

fn is_of_library(file: &str) -> bool {
    file.contains("quad-snd")
}

/// Whether this machine shows a sound card or a sound server. Without either ALSA would write a page
/// of complaints, so it is not asked.
#[cfg(any(feature = "sound", test))]
fn has_device(cards: &Path, servers: &[PathBuf]) -> bool {
    // A card is listed as ` 0 [PCH  ]: HDA-Intel`; without one there is a line that says so.
    let has_card = std::fs::read_to_string(cards).is_ok_and(|cards| cards.contains('['));
    has_card || servers.iter().any(|server| server.exists())
}

/// Where sound comes out, and one sound of each material, once something was to be heard.
#[cfg(feature = "sound")]
struct Device {
    context: quad_snd::AudioContext,
    sounds: Vec<quad_snd::Sound>,
}

#[cfg(feature = "sound")]
impl Device {
    fn open() -> Option<Device> {
        let is_there = !cfg!(target_os = "linux") || std::env::var_os("PULSE_SERVER").is_some() || {
            let below = |variable: &str, names: &[&str]| -> Vec<PathBuf> {
                let folder = std::env::var_os(variable).map(PathBuf::from);
                folder.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
            };
            let servers = below("XDG_RUNTIME_DIR", &["pulse/native", "pipewire-0"]);
            let own = below("HOME", &[".asoundrc"]);
            has_device(Path::new("/proc/asound/cards"), &[servers, own].concat())
        };
        is_there.then(|| Device { context: quad_snd::AudioContext::new(), sounds: Vec::new() })
    }

    /// The library complains of every sound that it is given when its thread has ended, so they are
    /// made only when it has had the time to try.
    fn play(&mut self, wanted: &[(Material, f32)]) {
        if self.sounds.is_empty() {
            let sound = |material| quad_snd::Sound::load(&self.context, &wav(&samples(material)));
            self.sounds = Material::ALL.map(sound).into();
        }
        for (material, sound) in Material::ALL.into_iter().zip(&self.sounds) {
            if let Some(&(_, volume)) = wanted.iter().find(|(of, _)| *of == material) {
                sound.play(&self.context, quad_snd::PlaySoundParams { looped: false, volume });
            }
        }
    }
}

/// Plays noises, if the program was built with sound and the machine has any.
#[derive(Default)]
pub struct Loudspeaker {
    #[cfg(feature = "sound")]
    device: Option<Device>,
    is_loss_told: bool,
}

impl std::fmt::Debug for Loudspeaker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_struct("Loudspeaker").finish_non_exhaustive()
    }
}

impl Loudspeaker {
    /// Looks for something to play with.
    pub fn open() -> Loudspeaker {
        #[cfg(feature = "sound")]
        {
            let device = Device::open();
            if device.is_none() {
                IS_LOST.store(true, Ordering::Relaxed);
            }
            Loudspeaker { device, ..Loudspeaker::default() }
        }
        #[cfg(not(feature = "sound"))]
        Loudspeaker::default()
    }

    /// Plays what is to be heard now. Gives what the person is to know, once.
    pub fn play(&mut self, noises: &[Noise], volume: f32) -> Option<&'static str> {
        let wanted: Vec<(Material, f32)> = loudness(noises, volume).collect();
        if wanted.is_empty() {
            return None;
        }
        if IS_LOST.load(Ordering::Relaxed) {
            let was_told = std::mem::replace(&mut self.is_loss_told, true);
            return (!was_told).then_some("There is no sound: no device for it can be used.");
        }
        #[cfg(feature = "sound")]
        self.device.as_mut()?.play(&wanted);
        None
    }
}

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

    /// How much of a sound is at a pitch: the power of its part that swings so often a second.
    fn power_at(sound: &[f32], hertz: f32) -> f32 {
        let turn = TAU * hertz / RATE as f32;
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (index, sample) in sound.iter().enumerate() {
            let angle = (turn * index as f32) % TAU;
            real += sample * angle.cos();
            imaginary += sample * angle.sin();
        }
        real * real + imaginary * imaginary
    }

    /// The mean of all pitches, each by its power: how bright something sounds.
    fn brightness(sound: &[f32]) -> f32 {
        let pitches: Vec<(f32, f32)> =
            (1..=160).map(|step| step as f32 * 50.0).map(|hertz| (hertz, power_at(sound, hertz))).collect();
        let all: f32 = pitches.iter().map(|(_, power)| power).sum();
        pitches.iter().map(|(hertz, power)| hertz * power / all).sum()
    }

    /// Nobody here has ears, so the waves are looked at.
    #[test]
    fn sounds_are_short_clean_and_unlike_each_other() {
        let mut all = Vec::new();
        for material in Material::ALL {
            let sound = samples(material);
            let seconds = sound.len() as f32 / RATE as f32;
            assert!((0.05..=1.0).contains(&seconds), "{material:?} lasts {seconds} s");
            let loudest = sound.iter().fold(0.0f32, |loudest, sample| loudest.max(sample.abs()));
            let at_peak = sound.iter().filter(|sample| sample.abs() > loudest * 0.999).count();
            assert!(loudest < 1.0 && at_peak <= 2, "{material:?} is cut off at {loudest}, {at_peak} times");
            let mean = sound.iter().sum::<f32>() / sound.len() as f32;
            assert!(mean.abs() < 0.02, "{material:?} lies beside the middle: {mean}");
            let power = sound.iter().map(|sample| sample * sample).sum::<f32>() / sound.len() as f32;
            assert!(power.sqrt() > 0.03, "{material:?} is hardly heard: {power}");
            // Neither end cracks.
            let ends = [sound[0], sound[sound.len() - 1]];
            assert!(ends.iter().all(|end| end.abs() < 0.01), "{material:?} ends at {ends:?}");
            all.push((material, brightness(&sound), seconds));
        }
        let brightness =
            |wanted| all.iter().find(|(material, ..)| *material == wanted).expect("it is there").1;
        let from_dull_to_bright = [Material::Wood, Material::Slate, Material::Stone, Material::Steel];
        assert!(from_dull_to_bright.map(brightness).is_sorted(), "{all:?}");
        for (index, one) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                let times = |one: f32, other: f32| one.max(other) / one.min(other);
                let differ = times(one.1, other.1) > 1.2 || times(one.2, other.2) > 2.0;
                assert!(differ, "hard to tell apart: {one:?} and {other:?}");
            }
        }
        // None drowns the others: how loud something is the ear decides by a twentieth of a second.
        let loudness = Material::ALL.map(|material| {
            let (sound, part) = (samples(material), RATE as usize / 20);
            let power = |part: &[f32]| part.iter().map(|sample| sample * sample).sum::<f32>();
            let loudest = sound.windows(part).step_by(part / 10).map(power).fold(0.0, f32::max);
            (loudest / part as f32).sqrt()
        });
        let [quietest, loudest] = [f32::min, f32::max].map(|which| loudness.into_iter().reduce(which));
        assert!(loudest < quietest.map(|quietest| 3.0 * quietest), "{loudness:?}");
        // A board has two materials at most, heard at once and at full volume.
        const { assert!(2.0 * 0.9 * LOUDEST < 1.0) };
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

    #[test]
    fn volume_counts_and_off_is_silent() {
        let noise = |material, strength| Noise { material, strength };
        let noises = [noise(Material::Wood, 0.4), noise(Material::Wood, 0.8), noise(Material::Water, 1.0)];
        let heard = |volume| loudness(&noises, volume).collect::<Vec<_>>();
        assert_eq!(heard(0.0), [], "off");
        assert_eq!(heard(1.0), [(Material::Wood, 0.4), (Material::Water, 0.5)], "one of each, the loudest");
        assert_eq!(heard(0.5), [(Material::Wood, 0.2), (Material::Water, 0.25)]);
        assert_eq!(loudness(&[], 1.0).count(), 0);
    }

    #[test]
    fn a_machine_without_sound_is_told_of_once() {
        let of_library = "/home/somebody/.cargo/registry/src/index-1/quad-snd-0.2.8/src/alsa_snd.rs";
        assert!(is_of_library(of_library) && !is_of_library(file!()));
        let mut loudspeaker = Loudspeaker::default();
        let noises = [Noise { material: Material::Stone, strength: 1.0 }];
        let mut told = |volume| loudspeaker.play(&noises, volume).is_some();
        IS_LOST.store(true, Ordering::Relaxed);
        assert_eq!([0.0, 0.5, 0.5].map(&mut told), [false, true, false], "not while sound is off");
    }

    #[test]
    fn a_card_or_a_server_is_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let (cards, server) = (folder.path().join("cards"), folder.path().join("native"));
        let found = || has_device(&cards, std::slice::from_ref(&server));
        assert!(!found(), "nothing is there");
        std::fs::write(&cards, "--- no soundcards ---\n").unwrap();
        assert!(!found(), "the kernel could, but has no card");
        std::fs::write(&server, "").unwrap();
        assert!(found(), "a server need not be on a machine with a card");
        std::fs::remove_file(&server).unwrap();
        std::fs::write(&cards, " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n").unwrap();
        assert!(found());
    }
}
