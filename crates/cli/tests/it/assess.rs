//! `quittance assess`: files, folders, standard input, lines; what is printed and how it ends.

#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::golden::pinned;
use crate::run::{Run, quittance, top};

/// A record with one empty result, of call `call`.
fn empty_result(call: &str) -> String {
    let history = format!(
        r#"[{{"role":"user","content":"q"}},{{"role":"tool","toolCallId":"{call}","toolName":"t","content":"[]"}}]"#
    );
    format!(r#"{{"snapshot":{{"sharedState":{{"history":{history}}}}}}}"#)
}

/// A record whose one result is an object with rows under `rows`.
const WRAPPED: &str = r#"{"snapshot":{"sharedState":{"history":[{"role":"user","content":"q"},{"role":"tool","toolCallId":"c1","toolName":"t","content":"{\"rows\":[1]}"}]}}}"#;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

fn assess(folder: &Path, args: &[&str]) -> Run {
    quittance(folder, &[&["assess"], args].concat())
}

fn start(folder: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_quittance"))
        .current_dir(folder)
        .arg("assess")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the filter over text on standard input.
fn filter(args: &[&str], text: &str) -> Run {
    let here = top();
    let mut child = start(&here, &[&["--ndjson"], args].concat());
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Every case is a folder: its inputs, the command lines in `args.txt`, and what they print.
#[test]
fn each_case_prints_what_is_recorded() {
    insta::glob!(top().join("golden"), "{assess_command,bugs}/*/args.txt", |file| {
        let case = file.parent().unwrap();
        let lines = fs::read_to_string(file).unwrap();
        let runs = lines.lines().map(|line| {
            let args: Vec<&str> = line.split(' ').collect();
            format!("$ quittance assess {line}\n{}\n", assess(case, &args).text())
        });
        let runs: Vec<String> = runs.collect();
        pinned(case, || insta::assert_snapshot!("assess", runs.join("\n")));
    });
}

#[test]
fn standard_input_is_one_input_unless_it_is_lines() {
    let here = top();
    let mut child = start(&here, &["--json"]);
    child.stdin.take().unwrap().write_all(empty_result("c1").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&document["input"], &document["standing"]["standing"]),
        (&"-".into(), &"not-sure".into())
    );
}

#[test]
fn lines_are_the_originals_bytes() {
    let vectors = top().join("../shared/vectors/assess.ndjson");
    let Ok(vectors) = fs::read_to_string(vectors) else {
        println!("skipped: the vectors are not at hand");
        return;
    };
    let (mut records, mut expected) = (String::new(), Vec::new());
    for line in vectors.lines() {
        // Cut out and not written anew, since numbers and keys are spelled as they are on purpose.
        let (_, rest) = line.split_once(r#""args":{"record":"#).unwrap();
        let (args, want) = rest.rsplit_once(r#","expected":"#).unwrap();
        if args.contains(r#","declarations":"#) {
            continue;
        }
        records.push_str(args.strip_suffix('}').unwrap());
        records.push('\n');
        expected.push(want.strip_suffix('}').unwrap());
    }
    assert!(expected.len() > 100, "{}", expected.len());
    let run = filter(&["--jobs", "3"], &records);
    for (line, (got, want)) in run.stdout.lines().zip(&expected).enumerate() {
        let want = match want.strip_prefix(r#"{"ok":"#) {
            Some(ok) => ok.strip_suffix('}').unwrap().to_owned(),
            None => {
                let error: Value = serde_json::from_str(want).unwrap();
                format!(r#"{{"error":{{"line":{},"message":{}}}}}"#, line + 1, error["error"])
            }
        };
        assert_eq!(got, want, "line {}", line + 1);
    }
    assert_eq!(run.stdout.lines().count(), expected.len());
}

#[test]
fn any_number_of_jobs_gives_the_same_bytes() {
    let mut text = String::new();
    for number in 0..4000 {
        text.push_str(&if number % 97 == 0 {
            "oops".to_owned()
        } else {
            empty_result(&number.to_string())
        });
        // Long lines and short ones, so that batches of every size meet.
        text.push_str(&" ".repeat(number % 7 * 40));
        text.push('\n');
    }
    let one = filter(&["--jobs", "1"], &text);
    assert_eq!(one.stdout.lines().count(), 4000);
    for (number, line) in one.stdout.lines().enumerate() {
        let wanted = if number % 97 == 0 {
            format!(r#""line":{}"#, number + 1)
        } else {
            format!(r#""toolCallId":"{number}""#)
        };
        assert!(line.contains(&wanted), "{line}");
    }
    for jobs in ["2", "3", "8"] {
        assert_eq!(filter(&["--jobs", jobs], &text).stdout, one.stdout, "{jobs}");
    }
}

#[test]
fn the_reader_that_goes_away_ends_the_writer_quietly() {
    let here = top();
    for jobs in ["1", "2"] {
        let mut child = start(&here, &["--ndjson", "--jobs", jobs]);
        let mut input = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            let line = empty_result("c1") + "\n";
            let mut written = 0_u64;
            while input.write_all(line.as_bytes()).is_ok() {
                written += 1;
            }
            written
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.contains("empty-undeclared"));
        // The reader is dropped by now; the endless writer ends because the program did.
        assert!(writer.join().unwrap() > 0);
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(0), ""));
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_is_there() {
    let here = top();
    let mut child = start(&here, &["--ndjson"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for number in 0..5 {
        let call = number.to_string();
        writeln!(input, "{}", empty_result(&call)).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!(r#""toolCallId":"{call}""#)), "{answer}");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_declared_is_read() {
    let declared = r#"{"tools":{"t":{"rowsAt":"rows"}}}"#;
    let folder = folder(&[("r.json", WRAPPED), ("d.json", declared)]);
    let standing = |args: &[&str]| {
        let run = assess(folder.path(), &[&["r.json", "--json"], args].concat());
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        document["standing"]["standing"].as_str().map(str::to_owned)
    };
    assert_eq!(standing(&[]).as_deref(), Some("not-assessed"));
    assert_eq!(standing(&["--rows-at", "t=rows"]).as_deref(), Some("consistent"));
    assert_eq!(standing(&["--declarations", "d.json"]).as_deref(), Some("consistent"));
    // A flag beats the file.
    let both = ["--declarations", "d.json", "--rows-at", "t=other"];
    assert_eq!(standing(&both).as_deref(), Some("not-assessed"));
    assert_eq!(assess(folder.path(), &["r.json", "--rows-at", "t"]).code, 64);
}

#[test]
fn a_named_standing_fails_and_so_does_what_cannot_be_read() {
    let both = [empty_result("c1"), "{}".to_owned()].join("\n");
    let code = |args: &[&str], text: &str| filter(args, text).code;
    assert_eq!(code(&["--fail-on", "known,ask"], &both), 0);
    assert_eq!(code(&["--fail-on", "known,not-sure"], &both), 20);
    assert_eq!(code(&["--fail-on", "not-assessed", "--summary"], &both), 20);
    assert_eq!(code(&[], "oops"), 0);
    assert_eq!(code(&["--fail-on", "known"], "oops"), 65);
    assert_eq!(code(&["--fail-on", "knwon"], "{}"), 64);
    let folder = folder(&[("a.json", WRAPPED), ("b.json", "oops")]);
    assert_eq!(assess(folder.path(), &["a.json"]).code, 0);
    assert_eq!(assess(folder.path(), &["a.json", "b.json"]).code, 65);
    assert_eq!(assess(folder.path(), &["a.json", "b.json", "--fail-on", "not-assessed"]).code, 20);
    assert_eq!(assess(folder.path(), &["a.json", "--fail-on", "not-assessed"]).code, 20);
}

#[test]
fn published_records_and_transcripts_are_all_assessed() {
    let corpus = top().join("../shared/corpus");
    if !corpus.exists() {
        println!("skipped: the published files are not at hand");
        return;
    }
    for folder in ["agentfootprint", "claude-code", "openai-chat"] {
        let folder: PathBuf = corpus.join(folder);
        let run = assess(&folder, &[".", "--summary", "--json"]);
        let counts: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(counts["inputs"].as_u64().unwrap() > 3, "{counts}");
        let one = assess(&folder, &[".", "--json", "--jobs", "1"]);
        assert_eq!(one.stdout, assess(&folder, &[".", "--json", "--jobs", "4"]).stdout);
    }
}
