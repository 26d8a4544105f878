//! What a client waits for, through real pipes: `cargo bench -p tabuleiro-engine --bench pipe`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use criterion::{Criterion, criterion_group, criterion_main};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabuleiro-engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("its input is a pipe");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        Engine { child, input, output }
    }

    fn ask(&mut self, request: &str) -> String {
        self.input.write_all(request.as_bytes()).and_then(|()| self.input.flush()).expect("it reads");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("it answers");
        assert!(answer.contains("\"result\""), "{answer}");
        answer
    }

    fn finish(self) {
        let Engine { mut child, input, output } = self;
        drop((input, output));
        child.wait().expect("it ends");
    }
}

fn pipe(criterion: &mut Criterion) {
    criterion.bench_function("from start to the answer to hello", |bencher| {
        bencher.iter_custom(|times| {
            let mut total = std::time::Duration::ZERO;
            for _ in 0..times {
                let began = std::time::Instant::now();
                let mut engine = Engine::start();
                engine.ask("{\"id\":1,\"method\":\"hello\"}\n");
                total += began.elapsed();
                engine.finish();
            }
            total
        });
    });

    let mut engine = Engine::start();
    engine.ask("{\"id\":1,\"method\":\"new\",\"params\":{\"game\":\"zurero\"}}\n");
    engine.ask("{\"id\":1,\"method\":\"play\",\"params\":{\"table\":\"t1\",\"actions\":[\"@j10\"]}}\n");
    criterion.bench_function("round trip of play", |bencher| {
        bencher.iter_custom(|times| {
            let mut total = std::time::Duration::ZERO;
            for _ in 0..times {
                let began = std::time::Instant::now();
                engine.ask(
                    "{\"id\":1,\"method\":\"play\",\"params\":{\"table\":\"t1\",\"actions\":[\"w10\"]}}\n",
                );
                total += began.elapsed();
                engine.ask("{\"id\":1,\"method\":\"undo\",\"params\":{\"table\":\"t1\"}}\n");
            }
            total
        });
    });
    engine.finish();
}

criterion_group!(benches, pipe);
criterion_main!(benches);
