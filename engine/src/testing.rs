//! What must hold at every step of every game: for the tests of our games, and of games that others
//! add.
//!
//! Everything here panics with the position in which something does not hold.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;
use tabuleiro_protocol::{Detail, Event, Planes, Seat};

use crate::game::{Charset, Describe, Drawing, Encode, Game, GameOptions, space};
use crate::random::Random;
use crate::search::{Evaluate, FeatureSet};
use tabuleiro_protocol::Cell;

/// A game's options from JSON such as `{"size":9}`.
pub fn options<G: Describe>(json: &Value) -> GameOptions {
    let given = json.as_object().expect("options are an object");
    GameOptions::check(&G::options(), given).unwrap_or_else(|bad| panic!("{json}: {bad}"))
}

/// The legal actions as text, sorted.
pub fn legal<G: Describe>(game: &G) -> Vec<String> {
    let mut texts: Vec<String> = actions(game).into_iter().map(|action| game.write(action)).collect();
    texts.sort();
    texts
}

fn actions<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}

/// Plays random games of so many actions at most and looks at every position on the way: undoing
/// leads back, hashes kept up to date are those worked out anew, spellings are read as they are
/// written, details can be shown, events lead to the rows, evaluations of the two seats are
/// opposite, codes are read as they are written and planes tell positions apart.
pub fn random_games_hold<G: Describe + Evaluate>(options: &GameOptions, games: u64, most_actions: usize) {
    let mut planes = PlanesSeen::default();
    for seed in 0..games {
        let mut game = G::start(options, seed);
        let mut random = Random::new(seed);
        for _ in 0..most_actions {
            if game.outcome().is_some() {
                break;
            }
            planes.look(&game);
            game = step(game, &mut random);
        }
        position_holds(&game);
    }
}

fn step<G: Describe + Evaluate>(game: G, random: &mut Random) -> G {
    position_holds(&game);
    let actions = actions(&game);
    let mut chosen = None;
    // Every action would be too slow on the larger boards; over many games every kind comes up.
    for _ in 0..3 {
        let action = random.pick(&actions).expect("a game that is not over has an action");
        chosen = Some(action_holds(&game, action));
    }
    chosen.expect("three were tried")
}

/// Looks at a legal action, and gives the position that it leads to.
pub fn action_holds<G: Describe>(game: &G, action: G::Action) -> G {
    let text = game.write(action);
    let mut after = game.clone();
    let undo = after.play(action);
    assert_eq!(after.hash(), after.hash_from_scratch(), "hash after {text} in\n{game:?}");
    let events = game.events(action, &after);
    let rows = game.rows();
    assert_eq!(rows_after(&rows, &events), after.rows(), "events of {text}: {events:?}");
    let mut back = after.clone();
    back.undo(action, undo);
    assert_eq!(back, *game, "{text} played and undone");
    let detail = game.detail(action);
    assert_eq!(detail.action, text);
    assert!(!detail.text.is_empty() && !detail.kind.is_empty(), "{detail:?}");
    assert!(detail.cells.iter().all(|cell| is_on_board(&rows, cell)), "{detail:?}");
    assert!(detail.label.is_some() || !detail.cells.is_empty(), "{detail:?}");
    after
}

