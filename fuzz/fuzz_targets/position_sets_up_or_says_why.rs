#![no_main]

use libfuzzer_sys::fuzz_target;
use tabuleiro_fuzz::position_sets_up_or_says_why;

fuzz_target!(|bytes: &[u8]| position_sets_up_or_says_why(bytes));
