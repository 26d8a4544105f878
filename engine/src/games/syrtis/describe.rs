//! Syrtis in words and signs.

use serde_json::{Map, Value, json};
use tabuleiro_protocol::{
    Detail, Event, Fact, Form, Happening, MemberKind, OptionSpec, Overlay, Piece, PieceSide, Seat,
    StartMember, TokenLook,
};

use super::board::{Family, Kind, Side};
use super::cells::{NONE, bit, each, flood, rectangle, shortest_path};
use super::{Action, OWN_PASSES, Phase, QUICKSAND, Refusal, Syrtis, notation, reason, render};
use crate::game::{Describe, Drawing, Encode, Game, Outcome, capitalized};
use tabuleiro_protocol::Cell;

impl Describe for Syrtis {
    const ID: &'static str = "syrtis";
    const NAME: &'static str = "Syrtis";
    const RULES: &'static str = include_str!("../../../../assets/rules/syrtis.md");
    const LESSON: Option<&'static str> = Some(include_str!("../../../../assets/lessons/syrtis.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../../../../assets/puzzles/syrtis.json"));

    type Refusal = Refusal;

    fn pieces() -> Vec<Piece> {
        let bare = Kind::ALL.map(|kind| Piece::new(kind.code(), &format!("a tile with a {kind}")));
        let towers = Side::BOTH.into_iter().flat_map(|side| {
            let letter = if side == Side::Light { "L" } else { "D" };
            Kind::ALL.into_iter().filter(move |kind| kind.carries(side)).map(move |kind| {
                let token = format!("{}{letter}", kind.code());
                Piece::new(&token, &format!("a {side} tower on a {kind}"))
            })
        });
        bare.into_iter().chain(towers).collect()
    }

    /// A tile, its circle or square, and a tower on it.
    fn drawn() -> Vec<TokenLook> {
        let of = |piece: Piece| {
            let letter = |place: usize| piece.token[place..].chars().next();
            let side =
                |sign| if matches!(sign, Some('l' | 'L')) { PieceSide::Light } else { PieceSide::Dark };
            let sign = if letter(1) == Some('c') { Form::Disc } else { Form::Cube };
            let look = |form, sign| TokenLook::new(&piece.token, form, side(sign));
            let tower = letter(2).map(|sign| look(Form::Pawn, Some(sign)).labelled(&sign.to_string()));
            [look(Form::Tile, letter(0)), look(sign, letter(0))].into_iter().chain(tower).collect::<Vec<_>>()
        };
        Self::pieces().into_iter().flat_map(of).collect()
    }

