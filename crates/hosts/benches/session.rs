//! A generated session of 60 MB in one turn: reading, lifecycles and snapshot beside the least that
//! any reader pays, and 200 boundaries over the same file as it grows.
//!
//! The mix of the bytes is that of measured sessions: calls 40 %, results 26 %, a person's words
//! 21 %, thinking 9 %, the agent's words 4 %. No line can be skipped by its header.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot go on stops"
)]

use std::cell::Cell;
use std::fmt::Write as _;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::BytesCount;
use quittance_evidence::canonical::Digester;
use quittance_evidence::{Boundary, Digest, EvidenceBuilder, Snapshot};
use quittance_hosts::{ReadOptions, Reader, Session};
use serde::de::IgnoredAny;
use serde_json::Value;

fn main() {
    divan::main();
}

/// Bytes of the whole session.
const BYTES: usize = 60_000_000;
/// Lines of one round: thinking, words, a reminder, a call, its result.
const ROUND: usize = 5;
/// Boundaries over it.
const BOUNDARIES: usize = 200;

static SESSION: LazyLock<Vec<u8>> = LazyLock::new(generate);

/// Text with what text has: line breaks, quotes, a few letters beyond ASCII.
fn prose(bytes: usize, seed: usize) -> String {
    let words = [
        "let value = parse(\\\"input\\\");\\n",
        "naïve ",
        "fn check() {\\n    ",
        "lorem ",
        "0x1f, ",
    ];
    let mut text = String::with_capacity(bytes + 40);
    let mut at = seed;
    while text.len() < bytes {
        text.push_str(words[at % words.len()]);
        at = at.wrapping_mul(31).wrapping_add(7);
    }
    text
}

fn generate() -> Vec<u8> {
    let mut out = String::with_capacity(BYTES + 100_000);
    let mut number = 0usize;
    // A person's words inside a turn are rare; a host's reminders have the same shape and weight.
    let mut line = |out: &mut String, kind: &str, message: &str| {
        let meta = message.contains("<system-reminder>");
        let parent = if number == 0 {
            "null".to_owned()
        } else {
            format!("\"00000000-0000-4000-8000-{number:012}\"")
        };
        number += 1;
        writeln!(
            out,
            "{{\"parentUuid\":{parent},\"isSidechain\":false,\"isMeta\":{meta},\"userType\":\"external\",\"cwd\":\"/repo\",\
             \"sessionId\":\"5e551000-0000-4000-8000-000000000001\",\"version\":\"2.1.332\",\
             \"gitBranch\":\"main\",\"type\":\"{kind}\",\"message\":{message},\
             \"uuid\":\"00000000-0000-4000-8000-{number:012}\",\
             \"timestamp\":\"2026-11-30T10:00:00.000Z\"}}"
        )
        .unwrap();
    };
    line(&mut out, "user", "{\"role\":\"user\",\"content\":\"Make it so.\"}");
    let mut round = 0usize;
    while out.len() < BYTES {
        round += 1;
        let (thought, said) = (prose(1_400, round), prose(600, round + 1));
        let (code, shown) = (prose(6_200, round + 2), prose(4_000, round + 3));
        let block = |block: &str, stop: &str| {
            format!(
                "{{\"id\":\"msg_{round}\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\
                 \"content\":[{block}],\"stop_reason\":\"{stop}\"}}"
            )
        };
        let thinking =
            format!("{{\"type\":\"thinking\",\"thinking\":\"{thought}\",\"signature\":\"s\"}}");
        line(&mut out, "assistant", &block(&thinking, "tool_use"));
        line(
            &mut out,
            "assistant",
            &block(&format!("{{\"type\":\"text\",\"text\":\"{said}\"}}"), "tool_use"),
        );
        let reminder = prose(3_200, round + 4);
        line(
            &mut out,
            "user",
            &format!("{{\"role\":\"user\",\"content\":\"<system-reminder>{reminder}\"}}"),
        );
        let tool = ["Write", "Bash", "Read"][round % 3];
        let call = format!(
            "{{\"type\":\"tool_use\",\"id\":\"toolu_{round}\",\"name\":\"{tool}\",\"input\":\
             {{\"file_path\":\"src/f{}.rs\",\"command\":\"make t{round}\",\"content\":\"{code}\"}}}}",
            round % 40
        );
        line(&mut out, "assistant", &block(&call, "tool_use"));
        line(
            &mut out,
            "user",
            &format!(
                "{{\"role\":\"user\",\"content\":[{{\"tool_use_id\":\"toolu_{round}\",\
                 \"type\":\"tool_result\",\"content\":\"{shown}\",\"is_error\":false}}]}}"
            ),
        );
    }
    let done = "{\"id\":\"msg_last\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\
                \"content\":[{\"type\":\"text\",\"text\":\"Done.\"}],\"stop_reason\":\"end_turn\"}";
    line(&mut out, "assistant", done);
    out.into_bytes()
}

