//! How well the chances that searches give come true.

use std::fmt;

use super::self_play::Judgement;
use crate::search::win_chance;

/// How often positions were won that were given a chance of 0 to 10 %, of 10 to 20 %, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calibration {
    tenths: [Tenth; 10],
}

#[derive(Clone, Copy, Debug, Default)]
struct Tenth {
    positions: u32,
    given: f64,
    had: f64,
}

impl Calibration {
    pub(in crate::tools) fn of(judgements: &[Judgement], scale: i32) -> Calibration {
        let mut calibration = Calibration::default();
        for judgement in judgements {
            calibration.add(win_chance(judgement.value, scale), judgement.result);
        }
        calibration
    }

    /// Adds a position: the chance that it was given, and the result.
    pub fn add(&mut self, chance: f64, result: f64) {
        let tenth = &mut self.tenths[((chance * 10.0) as usize).min(9)];
        tenth.positions += 1;
        tenth.given += chance;
        tenth.had += result;
    }
}

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, tenth) in self.tenths.iter().enumerate().filter(|(_, tenth)| tenth.positions > 0) {
            let positions = f64::from(tenth.positions);
            let (given, had) = (100.0 * tenth.given / positions, 100.0 * tenth.had / positions);
            writeln!(
                f,
                "  {:>2} to {:>3} %: given {given:4.1} %, had {had:4.1} % of {positions}",
                10 * index,
                10 * index + 10
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_by_the_chance_they_were_given() {
        let mut calibration = Calibration::default();
        for (chance, result) in [(0.0, 0.0), (0.62, 1.0), (0.68, 0.0), (0.65, 1.0), (1.0, 1.0)] {
            calibration.add(chance, result);
        }
        let text = calibration.to_string();
        assert!(text.contains(" 0 to  10 %: given  0.0 %, had  0.0 % of 1"), "{text}");
        assert!(text.contains("60 to  70 %: given 65.0 %, had 66.7 % of 3"), "{text}");
        assert!(text.contains("90 to 100 %: given 100.0 %, had 100.0 % of 1"), "{text}");
    }
}