    fn start_members() -> Vec<StartMember> {
        let most = |bound: u8| i64::from(bound) - 1;
        let per_seat = |bound| MemberKind::PerSeat { min: 0, max: most(bound) };
        let seat = |optional| MemberKind::Seat { optional };
        // Two passes of each end the game at the latest.
        let streak = MemberKind::Integer { min: 0, max: 3 };
        vec![
            StartMember::to_move(),
            StartMember::new("light", seat(false), "Who plays light."),
            StartMember::new(
                "sinks",
                per_seat(QUICKSAND),
                "Tiles that each has sunk since the other's last sink.",
            ),
            StartMember::new("passes", per_seat(OWN_PASSES), "Passes of each, in a row of its own turns."),
            StartMember::new("streak", streak, "Passes in succession, of both together."),
            StartMember::new("last_sinker", seat(true), "Who sank the last tile."),
        ]
    }

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::choice(
                "layout",
                &["major", "minor"],
                "Major has 36 tiles on 7 by 7 cells; minor has 16 on 5 by 5, a short game to learn with.",
            ),
            OptionSpec::integer(
                "passes",
                2,
                1,
                2,
                "The game ends when each of you has passed this many times in a row.",
            ),
            OptionSpec::integer(
                "turn_limit",
                300,
                0,
                1000,
                "The game ends after this many turns, both players' together. 0 means no limit.",
            ),
        ]
    }

    fn phase(&self) -> &'static str {
        match self.position.phase {
            _ if self.position.outcome.is_some() => "over",
            Phase::Swap => "swap",
            Phase::Towers => "towers",
            Phase::Choose => "choose",
            Phase::Play => "play",
        }
    }

    fn prompt(&self) -> String {
        if self.position.outcome.is_some() {
            return String::new();
        }
        match self.position.phase {
            Phase::Swap => {
                let complete = Family::ALL.into_iter().filter(|&family| self.board().is_complete(family));
                let names: Vec<&str> = complete.map(Family::tiles).collect();
                format!("All {} are connected: swap the two tiles of a pair.", names.join(" and all "))
            }
            Phase::Towers => {
                let left = Side::BOTH.into_iter().filter(|&side| self.towers_left(side) > 0);
                let left: Vec<String> =
                    left.map(|side| format!("{} {side}", number(self.towers_left(side)))).collect();
                format!("Place a tower; still to place: {}.", left.join(" and "))
            }
            Phase::Choose => "Take a side, light or dark; light begins.".into(),
            Phase::Play => self.prompt_in_play(),
        }
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        match self.position.phase {
            Phase::Play => Seat::BOTH.map(|seat| Some(self.side(seat).name())),
            _ => [None; 2],
        }
    }

    fn rows(&self) -> Vec<String> {
        let size = self.rules.layout.size;
        let token = |row| move |column| self.board().token(Cell::new(column, row));
        (0..size).map(|row| (0..size).map(token(row)).collect::<Vec<_>>().join(" ")).collect()
    }

    fn counters(&self) -> Map<String, Value> {
        let now = &self.position;
        [
            ("sinks", json!(now.sinks)),
            ("passes", json!(now.passes)),
            ("streak", json!(now.streak)),
            ("last_sinker", json!(now.last_sinker)),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    fn write(&self, action: Action) -> String {
        notation::write(action)
    }

    fn read(&self, text: &str) -> Result<Action, Refusal> {
        notation::read(self, text)
    }

    fn detail(&self, action: Action) -> Detail {
        let (kind, cells) = match action {
            Action::Swap { pair } => ("swap", self.rules.layout.pair(pair).to_vec()),
            Action::Tower { cell, .. } => ("tower", vec![cell]),
            Action::Take(_) => ("side", vec![]),
            Action::Move { from, to } => ("move", vec![from, to]),
            Action::Slide { from, to } => ("slide", vec![from, to]),
            Action::Sink(cell) => ("sink", vec![cell]),
            Action::Pass => ("pass", vec![]),
        };
        Detail {
            action: notation::write(action),
            kind: kind.into(),
            cells: cells.iter().map(Cell::to_string).collect(),
            edge: None,
            label: match action {
                Action::Tower { side, .. } => Some(format!("{} tower", capitalized(side.name()))),
                Action::Take(side) => Some(format!("Take {side}")),
                Action::Pass => Some("Pass".into()),
                _ => None,
            },
            drag: None,
            text: self.sentence(action),
        }
    }

    fn things(token: &str) -> String {
        let colour = if token.starts_with('l') { "Light" } else { "Dark" };
        let shape = if token[1..].starts_with('c') { "circles" } else { "squares" };
        match token.chars().nth(2) {
            Some('L') => format!("{colour} {shape} with a light tower"),
            Some(_) => format!("{colour} {shape} with a dark tower"),
            None => format!("{colour} {shape}"),
        }
    }

    fn ending(&self, Outcome { winner, reason }: Outcome) -> String {
        let side = self.side(winner.unwrap_or(self.initiative()));
        let winning = capitalized(side.name());
        match reason {
            reason::QUICKSAND => {
                format!("{winning} wins by quicksand: {QUICKSAND} tiles sunk since the other’s last one.")
            }
            reason::ISLAND => {
                let complete = side.families().into_iter().filter(|&family| self.board().is_complete(family));
                let tiles: Vec<&str> = complete.map(Family::tiles).collect();
                format!("{winning} wins: all {} are connected.", tiles.join(" and all "))
            }
            _ => {
                let why = match reason {
                    reason::REPETITION => "the same position has come up for the third time".into(),
                    reason::TURN_LIMIT => {
                        format!("the limit of {} turns has been reached", self.rules.turn_limit)
                    }
                    _ if self.has_complete_island() => "both have a complete colour or shape".into(),
                    _ => "there have been too many passes".to_string(),
                };
                let merit = match self.position.last_sinker {
                    Some(_) => format!("{side} sank the last tile"),
                    None => "the initiative is light’s as long as no tile has sunk".into(),
                };
                format!("{winning} wins: {why}, and {merit}.")
            }
        }
    }

    fn facts(&self) -> Vec<Fact> {
        self.standing()
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.sights()
    }

    fn next_step(&self, cells: &[Cell]) -> Option<String> {
        let cell = cells[0];
        match self.position.phase {
            Phase::Play if self.board().tower(cell).is_some() => Some(
                "Choose the tile that the tower goes to, or an empty cell to which its tile drifts with it."
                    .into(),
            ),
            Phase::Towers if self.may_be_either(cell) => {
                Some(format!("A light tower or a dark one? Both may stand on {cell}."))
            }
            _ => None,
        }
    }

    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        self.why_not(cells)
    }

    fn events(&self, action: Action, after: &Syrtis) -> Vec<Event> {
        let what = self.happening(action);
        let touched = match action {
            Action::Swap { pair } => self.rules.layout.pair(pair).to_vec(),
            Action::Tower { cell, .. } | Action::Sink(cell) => vec![cell],
            Action::Move { from, to } | Action::Slide { from, to } => vec![from, to],
            Action::Take(_) | Action::Pass => vec![],
        };
        let set = touched.into_iter().map(|cell| (cell, after.board().token(cell)));
        let mut events = vec![Event::new(what, set)];
        if after.outcome().is_some_and(|outcome| outcome.reason != reason::QUICKSAND) {
            events.extend(after.complete_islands());
        }
        events
    }

    fn encoding(&self) -> Option<&dyn Encode<Action>> {
        Some(self)
    }

    fn render(&self, drawing: Drawing) -> String {
        render::text(self, drawing)
    }
}

