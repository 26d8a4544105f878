#![no_main]

use libfuzzer_sys::fuzz_target;
use tabuleiro_fuzz::record_loads_or_says_where;

fuzz_target!(|bytes: &[u8]| record_loads_or_says_where(bytes));
