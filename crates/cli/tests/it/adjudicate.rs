//! From a transcript to a receipt, and from the receipt back: with real verifiers, real child
//! processes and tapes.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Run, quittance, top};

/// A run that wrote what it claims, in a folder of its own, with a policy and a home of its own.
struct Project {
    folder: TempDir,
}

impl Project {
    fn under(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let example = top().join("examples/honest-done");
        std::fs::create_dir_all(folder.path().join("dist")).unwrap();
        std::fs::create_dir_all(folder.path().join("home/.config/quittance")).unwrap();
        for file in ["session.jsonl", "dist/out.js"] {
            std::fs::copy(example.join(file), folder.path().join(file)).unwrap();
        }
        std::fs::write(folder.path().join("quittance.toml"), format!("version = 1\n{policy}"))
            .unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn run(&self, args: &[&str]) -> Run {
        quittance(self.path(), args)
    }

    /// Checks, keeps the receipt, and gives the record.
    fn check(&self, more: &[&str]) -> (i32, Value) {
        let args = ["check", "session.jsonl", "--json", "--receipt", "receipt.json"];
        let run = self.run(&[&args, more].concat());
        (run.code, serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.text())))
    }

    fn receipt(&self) -> String {
        std::fs::read_to_string(self.path().join("receipt.json")).unwrap()
    }

    fn replay(&self) -> Run {
        self.run(&["replay", "receipt.json", "--transcript", "session.jsonl"])
    }
}

const VERIFIER: &str = "[verify]\ncommand = [\"test\", \"-s\", \"dist/out.js\"]\n";
const DONE: &str = r#"{"verdict":"done","detail":"The bundle is there."}"#;

fn word(record: &Value) -> (&str, &str) {
    (record["outcome"]["status"].as_str().unwrap(), record["outcome"]["cause"].as_str().unwrap())
}

#[test]
fn a_verifier_that_passes_verifies_and_the_receipt_says_so_offline() {
    let project = Project::under(VERIFIER);
    let (code, record) = project.check(&[]);
    assert_eq!((code, word(&record)), (0, ("verified", "verified_after_write")));
    assert_eq!(record["verifier"]["exit_status"], 0);
    let replay = project.replay();
    assert_eq!(replay.code, 0, "{}", replay.text());
    let explained = project.run(&["explain", "receipt.json"]);
    assert!(explained.stdout.contains("`test -s dist/out.js` was run and exited with 0"));

    // The replay runs nothing and looks at no disk.
    std::fs::remove_file(project.path().join("dist/out.js")).unwrap();
    assert_eq!(project.replay().code, 0);
    // What was added to the transcript since is not read.
    let transcript = std::fs::read_to_string(project.path().join("session.jsonl")).unwrap();
    project.write("session.jsonl", &format!("{transcript}{{\"type\":\"summary\"}}\n"));
    assert_eq!(project.replay().code, 0);
}

#[test]
fn a_verifier_that_fails_refuses_and_its_words_reach_the_agent() {
    let project = Project::under("[verify]\ncommand = \"echo 'three tests failed'; exit 3\"\n");
    let (code, record) = project.check(&[]);
    assert_eq!((code, word(&record)), (10, ("refused", "verification_after_write_red")));
    let feedback = record["outcome"]["feedback"].as_str().unwrap();
    assert!(feedback.contains("three tests failed"), "{feedback}");
    assert_eq!(project.replay().code, 0);
}

#[test]
fn flags_leave_out_whom_the_policy_names_and_the_receipt_says_so() {
    let project = Project::under(&format!("{VERIFIER}[judge.completion]\ncommand = \"false\"\n"));
    let (code, record) = project.check(&["--no-verify", "--no-judge"]);
    assert_eq!((code, word(&record)), (13, ("unadjudicated", "no_adjudicator")));
    let receipt: Value = serde_json::from_str(&project.receipt()).unwrap();
    assert_eq!(receipt["policy"]["origins"]["verify"], "flag");
    assert_eq!(receipt["policy"]["origins"]["judge"], "flag");
}

#[test]
fn a_tape_answers_and_every_answer_says_that_it_did() {
    let project = Project::under("");
    project.write("replies.jsonl", &serde_json::json!({"reply": DONE}).to_string());
    let (code, record) = project.check(&["--tape", "replies.jsonl"]);
    assert_eq!((code, word(&record)), (0, ("accepted", "judge_done")));
    assert_eq!(record["outcome"]["via"], "tape");
    let receipt = project.receipt();
    assert!(!receipt.contains(project.path().to_str().unwrap()), "no path of this machine");
    let people = project.run(&["explain", "receipt.json"]);
    assert!(people.stdout.contains("rests on replies from a tape"), "{}", people.stdout);
    let text = project.run(&["check", "session.jsonl", "--tape", "replies.jsonl"]);
    assert!(text.stdout.contains("tape"), "{}", text.stdout);
    assert_eq!(project.replay().code, 0);
}

