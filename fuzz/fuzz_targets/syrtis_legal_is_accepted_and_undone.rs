#![no_main]

use libfuzzer_sys::fuzz_target;
use tabuleiro_engine::games::syrtis::Syrtis;
use tabuleiro_fuzz::legal_is_accepted_and_undone;

fuzz_target!(|bytes: &[u8]| legal_is_accepted_and_undone::<Syrtis>(bytes));
