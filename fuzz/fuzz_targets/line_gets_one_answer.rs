#![no_main]

use libfuzzer_sys::fuzz_target;
use tabuleiro_fuzz::line_gets_one_answer;

fuzz_target!(|bytes: &[u8]| line_gets_one_answer(bytes));