/// Looks at a position.
pub fn position_holds<G: Describe + Evaluate>(game: &G) {
    let actions = actions(game);
    let is_over = game.outcome().is_some();
    assert_eq!(is_over, actions.is_empty(), "over or able to act, and never both:\n{game:?}");
    let texts: HashSet<String> = actions.iter().map(|&action| game.write(action)).collect();
    assert_eq!(texts.len(), actions.len(), "an action twice, or two with one spelling:\n{game:?}");
    for &action in &actions {
        let text = game.write(action);
        for spelling in [text.clone(), text.to_uppercase(), text.to_lowercase()] {
            match game.read(&spelling) {
                Ok(read) => assert_eq!(read, action, "{spelling}"),
                Err(refusal) => panic!("{spelling} is legal but was refused: {refusal}\n{game:?}"),
            }
        }
    }
    assert_eq!(game.hash(), game.hash_from_scratch(), "{game:?}");
    assert_eq!(game.prompt().is_empty(), is_over, "{game:?}");
    assert_eq!(game.phase() == "over", is_over, "{game:?}");
    if let Some(outcome) = game.outcome() {
        let ending = game.ending(outcome);
        assert!(ending.starts_with(char::is_uppercase) && ending.ends_with('.'), "{ending}");
    }
    // What takes longest is looked at in some of the positions, whichever they are.
    if game.hash().is_multiple_of(3) {
        let hashes: HashSet<u64> = actions.iter().map(hash_of).collect();
        assert_eq!(hashes.len(), actions.len(), "two actions with one hash:\n{game:?}");
        can_be_pointed_at(actions.iter().map(|&action| game.detail(action)).collect());
        if let Some(encoding) = game.encoding() {
            numbers_hold(game, encoding);
        }
    }
    let rows = game.rows();
    for overlay in game.overlays() {
        assert!(overlay.cells.iter().all(|cell| is_on_board(&rows, cell)), "{overlay:?}");
        assert!(overlay.text.ends_with('.'), "{overlay:?}");
    }
    assert!(game.render(Charset::Ascii.into()).is_ascii());
    assert!(!game.render(Charset::Unicode.into()).is_empty());
    // Whichever side it is seen from, the signs are the same.
    let [upright, turned] = [false, true].map(|turned| {
        let drawing = game.render(Drawing { charset: Charset::Ascii, turned });
        let mut signs: Vec<char> = drawing.chars().filter(|sign| !sign.is_whitespace()).collect();
        signs.sort_unstable();
        signs
    });
    assert_eq!(upright, turned);
    if !is_over {
        let worth = |seat| game.evaluate(seat, &game.shipped_weights());
        assert_eq!(worth(Seat::One), -worth(Seat::Two), "{game:?}");
        let mut features = FeatureSet::EMPTY;
        game.features(&mut features);
        let count = game.inputs().map_or(0, |inputs| inputs.count());
        assert!(features.members().all(|feature| usize::from(feature) < count), "{game:?}");
    }
}

/// What histories of the search know an action by.
fn hash_of(action: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    action.hash(&mut hasher);
    hasher.finish()
}

/// Actions for which the same is to be pointed at (the first cell, then the others in any order; an
/// edge says what the others are) are told apart by their labels.
fn can_be_pointed_at(details: Vec<Detail>) {
    let mut labels: HashMap<Vec<String>, Vec<Option<String>>> = HashMap::new();
    for detail in details {
        let mut cells = detail.cells;
        cells.truncate(if detail.edge.is_some() { 1 } else { cells.len() });
        if let Some(others) = cells.get_mut(1..) {
            others.sort();
        }
        labels.entry(cells).or_default().push(detail.label);
    }
    for (cells, labels) in labels.into_iter().filter(|(_, labels)| labels.len() > 1) {
        let different: HashSet<_> = labels.iter().flatten().collect();
        assert_eq!(different.len(), labels.len(), "actions with the cells {cells:?}: {labels:?}");
    }
}

