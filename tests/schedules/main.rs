//! Every promise in many orders of threads: half of them at random, half with few and well placed
//! changes from one thread to the other, which is where most bugs are. A failure prints the schedule,
//! and `shuttle::replay` plays it again.

use tabuleiro_schedules::{client_queue, search_pool};

/// How many orders are tried of each kind. `SCHEDULES=1000000` tries more.
fn count() -> usize {
    std::env::var("SCHEDULES").ok().map_or(500, |count| count.parse().expect("SCHEDULES is a number"))
}

fn in_many_orders(promise: fn()) {
    shuttle::check_random(promise, count());
    shuttle::check_pct(promise, count(), 3);
}

#[test]
fn of_what_waits_for_a_client_nothing_is_lost_or_doubled() {
    in_many_orders(client_queue::nothing_is_lost_or_doubled);
}

#[test]
fn who_waits_for_room_gets_it() {
    in_many_orders(client_queue::who_waits_for_room_gets_it);
}

#[test]
fn nobody_waits_for_a_client_who_has_gone() {
    in_many_orders(client_queue::nobody_waits_for_one_who_has_gone);
}

#[test]
fn the_end_comes_after_all_that_was_there() {
    in_many_orders(client_queue::the_end_comes_after_all_that_was_there);
}

#[test]
fn every_search_comes_to_one_end() {
    in_many_orders(search_pool::everything_comes_to_one_end);
}

#[test]
fn who_leaves_the_line_either_leaves_or_begins() {
    in_many_orders(search_pool::who_leaves_either_leaves_or_begins);
}

#[test]
fn threads_that_help_make_room() {
    in_many_orders(search_pool::helpers_make_room);
}
