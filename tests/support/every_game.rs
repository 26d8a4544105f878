//! The games that tests go through, in one list. A table that leaves a game out does not compile,
//! and the list itself is compared with what the engine offers: a game cannot be forgotten.
#![allow(unused_macros, reason = "some test programs need only one of them")]

/// The ids of all games, in the engine's order; with a row for each of them, pairs of ids and
/// values.
macro_rules! every_game {
    () => {
        ["zurero", "fabrik", "absorption", "syrtis"]
    };
    (zurero: $zurero:expr, fabrik: $fabrik:expr, absorption: $absorption:expr, syrtis: $syrtis:expr $(,)?) => {
        [("zurero", $zurero), ("fabrik", $fabrik), ("absorption", $absorption), ("syrtis", $syrtis)]
    };
}

/// One test of every game, named by its id. `test_every_game!(check)` calls `check(id)`, and
/// `test_every_game!(check::<G>)` calls it with the type of the game instead. A table behind it has
/// a row for every game: a list of further arguments in parentheses for each call. Attributes such
/// as `#[ignore]` may stand before it.
macro_rules! test_every_game {
    ($(#[$attribute:meta])* $function:ident $(::<$type:ident>)?) => {
        test_every_game!(
            $(#[$attribute])* $function $(::<$type>)?,
            { zurero: [()], fabrik: [()], absorption: [()], syrtis: [()] }
        );
    };
    ($(#[$attribute:meta])* $function:ident $(::<$type:ident>)?, $table:tt) => {
        test_every_game!(@table ($(#[$attribute])* $function $(::<$type>)?) $table);
    };
    (@table $call:tt {
        zurero: $zurero:tt, fabrik: $fabrik:tt, absorption: $absorption:tt, syrtis: $syrtis:tt $(,)?
    }) => {
        test_every_game!(@test $call zurero Zurero $zurero);
        test_every_game!(@test $call fabrik Fabrik $fabrik);
        test_every_game!(@test $call absorption Absorption $absorption);
        test_every_game!(@test $call syrtis Syrtis $syrtis);
    };
    (@test ($(#[$attribute:meta])* $function:ident::<G>) $id:ident $game:ident [$(($($argument:expr),*)),+ $(,)?]) => {
        #[test]
        $(#[$attribute])*
        fn $id() {
            $($function::<tabuleiro_engine::games::$id::$game>($($argument),*);)+
        }
    };
    (@test ($(#[$attribute:meta])* $function:ident) $id:ident $game:ident [$(($($argument:expr),*)),+ $(,)?]) => {
        #[test]
        $(#[$attribute])*
        fn $id() {
            $($function(stringify!($id) $(, $argument)*);)+
        }
    };
}