fn numbers_hold<G: Describe>(game: &G, encoding: &dyn Encode<G::Action>) {
    let space = space(encoding);
    let mut codes = Vec::new();
    for action in actions(game) {
        let (text, code) = (game.write(action), encoding.code(action));
        assert!(code.iter().all(|&number| number < space.size), "{text} is {code:?}");
        assert!((1..=space.longest).contains(&code.len()), "{text} is {code:?}");
        assert_eq!(encoding.decode(&code), Some(action), "{text} is {code:?}");
        assert_eq!(encoding.spelt(&text.to_lowercase()), Some(action), "{text}");
        codes.push(code);
    }
    // Whatever begins with a code comes right behind it.
    codes.sort();
    let beginning = codes.windows(2).find(|pair| pair[1].starts_with(&pair[0]));
    assert_eq!(beginning, None, "one code begins with the other in\n{game:?}");
    let [one, two] = Seat::BOTH.map(|seat| encoding.planes(seat));
    assert_eq!(one.space(), space.planes, "the planes depend on the options alone");
    let [one, two] = [one, two].map(Planes::from);
    let cells = space.planes.shape[1] * space.planes.shape[2];
    let names = &space.planes.names;
    assert_eq!(names.len(), names.iter().collect::<HashSet<_>>().len(), "{names:?}");
    let [one, two] = [&one, &two].map(|planes| planes.data.chunks(cells).collect::<Vec<_>>());
    for (index, name) in names.iter().enumerate() {
        let highest = one[index].iter().chain(two[index]).max().copied().unwrap_or_default();
        assert!(highest <= space.planes.high[index], "{highest} in the plane {name} of\n{game:?}");
        // What is one's own is the enemy's to the other, as soon as it is settled whose it is.
        let as_enemy = name.replace("own", "enemy");
        let other = names.iter().position(|name| *name == as_enemy).filter(|&other| other != index);
        if let Some(other) = other.filter(|_| game.sides()[0].is_some()) {
            assert_eq!(one[index], two[other], "{name} and {as_enemy} in\n{game:?}");
            assert_eq!(two[index], one[other], "{name} and {as_enemy} in\n{game:?}");
        }
    }
}

/// Holds that planes are different where positions are, and only there. Past positions count for a
/// hash only as far as the plane `repeated` says.
#[derive(Default)]
struct PlanesSeen {
    hashes: HashMap<(Seat, Vec<u16>), u64>,
    planes: HashMap<u64, Vec<u16>>,
}

impl PlanesSeen {
    /// Looks at a position of a game that is not over.
    fn look<G: Describe>(&mut self, game: &G) {
        let Some(encoding) = game.encoding() else { return };
        let stack = encoding.planes(game.to_move());
        let space = stack.space();
        let cells = space.shape[1] * space.shape[2];
        let mut data = Planes::from(stack).data;
        if let Some(repeated) = space.names.iter().position(|name| name == "repeated") {
            data.drain(repeated * cells..(repeated + 1) * cells);
        }
        let hash = game.hash();
        let with_these = *self.hashes.entry((game.to_move(), data.clone())).or_insert(hash);
        assert_eq!(with_these, hash, "another position has the same planes:\n{game:?}");
        let of_this = self.planes.entry(hash).or_insert_with(|| data.clone());
        assert_eq!(*of_this, data, "the same position has had other planes:\n{game:?}");
    }
}

fn is_on_board(rows: &[String], cell: &str) -> bool {
    cell.parse::<Cell>().is_ok_and(|cell| {
        let row = rows.get(usize::from(cell.row));
        row.is_some_and(|row| usize::from(cell.column) < row.split(' ').count())
    })
}

/// The rows after some events, by someone who knows no rules.
pub fn rows_after(rows: &[String], events: &[Event]) -> Vec<String> {
    let mut cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
    for (cell, token) in events.iter().flat_map(|event| &event.set) {
        let cell = cell.parse::<Cell>().expect("a cell");
        cells[usize::from(cell.row)][usize::from(cell.column)] = token;
    }
    cells.into_iter().map(|row| row.join(" ")).collect()
}

/// Draws actions at random in one position and compares how often each came up (chi square, far out
/// in the tail). For games that have a [`Game::random_action`] of their own.
pub fn random_actions_are_uniform<G: Describe>(game: &G, seed: u64) {
    const TIMES: usize = 400;
    let actions = actions(game);
    let mut counts = vec![0usize; actions.len()];
    let mut random = Random::new(seed);
    let mut scratch = Vec::new();
    for _ in 0..TIMES * actions.len() {
        let drawn = game.random_action(&mut random, &mut scratch).expect("the game is not over");
        let index = actions.iter().position(|&action| action == drawn);
        counts[index.unwrap_or_else(|| panic!("{} is not legal", game.write(drawn)))] += 1;
    }
    let expected = TIMES as f64;
    let chi_square: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    let freedom = (actions.len() - 1) as f64;
    let far_out = freedom + 6.0 * (2.0 * freedom).sqrt() + 1.0;
    assert!(chi_square <= far_out, "chi square {chi_square:.1}, expected about {freedom}\n{game:?}");
}
