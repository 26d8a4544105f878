//! A position that a person sets up. Nothing here knows which positions there are: the engine gave
//! the pieces and what else there is to say, and it says what is wrong.

use serde_json::{Map, Value, json};
use tabuleiro_protocol::method::Problem;
use tabuleiro_protocol::{GameInfo, MemberKind, OptionValue, Options, Piece, Start, StartMember, State};

use crate::app::Screen;
use crate::board::{Cell, EMPTY, Tokens};
use crate::motion::Motion;
use crate::sets::Set;

/// So many changes can be taken back.
const MOST_CHANGES: usize = 500;

#[derive(Clone, Debug)]
pub struct Editor {
    pub game: String,
    pub options: Options,
    /// What a cell may hold.
    pub pieces: Vec<Piece>,
    /// What there is to say besides the board.
    pub members: Vec<StartMember>,
    pub hand: Hand,
    pub verdict: Verdict,
    /// Where to go back to.
    pub came_from: Screen,
    /// What is on the board, to be drawn.
    pub motion: Motion,
    draft: Draft,
    past: Vec<Draft>,
    future: Vec<Draft>,
    /// Counts what was changed, so that nobody takes what was said of another position for the
    /// verdict.
    revision: u64,
}

/// What a click on a cell does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hand {
    /// Puts this token there; where it is already, takes it away.
    Piece(String),
    TakeAway,
    /// Puts the next one there of all that there are.
    Cycle,
}

/// What the engine says of the position.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It has been asked.
    Asked,
    Wrong(Problem),
    /// A game can begin there.
    Fine {
        text: String,
        state: Option<Box<State>>,
    },
}

/// A position as it is being set up.
#[derive(Clone, Debug, PartialEq)]
struct Draft {
    tokens: Tokens,
    members: Map<String, Value>,
}

impl Draft {
    /// Without a seat to move it is the first one's turn.
    fn new(tokens: Tokens, mut members: Map<String, Value>) -> Draft {
        members.retain(|_, value| !value.is_null());
        members.entry("to_move").or_insert(json!(1));
        Draft { tokens, members }
    }

    fn of(start: &Start) -> Draft {
        let mut members = match json!(start) {
            Value::Object(members) => members,
            _ => Map::new(),
        };
        members.remove("rows");
        Draft::new(Tokens::read(&start.rows), members)
    }
}

impl Editor {
    /// Nothing is on the board until somebody puts a position there.
    pub fn new(game: &GameInfo, options: Options, set: Set, came_from: Screen) -> Editor {
        let mut motion = Motion::default();
        motion.lay_out(set, Tokens::default());
        let members = if game.start.is_empty() { vec![StartMember::to_move()] } else { game.start.clone() };
        Editor {
            game: game.id.clone(),
            options,
            hand: game.pieces.first().map_or(Hand::Cycle, |piece| Hand::Piece(piece.token.clone())),
            pieces: game.pieces.clone(),
            members,
            verdict: Verdict::Asked,
            came_from,
            motion,
            draft: Draft::new(Tokens::default(), Map::new()),
            past: Vec::new(),
            future: Vec::new(),
            revision: 0,
        }
    }

    pub fn tokens(&self) -> &Tokens {
        &self.draft.tokens
    }

