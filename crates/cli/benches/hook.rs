//! `quittance hook claude-code` as a whole process, without verifier and judge: warm, on 5 MB in fifty
//! turns with nothing new, and with one turn more at each; cold, on the same and on 60 MB in one
//! turn, with a ledger that never saw the file.
//!
//! Each is run several times in turn; the median counts. Figures are compared within one run.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on ends")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How often each is run.
const ROUNDS: usize = 31;

fn main() {
    // `cargo test --benches` only wants to know whether this builds.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let small = Host::with(5_000_000, 50);
    small.hook();
    let warm = median((0..ROUNDS).map(|_| small.hook()));
    let cold = median((0..ROUNDS / 4).map(|_| small.afresh()));
    let grown = Host::with(5_000_000, 50);
    grown.hook();
    let grown = median((0..ROUNDS).map(|round| grown.after_a_turn(round)));
    let large = Host::with(60_000_000, 1);
    let whole = median((0..ROUNDS / 4).map(|_| large.afresh()));
    let started = median((0..ROUNDS).map(|_| started()));
    for (name, time) in [
        ("start alone (--version)", started),
        ("warm, 5 MB in 50 turns", warm),
        ("warm, one turn of 100 kB more", grown),
        ("cold, the same", cold),
        ("cold, 60 MB in one turn", whole),
    ] {
        println!("{name:<30} {:>8.1} ms", time.as_secs_f64() * 1e3);
    }
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn started() -> Duration {
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_quittance"));
    assert!(command.arg("--version").stdout(Stdio::null()).status().unwrap().success());
    start.elapsed()
}

/// A home, a project with a trusted policy, and a session.
struct Host {
    folder: tempfile::TempDir,
}

impl Host {
    fn with(bytes: usize, turns: usize) -> Self {
        let host = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(host.path("project/.git")).unwrap();
        fs::create_dir(host.path("home")).unwrap();
        let policy = "version = 1\n[contract]\nartifacts = [\"dist/out.js\"]\n";
        fs::write(host.path("project/quittance.toml"), policy).unwrap();
        fs::write(host.path("session.jsonl"), session(bytes, turns)).unwrap();
        assert!(host.command("trust").status().unwrap().success());
        host
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, word: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quittance"));
        command.arg(word).current_dir(self.path("project")).env("HOME", self.path("home"));
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        command.stdout(Stdio::null());
        command
    }

    fn hook(&self) -> Duration {
        let stdin = json!({
            "session_id": "s", "transcript_path": self.path("session.jsonl"),
            "cwd": self.path("project"), "prompt_id": "p", "hook_event_name": "Stop",
            "stop_hook_active": false, "last_assistant_message": "All done.",
        });
        let start = Instant::now();
        let mut command = self.command("hook");
        let mut child = command.arg("claude-code").stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(stdin.to_string().as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        start.elapsed()
    }

    /// A hook at the end of one more turn.
    fn after_a_turn(&self, round: usize) -> Duration {
        let path = self.path("session.jsonl");
        let mut lines = Lines::from(fs::read_to_string(&path).unwrap());
        lines.turn(51 + round, 100_000);
        fs::write(&path, lines.text).unwrap();
        self.hook()
    }

    /// A hook whose ledger never saw the file.
    fn afresh(&self) -> Duration {
        remove(&self.path("home/.local"));
        self.hook()
    }
}

fn remove(folder: &Path) {
    if folder.exists() {
        fs::remove_dir_all(folder).unwrap();
    }
}

/// Turns of calls that write, each with its result; about as much text in calls as in results.
fn session(bytes: usize, turns: usize) -> String {
    let mut lines = Lines { text: String::new(), count: 0 };
    for turn in 1..=turns {
        lines.turn(turn, bytes / turns);
    }
    lines.text
}

struct Lines {
    text: String,
    count: usize,
}

impl From<String> for Lines {
    fn from(text: String) -> Self {
        Self { count: text.lines().count(), text }
    }
}

impl Lines {
    /// A turn of about so many bytes.
    fn turn(&mut self, turn: usize, bytes: usize) {
        let end = self.text.len() + bytes;
        self.push("user", &json!({"role": "user", "content": format!("Make it so, {turn}.")}));
        let mut round = 0;
        while self.text.len() < end {
            round += 1;
            self.round(turn, round);
        }
        let content = json!([{"type": "text", "text": "All done."}]);
        let end = json!({"id": format!("e{turn}"), "content": content, "stop_reason": "end_turn"});
        self.push("assistant", &end);
    }

    fn round(&mut self, turn: usize, round: usize) {
        let (message, call) = (format!("m{turn}-{round}"), format!("t{turn}-{round}"));
        let input = json!({"file_path": format!("f{round}.rs"), "content": prose(3000, round)});
        let block = json!({"type": "tool_use", "id": call, "name": "Write", "input": input});
        let said = json!({"type": "text", "text": prose(300, round)});
        self.push("assistant", &json!({"id": message, "content": [said, block]}));
        let result =
            json!({"type": "tool_result", "tool_use_id": call, "content": prose(2500, round)});
        self.push("user", &json!({"role": "user", "content": [result]}));
    }

    fn push(&mut self, kind: &str, message: &Value) {
        let id = |count: usize| format!("00000000-0000-4000-8000-{count:012}");
        let parent = (self.count > 0).then(|| id(self.count));
        self.count += 1;
        let line = json!({
            "type": kind, "uuid": id(self.count), "parentUuid": parent, "sessionId": "s",
            "isSidechain": false, "message": message,
        });
        writeln!(self.text, "{line}").unwrap();
    }
}

fn prose(bytes: usize, seed: usize) -> String {
    let words = ["let value = parse(\"input\");\n", "naïve ", "fn check() {\n    ", "lorem "];
    let mut text = String::with_capacity(bytes + 40);
    let mut at = seed;
    while text.len() < bytes {
        text.push_str(words.get(at % words.len()).unwrap());
        at = at.wrapping_mul(31).wrapping_add(7);
    }
    text
}
