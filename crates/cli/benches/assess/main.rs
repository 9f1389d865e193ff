//! `quittance assess --ndjson` over 100 MB of generated records of 2 kB to 2 MB, beside a pass that
//! only reads and parses the same lines and a Node program that only does the same; and the most memory that
//! it holds at a time over 1 GB.
//!
//! Everything is timed several times in turn and the best time counts, since other work on the
//! machine only ever adds. Figures are compared within one run.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on ends")]

mod records;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;

/// Bytes of the file that is timed.
const BYTES: usize = 100_000_000;
/// How often each pass is timed.
const ROUNDS: usize = 3;
/// How often the file is streamed to see what memory is held: 1 GB.
const STREAMED: usize = 10;

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.ndjson");
    let text = records::lines(BYTES);
    fs::write(&file, &text).unwrap();
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    println!("{lines} records, {:.0} MB", megabytes(text.len()));
    let jobs = std::thread::available_parallelism().unwrap().get();
    timed(text.len(), &file, jobs);
    for jobs in [1, jobs] {
        let most = most_memory(&text, jobs);
        let most =
            most.map_or("skipped: no /proc".to_owned(), |most| format!("held at most {most}"));
        println!("1 GB streamed, --jobs {jobs:<3}       {most}");
    }
}

/// Times each pass in turn, several times, and prints the best of each.
fn timed(bytes: usize, file: &Path, jobs: usize) {
    let passes: [(String, &dyn Fn() -> Option<Duration>); 4] = [
        ("read and parse only".to_owned(), &|| Some(parse_only(file))),
        ("assess --ndjson --jobs 1".to_owned(), &|| Some(assess(file, 1))),
        (format!("assess --ndjson --jobs {jobs}"), &|| Some(assess(file, jobs))),
        ("node, JSON.parse only".to_owned(), &|| node(file)),
    ];
    let mut best = [None; 4];
    for _ in 0..ROUNDS {
        for (best, (_, pass)) in best.iter_mut().zip(&passes) {
            *best = [*best, pass()].into_iter().flatten().min();
        }
    }
    let limit = best.first().copied().flatten().unwrap();
    for ((name, _), time) in passes.iter().zip(best) {
        let Some(time) = time else {
            println!("{name:<28} skipped: there is no `node`");
            continue;
        };
        let (seconds, limit) = (time.as_secs_f64(), limit.as_secs_f64());
        let rate = megabytes(bytes) / seconds;
        let share = limit / seconds;
        println!(
            "{name:<28} {:>8.1} ms {rate:>8.0} MB/s {share:>6.2} of parse only",
            seconds * 1e3
        );
    }
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

/// The limit: the file read line by line, and each line parsed into nothing.
fn parse_only(file: &Path) -> Duration {
    let start = Instant::now();
    let mut input = BufReader::with_capacity(256 * 1024, File::open(file).unwrap());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).unwrap() > 0 {
        std::hint::black_box(serde_json::from_slice::<IgnoredAny>(&line).unwrap());
        line.clear();
    }
    start.elapsed()
}

fn assess_command(jobs: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quittance"));
    command.args(["assess", "--ndjson", "--jobs"]).arg(jobs.to_string());
    command
}

fn assess(file: &Path, jobs: usize) -> Duration {
    let mut command = assess_command(jobs);
    command.stdin(File::open(file).unwrap()).stdout(Stdio::null());
    let start = Instant::now();
    assert!(command.status().unwrap().success());
    start.elapsed()
}

fn node(file: &Path) -> Option<Duration> {
    let mut command = Command::new("node");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/assess/parse.js");
    command.arg(program).arg(file).stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    match command.status() {
        Err(absent) if absent.kind() == io::ErrorKind::NotFound => None,
        status => status.unwrap().success().then(|| start.elapsed()),
    }
}

/// Streams the text several times and reads the program's own peak before it sees the end.
fn most_memory(text: &[u8], jobs: usize) -> Option<String> {
    let mut child =
        assess_command(jobs).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for _ in 0..STREAMED {
        input.write_all(text).unwrap();
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
    drop(input);
    assert!(child.wait().unwrap().success());
    let status = status.ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(peak.trim().to_owned())
}
