//! Which form each aid on the board has. It keeps its form as long as it is there, so that whoever
//! has learnt that the round light is the left worker's need not learn it again with every turn.

use tabuleiro_protocol::Overlay;

/// So many forms can be told apart: round, pointed, square, and strokes this way and that.
pub const FORMS: u8 = 5;

/// The forms of what is nobody's, by what it says. What belongs to a seat has the form of its seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forms(Vec<(String, u8)>);

impl Forms {
    pub fn of(&self, overlay: &Overlay) -> u8 {
        let known = self.0.iter().find(|(text, _)| *text == overlay.text);
        let of_seat = overlay.seat.map(|seat| seat.index() as u8);
        of_seat.or(known.map(|(_, form)| *form)).unwrap_or_default()
    }

    /// The forms once these aids are on the board: what stays keeps its own, and what comes takes
    /// the first that is free.
    pub fn with(&self, overlays: &[Overlay]) -> Forms {
        let are_there = || overlays.iter().filter(|overlay| overlay.seat.is_none());
        let stays = |(text, _): &&(String, u8)| are_there().any(|overlay| overlay.text == *text);
        let mut forms = Forms(self.0.iter().filter(stays).cloned().collect());
        for overlay in are_there() {
            if !forms.0.iter().any(|(text, _)| *text == overlay.text) {
                let is_free = |form: &u8| !forms.0.iter().any(|(_, taken)| taken == form);
                let form = (0..u8::MAX).find(is_free).unwrap_or_default();
                forms.0.push((overlay.text.clone(), form));
            }
        }
        forms
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Seat;

    use super::*;

    fn aid(text: &str, seat: Option<Seat>) -> Overlay {
        Overlay { name: "sight".into(), text: text.into(), seat, cells: vec!["a1".into()] }
    }

    #[test]
    fn what_stays_keeps_its_form_and_what_moves_too() {
        let [left, right, both] = ["worker on a1", "worker on c3", "both"].map(|text| aid(text, None));
        let first = Forms::default().with(std::slice::from_ref(&right));
        let all = first.with(&[left.clone(), right.clone(), both.clone()]);
        assert_eq!(
            [&right, &left, &both].map(|aid| all.of(aid)),
            [0, 1, 2],
            "the first that came stays first"
        );
        // The left worker goes to the far side of the other, and is named after it from now on.
        let gone = aid("worker on e5", None);
        let after = all.with(&[right.clone(), gone.clone(), both.clone()]);
        assert_eq!([&right, &gone, &both].map(|aid| after.of(aid)), [0, 1, 2]);
    }

    #[test]
    fn what_belongs_to_a_seat_has_its_form() {
        let forms = Forms::default().with(&[aid("x", Some(Seat::Two)), aid("both", None)]);
        assert_eq!(forms.of(&aid("x", Some(Seat::Two))), 1);
        assert_eq!(forms.of(&aid("y", Some(Seat::One))), 0);
        assert_eq!(forms.of(&aid("both", None)), 0);
    }
}