    pub fn member(&self, name: &str) -> Option<&Value> {
        self.draft.members.get(name)
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What the position is, for the engine. An error if the members cannot be so at all.
    pub fn start(&self) -> Result<Start, String> {
        let mut members = self.draft.members.clone();
        members.insert("rows".into(), json!(self.draft.tokens.to_rows()));
        serde_json::from_value(Value::Object(members)).map_err(|error| error.to_string())
    }

    /// The options, for the engine.
    pub fn options(&self) -> Map<String, Value> {
        let value = |value: &OptionValue| match value {
            OptionValue::Integer(number) => json!(number),
            OptionValue::Choice(word) => json!(word),
        };
        self.options.iter().map(|(name, given)| (name.clone(), value(given))).collect()
    }

    // ── Changes ──

    /// Puts a whole position there. The very first one cannot be taken back.
    pub fn set_up(&mut self, start: &Start) {
        let is_first = self.draft.tokens == Tokens::default();
        self.change(Draft::of(start));
        if is_first {
            self.past.clear();
        }
        // An engine of another make may not say what there is: then it is what is on the board.
        if self.pieces.is_empty() {
            let mut tokens: Vec<&str> =
                self.draft.tokens.cells().map(|cell| self.draft.tokens.get(cell)).collect();
            tokens.sort_unstable();
            tokens.dedup();
            self.pieces = tokens
                .into_iter()
                .filter(|token| *token != EMPTY)
                .map(|token| Piece::new(token, token))
                .collect();
        }
    }

    pub fn clear(&mut self) {
        let mut tokens = self.draft.tokens.clone();
        tokens.cells().for_each(|cell| tokens.set(cell, EMPTY));
        let to_move = self.draft.members.get_key_value("to_move");
        let members = to_move.map(|(name, value)| (name.clone(), value.clone())).into_iter().collect();
        self.change(Draft { tokens, members });
    }

    /// Does with a cell what the hand is for.
    pub fn touch(&mut self, cell: Cell) {
        match self.hand.clone() {
            Hand::Piece(token) if self.draft.tokens.get(cell) == token => self.put(cell, EMPTY),
            Hand::Piece(token) => self.put(cell, &token),
            Hand::TakeAway => self.put(cell, EMPTY),
            Hand::Cycle => self.cycle(cell, false),
        }
    }

    pub fn put(&mut self, cell: Cell, token: &str) {
        let mut draft = self.draft.clone();
        draft.tokens.set(cell, token);
        self.change(draft);
    }

    /// Puts the next one there of all that there are, nothing included.
    pub fn cycle(&mut self, cell: Cell, backwards: bool) {
        let all: Vec<&str> =
            std::iter::once(EMPTY).chain(self.pieces.iter().map(|piece| piece.token.as_str())).collect();
        let now = all.iter().position(|token| *token == self.draft.tokens.get(cell)).unwrap_or(0);
        let step = if backwards { all.len() - 1 } else { 1 };
        let next = all[(now + step) % all.len()].to_string();
        self.put(cell, &next);
    }

    /// Takes what is on one cell to another.
    pub fn carry(&mut self, from: Cell, to: Cell) {
        let mut draft = self.draft.clone();
        if !draft.tokens.has(to) || from == to {
            return;
        }
        let token = draft.tokens.get(from).to_string();
        draft.tokens.set(from, EMPTY);
        draft.tokens.set(to, &token);
        self.change(draft);
    }

    /// Null takes a member away.
    pub fn set_member(&mut self, name: &str, value: Value) {
        let mut draft = self.draft.clone();
        match value {
            Value::Null => drop(draft.members.remove(name)),
            value => drop(draft.members.insert(name.into(), value)),
        }
        self.change(draft);
    }

    /// Takes another thing into the hand: every piece, nothing, and whatever comes next.
    pub fn next_hand(&mut self, backwards: bool) {
        let mut hands: Vec<Hand> = self.pieces.iter().map(|piece| Hand::Piece(piece.token.clone())).collect();
        hands.extend([Hand::TakeAway, Hand::Cycle]);
        let now = hands.iter().position(|hand| *hand == self.hand).unwrap_or(0);
        let step = if backwards { hands.len() - 1 } else { 1 };
        self.hand = hands.swap_remove((now + step) % hands.len());
    }

    fn change(&mut self, draft: Draft) {
        if draft == self.draft {
            return;
        }
        let before = std::mem::replace(&mut self.draft, draft);
        self.past.push(before);
        let surplus = self.past.len().saturating_sub(MOST_CHANGES);
        self.past.drain(..surplus);
        self.future.clear();
        self.changed();
    }

    pub fn undo(&mut self) {
        let Some(before) = self.past.pop() else { return };
        self.future.push(std::mem::replace(&mut self.draft, before));
        self.changed();
    }

    pub fn redo(&mut self) {
        let Some(after) = self.future.pop() else { return };
        self.past.push(std::mem::replace(&mut self.draft, after));
        self.changed();
    }

    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.verdict = Verdict::Asked;
        self.motion.jump(self.draft.tokens.clone());
    }
}

/// What a member is where nobody has said so.
pub fn usual_value(kind: MemberKind) -> Value {
    match kind {
        MemberKind::Seat { optional: true } => Value::Null,
        MemberKind::Seat { optional: false } => json!(1),
        MemberKind::Integer { min, .. } => json!(min),
        MemberKind::PerSeat { min, .. } => json!([min, min]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets;

    fn editor() -> Editor {
        let pieces = vec![Piece::new("b", "a black stone"), Piece::new("w", "a white stone")];
        let game = GameInfo { pieces, ..GameInfo::new("zurero", "Zurero", Vec::new()) };
        let mut editor = Editor::new(&game, Options::new(), sets::find("zurero", None), Screen::Home);
        let rows = vec![". b".to_string(), ". .".to_string()];
        editor.set_up(&Start { rows, ..Start::default() });
        editor
    }

    fn rows(editor: &Editor) -> Vec<String> {
        editor.start().expect("a start").rows
    }

    #[test]
    fn pieces_are_put_taken_away_cycled_and_carried() {
        let mut editor = editor();
        let (a1, b1, b2) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(1, 1));
        editor.touch(a1);
        assert_eq!(rows(&editor), ["b b", ". ."]);
        editor.touch(b1);
        assert_eq!(rows(&editor), ["b .", ". ."], "the same piece again takes it away");
        editor.carry(a1, b2);
        assert_eq!(rows(&editor), [". .", ". b"]);
        for expected in [". w", ". .", ". b"] {
            editor.cycle(b2, false);
            assert_eq!(rows(&editor)[1], expected);
        }
        editor.cycle(b2, true);
        assert_eq!(rows(&editor)[1], ". .");
        editor.put(Cell::new(7, 7), "b");
        assert_eq!(rows(&editor), [". .", ". ."], "beside the board there is nothing");
    }

    #[test]
    fn everything_can_be_taken_back() {
        let mut editor = editor();
        assert!(!editor.can_undo(), "the position that it began with");
        let before = editor.start().expect("a start");
        editor.touch(Cell::new(0, 1));
        editor.set_member("to_move", json!(2));
        editor.clear();
        assert_eq!(editor.member("to_move"), Some(&json!(2)));
        let after = editor.start().expect("a start");
        while editor.can_undo() {
            editor.undo();
        }
        assert_eq!(editor.start().expect("a start"), before);
        while editor.can_redo() {
            editor.redo();
        }
        assert_eq!(editor.start().expect("a start"), after);
        assert_eq!(editor.motion.final_tokens(), editor.tokens());
    }

    #[test]
    fn the_hand_goes_round() {
        let mut editor = editor();
        let first = editor.hand.clone();
        editor.next_hand(true);
        assert_eq!(editor.hand, Hand::Cycle);
        (0..4).for_each(|_| editor.next_hand(false));
        assert_eq!(editor.hand, Hand::Cycle);
        editor.next_hand(false);
        assert_eq!(editor.hand, first);
    }
}
