//! What each host sends and is answered: every dialect with every answer, and hostile input.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use quittance_hosts::hook::{
    HookAnswer, HookError, HookInput, Host, Pass, Sample, SamplePlace, TurnKey, without_own_words,
};
use quittance_hosts::settings::events;
use quittance_hosts::{ReadOptions, Records, Session, StopReason};
use serde_json::{Value, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden");

/// The host that a case is named after.
pub(crate) fn host_of(file: &Path) -> Host {
    let case = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let is_of = |host: &Host| case.starts_with(&format!("{}_", host.as_str().replace('-', "_")));
    Host::ALL.into_iter().find(is_of).unwrap()
}

/// Compares with the snapshot beside a file.
pub(crate) fn check(file: &Path, name: &str, told: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(file.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, told));
}

fn answer(described: &Value) -> HookAnswer {
    if described == "allow" {
        return HookAnswer::Allow;
    }
    match (described["block"].as_str(), described["unverified"].as_str()) {
        (Some(reason), None) => HookAnswer::Block { reason: reason.to_owned() },
        (None, Some(why)) => HookAnswer::unverified(why),
        _ => panic!("{described}"),
    }
}

#[test]
fn every_case_reads_and_answers_as_recorded() {
    insta::glob!(FOLDER, "hooks/*/stdin.json", |file| {
        let host = host_of(file);
        let read = match HookInput::read(host, &fs::read(file).unwrap()) {
            Ok(input) => serde_json::to_string_pretty(&input).unwrap(),
            Err(error) => format!("cannot {error}"),
        };
        let described = fs::read(file.with_file_name("answer.json")).unwrap();
        let printed = answer(&serde_json::from_slice(&described).unwrap()).print(host);
        let basis = host.basis().as_str();
        check(file, "hook", &format!("{read}\n\nanswered, as {basis}:\n{printed}"));
    });
}

#[test]
fn every_dialect_is_pinned_with_every_answer() {
    for host in Host::ALL {
        let host = host.as_str().replace('-', "_");
        for case in ["honest_allow", "false_done_block", "never_done_cap", "cut_short_failure"] {
            let folder: PathBuf = [FOLDER, "hooks", &format!("{host}_{case}")].iter().collect();
            assert!(folder.is_dir(), "{}", folder.display());
        }
    }
}