/// A file of which only a part is written yet.
struct Growing<'a> {
    bytes: &'a [u8],
    end: &'a Cell<usize>,
    at: usize,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Growing<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.bytes[self.at.min(self.end.get())..self.end.get()])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Seek for Growing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (end, at) = (self.end.get() as u64, self.at as u64);
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => end.checked_add_signed(offset),
            SeekFrom::Current(offset) => at.checked_add_signed(offset),
        };
        let target = target.ok_or(io::ErrorKind::InvalidInput)?;
        self.at = usize::try_from(target).map_err(|_| io::ErrorKind::InvalidInput)?;
        Ok(target)
    }
}

fn snapshot(session: &mut Session<EvidenceBuilder>) -> Snapshot {
    let boundary = Boundary {
        task: session.turn.task.clone(),
        stop_reason: session.turn.stop.as_str().to_owned(),
        text: session.turn.candidate().to_owned(),
        ..Boundary::default()
    };
    session.turn.rows.snapshot(boundary)
}

fn bytes() -> BytesCount {
    BytesCount::new(SESSION.len())
}

/// The first limit: every line is parsed and nothing is kept.
#[divan::bench(sample_count = 10)]
fn a_parse_only(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench(|| {
        for line in SESSION.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            serde_json::from_slice::<IgnoredAny>(line).unwrap();
        }
    });
}

/// The second limit: SHA-256 of the raw bytes.
#[divan::bench(sample_count = 10)]
fn b_sha256_of_the_bytes(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench(|| Digest::of_bytes(&SESSION));
}

/// For comparison: every line becomes a tree and its canonical text is digested.
#[divan::bench(sample_count = 5)]
fn c_trees_and_canonical_digest(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench(|| {
        let mut digester = Digester::new();
        for line in SESSION.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            digester.push(&serde_json::from_slice::<Value>(line).unwrap());
        }
        digester.finish()
    });
}

/// Read, lifecycles and snapshot, cold.
#[divan::bench(sample_count = 5)]
fn d_read_and_snapshot(bencher: Bencher<'_, '_>) {
    bencher.counter(bytes()).bench(|| {
        let input = io::Cursor::new(&SESSION[..]);
        let mut session = quittance_hosts::read(input, ReadOptions::default()).unwrap();
        snapshot(&mut session)
    });
}

/// The same file as it grows: a snapshot at each of 200 boundaries.
#[divan::bench(sample_count = 5)]
fn e_two_hundred_boundaries(bencher: Bencher<'_, '_>) {
    // A run proposes to stop when a message of its own is whole: after every fifth line of a round.
    let ends = SESSION.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let ends: Vec<usize> = ends.map(|(at, _)| at + 1).collect();
    let lines: Vec<usize> = ends.iter().skip(ROUND).step_by(ROUND).copied().collect();
    bencher.counter(bytes()).bench(|| {
        let end = Cell::new(0);
        let input = Growing { bytes: &SESSION, end: &end, at: 0 };
        let mut reader = Reader::open(input, ReadOptions::default());
        let mut last = None;
        for boundary in 1..=BOUNDARIES {
            end.set(lines[lines.len() * boundary / BOUNDARIES - 1]);
            reader.read_to_end().unwrap();
            last = Some(snapshot(reader.session_mut().unwrap()));
        }
        last
    });
}
