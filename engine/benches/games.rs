//! Random playouts and perft of every game, one thread:
//! `cargo bench -p tabuleiro-engine --bench games`.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tabuleiro_engine::game::{Describe, GameOptions};
use tabuleiro_engine::games::{absorption::Absorption, fabrik::Fabrik, syrtis::Syrtis, zurero::Zurero};
use tabuleiro_engine::perft::perft;
use tabuleiro_engine::playout::playout;
use tabuleiro_engine::random::Random;

/// Playouts in one measured step, so that long and short games even out.
const PLAYOUTS: u64 = 200;

fn measure<G: Describe>(criterion: &mut Criterion, perft_depth: u32) {
    let start = G::start(&GameOptions::default_of(&G::options()), 1);
    let mut group = criterion.benchmark_group(G::ID);
    group.sample_size(20);

    let mut scratch = Vec::new();
    let mut play_all = || -> u64 {
        let mut random = Random::new(1);
        (0..PLAYOUTS)
            .map(|_| playout(&mut start.clone(), &mut random, usize::MAX, &mut scratch).1 as u64)
            .sum()
    };
    group.throughput(Throughput::Elements(play_all()));
    group.bench_function("playouts", |bencher| bencher.iter(|| black_box(play_all())));

    let never = AtomicBool::new(false);
    let count = || perft(&mut start.clone(), perft_depth, &never).expect("nobody stops it");
    group.throughput(Throughput::Elements(count()));
    group.bench_function("perft", |bencher| bencher.iter(|| black_box(count())));
    group.finish();
}

fn games(criterion: &mut Criterion) {
    measure::<Zurero>(criterion, 6);
    measure::<Fabrik>(criterion, 3);
    measure::<Absorption>(criterion, 3);
    measure::<Syrtis>(criterion, 3);
}

criterion_group!(benches, games);
criterion_main!(benches);
