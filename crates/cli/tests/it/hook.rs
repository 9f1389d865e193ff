//! The hook, run as a host runs it: a process of its own at each boundary, in a home and a project
//! of its own.

mod bugs;
mod failing;
mod going_on;
mod kills;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::top;

pub(crate) struct Host {
    folder: TempDir,
}

const POLICY: &str = "version = 1\n[contract]\nartifacts = [\"dist/out.js\"]\n\
                      [verify]\ncommand = \"echo ran >> ran.txt; test -s dist/out.js\"\n";

impl Host {
    /// A project with an example's session, and a policy that nobody trusts yet.
    fn with(example: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Self { folder };
        std::fs::create_dir_all(host.project().join("dist")).unwrap();
        std::fs::create_dir_all(host.home()).unwrap();
        std::fs::create_dir(host.project().join(".git")).unwrap();
        let session = top().join("examples").join(example).join("session.jsonl");
        std::fs::copy(session, host.transcript()).unwrap();
        std::fs::write(host.project().join("quittance.toml"), POLICY).unwrap();
        host
    }

    pub(crate) fn trusted(example: &str) -> Self {
        let host = Self::with(example);
        assert!(host.command(&["trust"]).output().unwrap().status.success());
        host
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quittance"));
        command.args(args).current_dir(self.project()).env("HOME", self.home());
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        command
    }

    fn stop(&self, prompt: &str, more: &Value) -> Value {
        let mut stdin = json!({
            "session_id": "s", "transcript_path": self.transcript(), "cwd": self.project(),
            "prompt_id": prompt, "hook_event_name": "Stop", "stop_hook_active": false,
        });
        let fields = stdin.as_object_mut().unwrap();
        fields.extend(more.as_object().cloned().unwrap_or_default());
        stdin
    }

    fn start(&self, stdin: &[u8]) -> Child {
        self.start_for("claude-code", stdin)
    }

    fn start_for(&self, host: &str, stdin: &[u8]) -> Child {
        let mut command = self.command(&["hook", host]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), stdin).unwrap();
        child
    }

    /// What another host is answered.
    pub(crate) fn answer_to(&self, host: &str, stdin: &Value) -> Value {
        answered(self.start_for(host, stdin.to_string().as_bytes()))
    }

    /// What is answered; always one document, and always 0.
    fn answer(&self, stdin: &[u8]) -> Value {
        answered(self.start(stdin))
    }

    fn asked(&self, prompt: &str) -> Value {
        self.answer(self.stop(prompt, &Value::Null).to_string().as_bytes())
    }

    pub(crate) fn list(&self) -> Value {
        let listed = self.command(&["receipts", "list", "--limit", "5000", "--json"]).output();
        serde_json::from_slice(&listed.unwrap().stdout).unwrap()
    }

    /// The receipt of the last boundary.
    pub(crate) fn last_receipt(&self) -> Value {
        let listed = self.list();
        let id = listed["receipts"][0]["receipt_id"].as_str().unwrap();
        let shown = self.command(&["receipts", "show", id, "--json"]).output().unwrap();
        serde_json::from_slice(&shown.stdout).unwrap()
    }

    pub(crate) fn outcomes(&self) -> Vec<(String, String)> {
        let listed = self.list();
        let word = |receipt: &Value, key: &str| receipt[key].as_str().unwrap().to_owned();
        let receipts = listed["receipts"].as_array().unwrap().iter();
        receipts.map(|one| (word(one, "outcome"), word(one, "cause"))).collect()
    }

    pub(crate) fn wrote(&self) {
        std::fs::write(self.project().join("dist/out.js"), "x").unwrap();
    }

    fn ran(&self) -> usize {
        std::fs::read_to_string(self.project().join("ran.txt"))
            .map_or(0, |text| text.lines().count())
    }
}

fn answered(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stdout} {stderr}");
    serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{stdout} {stderr}"))
}

fn is_notice(answer: &Value, part: &str) -> bool {
    let message = answer["systemMessage"].as_str().unwrap_or_default();
    message.starts_with("quittance: unverified") && message.contains(part)
}

pub(crate) fn is_block(answer: &Value) -> bool {
    answer["decision"] == "block" && answer["reason"].as_str().unwrap().contains("dist/out.js")
}

#[test]
fn what_a_hook_left_is_explained_and_replayed_by_its_id() {
    let host = Host::trusted("false-done");
    assert!(is_block(&host.asked("p")));
    let listed = host.list();
    let id = listed["receipts"][0]["receipt_id"].as_str().unwrap().to_owned();
    let ran = |args: &[&str]| {
        let output = host.command(args).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap(), String::from_utf8(text).unwrap())
    };
    let hex = id.strip_prefix("sha256:").unwrap();
    let short = hex.get(..12).unwrap();
    for name in [id.as_str(), short] {
        let (code, told) = ran(&["explain", name]);
        assert!(code == 0 && told.contains(&id) && told.contains("dist/out.js"), "{told}");
        let transcript = host.transcript();
        let (code, told) = ran(&["replay", name, "--transcript", transcript.to_str().unwrap()]);
        assert!(code == 0 && told.contains("arrives at the same id"), "{told}");
    }
    // A file of that name is meant before a receipt.
    std::fs::write(host.project().join(short), "{}").unwrap();
    assert_eq!(ran(&["explain", short]).0, 65);
    let (code, told) = ran(&["explain", "0123456789abcdef"]);
    assert_eq!(code, 66);
    assert!(told.contains("there is no such file, and the ledger does not have it"), "{told}");
    assert_eq!(ran(&["explain", "no-id"]).0, 66);
    let shown = host.command(&["receipts", "show", &id, "--json"]).output().unwrap();
    let mut command = host.command(&["explain", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &shown.stdout).unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(told.contains(&id), "{told}");
}