#[test]
fn a_child_process_answers_as_a_judge() {
    let project = Project::under("[judge.completion]\ncommand = [\"sh\", \"judge.sh\"]\n");
    project.write("judge.sh", &format!("cat > question.json\nprintf '%s' '{DONE}'\n"));
    let (code, record) = project.check(&[]);
    assert_eq!((code, word(&record)), (0, ("accepted", "judge_done")));
    let question = std::fs::read_to_string(project.path().join("question.json")).unwrap();
    let question: Value = serde_json::from_str(&question).unwrap();
    assert!(question["system"].as_str().unwrap().contains("Required verdict schema:"));
    assert_eq!(project.replay().code, 0);
}

#[test]
fn another_transcript_is_named_field_by_field_and_a_changed_receipt_refused() {
    let project = Project::under(VERIFIER);
    project.check(&[]);
    let transcript = std::fs::read_to_string(project.path().join("session.jsonl")).unwrap();
    project.write("session.jsonl", &transcript.replace("Hello", "Adieu"));
    let replay = project.replay();
    assert_eq!(replay.code, 21, "{}", replay.text());
    assert!(replay.stdout.contains("/run/source/digest"), "{}", replay.text());

    project.write("receipt.json", &project.receipt().replace("\"verified\"", "\"accepted\""));
    let replay = project.replay();
    assert_eq!(replay.code, 65, "{}", replay.text());
    assert!(replay.stderr.contains("rely on the receipt"), "{}", replay.text());
    project.write("receipt.json", "{}");
    assert_eq!(project.replay().code, 65);
    let missing = project.run(&["explain", "nowhere.json"]);
    assert_eq!(missing.code, 66);
}

/// What a verifier prints is shown as it was broken into lines, and none of them passes for ours.
#[test]
fn what_a_verifier_prints_stands_beside_the_margin() {
    let line = "printf 'one\\nexit code 0: verified\\n\\033[2Joutcome     verified\\n'; exit 3";
    let project = Project::under(&format!("[verify]\ncommand = {line:?}\n"));
    let told = project.run(&["check", "session.jsonl", "--receipt", "receipt.json"]);
    assert_eq!(told.code, 10, "{}", told.text());
    let explained = project.run(&["explain", "receipt.json"]);
    for text in [&told.stdout, &explained.stdout] {
        assert!(text.contains("    exit code 0: verified\n"), "{text}");
        let is_forged = |line: &str| {
            line.starts_with("exit code 0") || line.starts_with("outcome     verified")
        };
        assert!(!text.lines().any(is_forged) && !text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn a_key_is_seen_by_nobody() {
    let key = "planted-key-0123456789";
    let policy = "[verify]\ncommand = \"env\"\n\
                  [judge.completion]\nbase_url = \"http://127.0.0.1:9\"\nmodel = \"m\"\n";
    let project = Project::under(policy);
    project.write(
        "home/.config/quittance/config.toml",
        "version = 1\n[keys]\n\"http://127.0.0.1:9\" = \"PLANTED_KEY\"\n",
    );
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_quittance"))
        .current_dir(project.path())
        .env("HOME", project.path().join("home"))
        .env_remove("XDG_CONFIG_HOME")
        .env("PLANTED_KEY", key)
        .args(["check", "session.jsonl", "--json", "--receipt", "receipt.json"])
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.contains("completion_judge_route_unavailable"), "{printed}");
    assert!(!printed.contains(key) && !project.receipt().contains(key));
}

#[test]
fn what_the_policy_names_is_left_out_of_the_receipt() {
    let policy = format!(
        "{VERIFIER}[redact]\npatterns = [{{ name = \"greeting\", regex = \"Hello\" }}, \
         {{ name = \"task\", regex = \"Bundle\" }}]\n"
    );
    let project = Project::under(&policy);
    let (code, record) = project.check(&[]);
    assert_eq!((code, word(&record).0), (0, "verified"));
    let receipt = project.receipt();
    assert!(receipt.contains("[redacted:task]"), "{receipt}");
    // The pattern itself stands in the policy, and nowhere else.
    assert_eq!(receipt.matches("Bundle").count(), 1, "{receipt}");
    assert_eq!(project.replay().code, 0);
}

#[test]
fn a_judge_that_cannot_be_asked_is_said_so_before_anything_is_run() {
    let project = Project::under("[judge.completion]\nprovider = \"antropic\"\nmodel = \"m\"\n");
    let run = project.run(&["check", "session.jsonl"]);
    assert_eq!(run.code, 69, "{}", run.text());
    assert!(run.stderr.contains("did you mean `anthropic`?"), "{}", run.stderr);
}