#[test]
fn each_host_takes_the_keys_it_knows_and_no_other() {
    let block = HookAnswer::Block { reason: "no".to_owned() };
    let answers = [HookAnswer::Allow, block, HookAnswer::unverified("cap")];
    let told = Host::ALL.map(|host| {
        let keys = answers.clone().map(|answer| {
            let printed: Value = serde_json::from_str(&answer.print(host)).unwrap();
            let keys: Vec<_> = printed.as_object().unwrap().keys().cloned().collect();
            if keys.is_empty() { "-".to_owned() } else { keys.join("+") }
        });
        format!("{:<11} {:<10} {}", host.as_str(), host.basis().as_str(), keys.join(" "))
    });
    insta::assert_snapshot!(told.join("\n"), @r"
    claude-code measured   - decision+reason systemMessage
    codex       measured   - decision+reason systemMessage
    gemini-cli  measured   - decision+reason systemMessage
    cursor      documented - followup_message -
    copilot     documented - decision+reason -
    openhands   documented - decision+reason -
    ");
    assert_eq!(Host::ALL.map(|host| Host::named(host.as_str())), Host::ALL.map(Some));
    assert_eq!(Host::named("claude"), None);
}

#[test]
fn a_flag_of_the_host_decides_nothing() {
    // anthropics/claude-code#2956: the second call differs in the flag alone.
    let read = |active: bool| {
        let stdin = json!({"session_id": "s", "transcript_path": "/w/t.jsonl", "cwd": "/w",
            "hook_event_name": "Stop", "stop_hook_active": active});
        HookInput::read(Host::ClaudeCode, stdin.to_string().as_bytes()).unwrap()
    };
    let (mut first, second) = (read(false), read(true));
    assert_eq!((second.pass, second.stop_hook_active), (None, Some(true)));
    first.stop_hook_active = Some(true);
    assert_eq!(first, second);
}

#[test]
fn the_turn_outlives_our_own_words() {
    let turn =
        |host, stdin: Value| HookInput::read(host, stdin.to_string().as_bytes()).unwrap().turn;
    let gemini = |prompt: &str| {
        turn(
            Host::GeminiCli,
            json!({"session_id": "s", "hook_event_name": "AfterAgent", "prompt": prompt,
                "prompt_response": prompt}),
        )
    };
    assert_eq!(gemini("a"), gemini("a"));
    assert_ne!(gemini("a"), gemini("b"));
    let cursor = turn(
        Host::Cursor,
        json!({"conversation_id": "c", "generation_id": "g2", "hook_event_name": "stop",
            "loop_count": 2, "status": "completed"}),
    );
    assert_eq!(cursor, TurnKey::FollowUps(2));
}

#[test]
fn a_word_that_is_not_known_is_no_way_out() {
    let read = |stdin: Value, host| HookInput::read(host, stdin.to_string().as_bytes()).unwrap();
    let cursor = read(
        json!({"conversation_id": "c", "hook_event_name": "stop", "status": "perfect"}),
        Host::Cursor,
    );
    assert_eq!(cursor.pass, None);
    let kind = json!({"session_id": "s", "hook_event_name": "SubagentStop", "agent_type": 0});
    assert_eq!(read(kind, Host::ClaudeCode).pass, None);
    let task = json!({"session_id": "s", "hook_event_name": "Stop",
        "background_tasks": [{"id": "b", "status": "almost completed"}]});
    assert_eq!(read(task, Host::ClaudeCode).background.len(), 1);
    let other = json!({"session_id": "s", "hook_event_name": "Stopp"});
    assert_eq!(read(other, Host::ClaudeCode).pass, Some(Pass::NoBoundary));
}

#[test]
fn what_cannot_be_read_is_told_apart() {
    let told = ["", " \r\n", "{", "[1]", "null", "{} {}", "{}", r#"{"hook_event_name":"Stop"}"#]
        .map(|stdin| HookInput::read(Host::ClaudeCode, stdin.as_bytes()).unwrap_err().to_string());
    insta::assert_snapshot!(told.join("\n"), @r"
    read what the host sent: it is empty
    read what the host sent: it is empty
    read what the host sent: it is not one object of JSON (not_json)
    read what the host sent: it is not one object of JSON (not_an_object)
    read what the host sent: it is not one object of JSON (not_an_object)
    read what the host sent: it is not one object of JSON (not_json)
    read what the host sent: `hook_event_name` is missing or is no text
    read what the host sent: `session_id` is missing or is no text
    ");
    let deep = format!(r#"{{"hook_event_name":{}1{}}}"#, "[".repeat(600), "]".repeat(600));
    let error = HookInput::read(Host::Codex, deep.as_bytes()).unwrap_err();
    assert!(matches!(error, HookError::Unreadable { .. }));
}

#[test]
fn a_refusal_reaches_every_host_whole_or_says_that_it_was_cut() {
    let reason = "é<&\u{1f600}".repeat(40_000);
    for host in Host::ALL {
        let printed = HookAnswer::Block { reason: reason.clone() }.print(host);
        let printed: Value = serde_json::from_str(&printed).unwrap();
        let said = printed.as_object().unwrap().values().filter_map(Value::as_str);
        let said = said.max_by_key(|text| text.len()).unwrap();
        assert!(said.encode_utf16().count() <= 10_000, "{}", host.as_str());
        assert!(host != Host::Codex || said.len() <= 8_000);
        assert!(said.contains("chars elided — middle of feedback"));
        assert_eq!(without_own_words(said), "");
    }
}

#[test]
fn an_environment_that_was_sent_is_not_read() {
    let stdin = json!({"session_id": "s", "hook_event_name": "Stop", "cwd": "/w",
        "env": {"CLAUDE_CODE_MESSAGING_TOKEN": "secret-1"}, "CLAUDE_CODE_MESSAGING_TOKEN": "secret-2"});
    for host in Host::ALL {
        if let Ok(input) = HookInput::read(host, stdin.to_string().as_bytes()) {
            assert!(!serde_json::to_string(&input).unwrap().contains("secret"));
        }
    }
}

fn fragments() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(":"),
        Just("null"),
        Just("1e999"),
        Just("\"hook_event_name\""),
        Just("\"Stop\""),
        Just("\"SubagentStop\""),
        Just("\"\\ud800\""),
        Just("\"session_id\""),
        Just("\"background_tasks\""),
        Just("\"agent_type\""),
        Just("\"\""),
        Just("\u{feff}"),
        Just("\"stop_hook_active\""),
        Just("true"),
    ];
    proptest::collection::vec(words, 0..30).prop_map(|words| words.concat())
}

proptest! {
    #[test]
    fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in fragments()) {
        for host in Host::ALL {
            let _ = HookInput::read(host, &bytes);
            let _ = HookInput::read(host, text.as_bytes());
        }
    }

    #[test]
    fn every_answer_is_one_document_that_says_one_thing(words in any::<String>()) {
        for host in Host::ALL {
            for answer in [
                HookAnswer::Allow,
                HookAnswer::Block { reason: words.clone() },
                HookAnswer::unverified(&words),
            ] {
                let printed = answer.print(host);
                prop_assert!(!printed.contains(|c: char| c.is_control()), "{:?}", printed);
                let read: Value = serde_json::from_str(&printed).unwrap();
                let read = read.as_object().unwrap();
                let blocks = read.contains_key("decision") || read.contains_key("followup_message");
                prop_assert_eq!(blocks, matches!(answer, HookAnswer::Block { .. }));
                prop_assert!(read.values().all(|value| !value.as_str().unwrap().trim().is_empty()));
                prop_assert!(!read.contains_key("continue"));
            }
        }
    }
}

#[test]
fn a_made_up_stop_is_one_to_each_host() {
    let place = SamplePlace { record: "/w/record.jsonl", folder: "/w/app" };
    for host in Host::ALL {
        let samples = Sample::of(host, place);
        assert_eq!(samples.iter().map(|one| one.event).collect::<Vec<_>>(), events(host));
        for sample in samples {
            let input = HookInput::read(host, sample.stdin.as_bytes()).unwrap();
            assert_eq!((input.pass, &input.notes[..]), (None, &[][..]), "{host:?}");
            assert_eq!(input.cwd.as_deref(), Some(place.folder), "{host:?}");
            assert_eq!(input.event, sample.event);
            let Some(record) = sample.record else { continue };
            assert_eq!(input.transcript.as_deref(), Some(place.record), "{host:?}");
            let options = ReadOptions::default();
            let session: Session<Records> =
                quittance_hosts::read(Cursor::new(record), options).unwrap();
            let answer = session.turn.candidate();
            assert!(answer.contains(Sample::CLAIMED), "{answer}");
            assert_eq!(input.answer.as_deref().unwrap_or(answer), answer);
            assert_eq!((session.turn.stop, session.waiting), (StopReason::Natural, vec![]));
            assert_eq!(session.format.as_str(), host.as_str());
        }
    }
}

#[test]
fn an_answer_is_read_as_it_was_printed_and_nothing_else_is_one() {
    let answers = [
        HookAnswer::Allow,
        HookAnswer::Block { reason: "no".to_owned() },
        HookAnswer::unverified("cap"),
    ];
    for host in Host::ALL {
        for answer in &answers {
            let read = HookAnswer::read(host, answer.print(host).as_bytes()).unwrap();
            match answer {
                HookAnswer::Block { reason } => {
                    let HookAnswer::Block { reason: read } = read else { panic!("{read:?}") };
                    assert!(read.ends_with(reason), "{read}");
                }
                HookAnswer::AllowWithNotice { .. } if !host.shows_notices() => {
                    assert_eq!(read, HookAnswer::Allow);
                }
                _ => assert_eq!(&read, answer),
            }
        }
        for printed in [
            "",
            "null",
            "[]",
            "{} {}",
            "{}\nnoise",
            "{\"decision\": \"block\"}",
            "{\"decision\": \"block\", \"reason\": \" \"}",
            "{\"decision\": \"approve\", \"reason\": \"x\"}",
            "{\"decision\": \"block\", \"reason\": \"x\", \"more\": 1}",
            "{\"systemMessage\": 1}",
            "{\"followup_message\": \"\"}",
            "{\"continue\": false}",
        ] {
            assert!(HookAnswer::read(host, printed.as_bytes()).is_err(), "{host:?}: {printed}");
        }
    }
}