#[test]
fn a_false_done_is_refused_until_the_same_words_were_said_twice() {
    let host = Host::trusted("false-done");
    assert!(is_block(&host.asked("p")));
    assert!(is_block(&host.asked("p")));
    assert!(is_notice(&host.asked("p"), "repeat"));
    // Another prompt is another turn.
    assert!(is_block(&host.asked("q")));
    let words: Vec<String> = host.outcomes().into_iter().map(|(outcome, _)| outcome).collect();
    assert_eq!(words, ["abandoned", "unverified", "abandoned", "abandoned"]);
}

#[test]
fn an_honest_done_is_never_interrupted() {
    let host = Host::trusted("honest-done");
    host.wrote();
    assert_eq!(host.asked("p"), json!({}));
    assert_eq!(host.outcomes(), [("verified".to_owned(), "verified_after_write".to_owned())]);
    // Nothing was written since, so the reading stands and nothing is run again.
    assert_eq!(host.asked("p"), json!({}));
    assert_eq!(host.ran(), 1);
}

#[test]
fn a_strange_policy_runs_nothing_and_is_told_once() {
    let host = Host::with("honest-done");
    host.wrote();
    assert!(is_notice(&host.asked("p"), "policy_untrusted"));
    assert_eq!(host.asked("p"), json!({}));
    assert_eq!(host.ran(), 0);
    let untrusted = ("unverified".to_owned(), "policy_untrusted".to_owned());
    assert_eq!(host.outcomes(), [untrusted.clone(), untrusted]);
}

#[test]
fn a_run_that_edits_its_policy_is_judged_by_the_trusted_copy() {
    let host = Host::trusted("false-done");
    std::fs::write(host.project().join("quittance.toml"), "version = 1\n").unwrap();
    assert!(is_block(&host.asked("p")));
    std::fs::remove_file(host.project().join("quittance.toml")).unwrap();
    assert!(is_block(&host.asked("p")));
}

#[test]
fn background_work_means_not_yet_and_a_compaction_passes() {
    let host = Host::trusted("false-done");
    let running = json!({"background_tasks": [{"id": "b", "type": "shell", "status": "running"}]});
    let stdin = host.stop("p", &running).to_string();
    assert_eq!(host.answer(stdin.as_bytes()), json!({}));
    assert_eq!(host.outcomes(), [("waiting".to_owned(), "background".to_owned())]);
    let compaction = json!({"hook_event_name": "SubagentStop", "agent_id": "a", "agent_type": ""});
    let stdin = host.stop("p", &compaction).to_string();
    assert_eq!(host.answer(stdin.as_bytes()), json!({}));
}

#[test]
fn whatever_comes_is_answered() {
    let host = Host::trusted("false-done");
    for stdin in [&b""[..], b"{", b"[]", b"\xff\xfe", b"{\"hook_event_name\": \"Stop\"}"] {
        assert!(is_notice(&host.answer(stdin), ""), "{stdin:?}");
    }
}

#[test]
fn a_closing_message_that_the_file_lacks_is_the_hosts() {
    let host = Host::trusted("honest-done");
    host.wrote();
    let text = std::fs::read_to_string(host.transcript()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let (last, before) = lines.split_last().unwrap();
    std::fs::write(host.transcript(), before.join("\n") + "\n").unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    let said = last["message"]["content"][0]["text"].clone();
    let stdin = host.stop("p", &json!({"last_assistant_message": said})).to_string();
    assert_eq!(host.answer(stdin.as_bytes()), json!({}));
    assert_eq!(host.outcomes()[0].0, "verified");
}

#[test]
fn sixty_four_at_once_count_exactly() {
    let host = Host::trusted("false-done");
    let stdin = host.stop("p", &Value::Null).to_string();
    let children: Vec<Child> = (0..64).map(|_| host.start(stdin.as_bytes())).collect();
    let answers: Vec<Value> = children.into_iter().map(answered).collect();
    assert_eq!(answers.iter().filter(|answer| is_block(answer)).count(), 2);
    assert!(answers.iter().all(|answer| is_block(answer) || is_notice(answer, "")));
    // Who could not commit in time was let go, unverified, and is not on record.
    let unavailable = answers.iter().filter(|answer| is_notice(answer, "ledger")).count();
    assert_eq!(host.outcomes().len(), 64 - unavailable);
}

#[test]
fn a_ledger_that_fails_allows_the_stop_and_says_so() {
    let host = Host::trusted("false-done");
    assert!(is_block(&host.asked("p")));
    let ledger = find(&host.home().join(".local/share/quittance/ledgers")).unwrap();
    std::fs::write(
        &ledger,
        "no database at all, and longer than a header of one hundred bytes. ".repeat(9),
    )
    .unwrap();
    assert!(is_notice(&host.asked("p"), ""));
    // It was set aside, and a new one begun.
    assert!(is_block(&host.asked("p")));
    assert!(ledger.with_file_name("ledger.db.corrupt-1").exists());
}

fn find(folder: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.find_map(|path| {
        if path.is_dir() { find(&path) } else { path.ends_with("ledger.db").then_some(path) }
    })
}