impl Syrtis {
    fn prompt_in_play(&self) -> String {
        let choices = self.choices();
        let mut ways = Vec::new();
        if choices.moves != [NONE; 2] {
            ways.push("move a tower");
        }
        if choices.sinks != NONE {
            ways.push("sink a tile");
        }
        if choices.slides != [NONE; 2] {
            ways.push("slide a tile with its tower");
        }
        let side = capitalized(self.side(self.position.to_move).name());
        match ways.split_last() {
            None => format!("{side} has no move: pass."),
            Some((last, [])) => format!("{side}’s turn: {last}, or pass."),
            Some((last, others)) => format!("{side}’s turn: {}, {last}, or pass.", others.join(", ")),
        }
    }

    fn sentence(&self, action: Action) -> String {
        let kind = |cell| self.board().kind_of_tile(cell);
        match action {
            Action::Swap { pair } => {
                let [odd, even] = self.rules.layout.pair(pair);
                let [one, other] = [2 * pair + 1, 2 * pair + 2];
                format!(
                    "Swap tiles {one} and {other}: the {} on {odd} and the {} on {even}.",
                    kind(odd),
                    kind(even)
                )
            }
            Action::Tower { side, cell } => {
                format!("Place a {side} tower on the {} on {cell}.", kind(cell))
            }
            Action::Take(side @ Side::Light) => {
                format!("Take {side}: light tiles and circles are yours, and you begin.")
            }
            Action::Take(side @ Side::Dark) => {
                format!("Take {side}: dark tiles and squares are yours, and the other player begins.")
            }
            Action::Move { from, to } => {
                let side = self.side(self.position.to_move);
                format!("Move the {side} tower from {from} to the {} on {to}.", kind(to))
            }
            Action::Slide { from, to } => {
                format!("Slide the {} with its tower from {from} to {to}.", kind(from))
            }
            Action::Sink(cell) => format!("Sink the {} on {cell}.", kind(cell)),
            Action::Pass => "Pass.".into(),
        }
    }

    fn happening(&self, action: Action) -> Happening {
        let piece = |cell| self.board().token(cell);
        let path = |cells: Vec<Cell>| cells.iter().map(Cell::to_string).collect();
        match action {
            Action::Swap { pair } => {
                let cells = self.rules.layout.pair(pair);
                Happening::Swapped { cells: cells.map(|cell| cell.to_string()), pieces: cells.map(piece) }
            }
            Action::Tower { side, cell } => {
                Happening::Placed { piece: side.tower().into(), cell: cell.to_string() }
            }
            Action::Take(side) => {
                self.said(side.name(), format!("Seat {} takes {side}.", self.position.to_move))
            }
            Action::Move { from, to } => Happening::Moved {
                piece: self.side(self.position.to_move).tower().into(),
                path: path(self.way_of_tower(from, to)),
            },
            Action::Slide { from, to } => {
                let tiles = self.board().tiles;
                let water = rectangle(tiles) & !tiles | bit(from);
                Happening::Drifted { piece: piece(from), path: path(shortest_path(from, to, water)) }
            }
            Action::Sink(cell) => Happening::Sunk { piece: piece(cell), cell: cell.to_string() },
            Action::Pass => self.said("pass", format!("Seat {} passes.", self.position.to_move)),
        }
    }

    fn said(&self, word: &str, text: String) -> Happening {
        Happening::Said { seat: self.position.to_move, word: word.into(), text }
    }

    /// A shortest way for a tower over an island of its own side.
    fn way_of_tower(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let families = self.side(self.position.to_move).families();
        families
            .into_iter()
            .map(|family| flood(bit(from), self.board().family(family)))
            .filter(|island| island & bit(to) != NONE)
            .map(|island| shortest_path(from, to, island))
            .min_by_key(Vec::len)
            .expect("a legal move stays on an island")
    }

    fn has_complete_island(&self) -> bool {
        Family::ALL.into_iter().any(|family| self.board().is_complete(family))
    }

    /// An event for each colour and shape that is complete.
    fn complete_islands(&self) -> impl Iterator<Item = Event> {
        let complete = Family::ALL.into_iter().filter(|&family| self.board().is_complete(family));
        complete.map(|family| {
            Event::from(Happening::Island {
                seat: self.seat(family.owner()),
                name: family.name().into(),
                cells: each(self.board().family(family)).map(|cell| cell.to_string()).collect(),
            })
        })
    }
}

fn number(count: u32) -> &'static str {
    if count == 1 { "one" } else { "two" }
}
