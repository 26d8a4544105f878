//! Documents that say what is so: their examples are run against the real engine process.

#[path = "../support/engine_process.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod engine_process;
mod levels;
#[path = "../support/match_reports.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod match_reports;
mod readme;
mod reference;
#[cfg(unix)]
mod scale_out;
