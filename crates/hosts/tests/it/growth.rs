//! A reader that goes on where it stopped gives what a reader gives that reads at once.

use std::cell::RefCell;
use std::io::{BufRead, Cursor, Read, Result, Seek, SeekFrom};
use std::rc::Rc;

use proptest::prelude::*;
use quittance_evidence::EvidenceBuilder;
use quittance_hosts::{ReadOptions, Reader, Records};
use serde_json::{Value, json};

use crate::describe::{describe, read_bytes};

/// A file that its writer appends to.
#[derive(Clone, Default)]
pub(crate) struct Growing(Rc<RefCell<Cursor<Vec<u8>>>>, Vec<u8>);

impl Growing {
    pub(crate) fn replace(&self, bytes: &[u8]) {
        *self.0.borrow_mut().get_mut() = bytes.to_vec();
    }

    pub(crate) fn append(&self, bytes: &[u8]) {
        self.0.borrow_mut().get_mut().extend_from_slice(bytes);
    }
}

impl Read for Growing {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

impl BufRead for Growing {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.1.is_empty() {
            let mut byte = [0; 64];
            let read = self.0.borrow_mut().read(&mut byte)?;
            self.1.extend_from_slice(&byte[..read]);
        }
        Ok(&self.1)
    }

    fn consume(&mut self, amount: usize) {
        self.1.drain(..amount);
    }
}

impl Seek for Growing {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.1.clear();
        self.0.borrow_mut().seek(to)
    }
}

/// A line of a run whose uuid is its place in the file; `parent` counts back from it.
fn line(place: usize, kind: u8, parent: usize) -> Value {
    let parent = place.checked_sub(parent).map(|at| format!("n{at}"));
    let mut line = json!({"uuid": format!("n{place}"), "parentUuid": parent, "sessionId": "s"});
    let turn = place / 9;
    let call = format!("t{}", place / 2);
    let said = match kind {
        0 => json!({"type": "user", "promptId": format!("p{turn}"), "rowSource": "local",
            "promptSource": "typed", "message": {"content": format!("ask {turn}")}}),
        1 => json!({"type": "assistant", "message": {"id": format!("m{}", place / 3),
            "content": [{"type": "text", "text": format!("say {place}")}]}}),
        2 => json!({"type": "assistant", "message": {"id": format!("m{}", place / 3),
            "content": [{"type": "tool_use", "id": call, "name": "Write",
                "input": {"file_path": format!("f{}", place % 4)}}]}}),
        3 => json!({"type": "user", "message": {"content": [{"type": "tool_result",
            "tool_use_id": call, "content": "ok"}]}}),
        4 => json!({"type": "attachment", "attachment": {"type": "queued_command",
            "commandMode": "prompt", "prompt": format!("steer {}", place / 4)}}),
        5 => json!({"type": "queue-operation", "operation": "remove", "uuid": null,
            "content": format!("steer {}", place / 4)}),
        6 => json!({"type": "queue-operation", "operation": "enqueue", "uuid": null,
            "content": format!("steer {}", place / 4)}),
        7 => json!({"type": "system", "subtype": "note"}),
        8 => json!({"type": "user", "rowSource": "harness",
            "message": {"content": [{"type": "text", "text": "[Request interrupted by user]"}]}}),
        9 => json!({"type": "user", "message": {"content":
            "<command-name>/goal</command-name><command-args>x</command-args>"}}),
        10 => json!({"type": "queue-operation", "operation": "dequeue", "uuid": null}),
        11 => json!({"type": "progress"}),
        12 => json!({"type": "user", "message": {"content": "untyped words"}}),
        13 => json!({"type": "assistant", "isSidechain": true, "message": {"content":
            [{"type": "tool_use", "id": "side", "name": "Edit", "input": {"file_path": "s"}}]}}),
        _ => json!({"type": "user", "isMeta": true, "rowSource": "hook",
            "message": {"content": "Stop hook feedback:\nno"}}),
    };
    let fields = said.as_object().unwrap().clone();
    line.as_object_mut().unwrap().extend(fields);
    line
}

/// Runs of lines that mostly go on where the one before stopped.
pub(crate) fn run() -> impl Strategy<Value = Vec<u8>> {
    let parent = prop_oneof![8 => Just(1_usize), 2 => 1_usize..6, 1 => Just(1000_usize)];
    let kind = prop_oneof![3 => 0_u8..4, 1 => 4_u8..15];
    proptest::collection::vec((kind, parent), 1..40).prop_map(|lines| {
        let lines = lines.into_iter().enumerate();
        lines
            .flat_map(|(at, (kind, back))| format!("{}\n", line(at, kind, back)).into_bytes())
            .collect()
    })
}

/// Reads in pieces, all that is there after each.
fn read_growing(bytes: &[u8], cuts: &[prop::sample::Index]) -> std::result::Result<Value, String> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    cuts.push(bytes.len());
    cuts.sort_unstable();
    let file = Growing::default();
    let mut reader: Reader<Growing, Records> = Reader::open(file.clone(), ReadOptions::default());
    let mut done = 0;
    let mut last = Ok(());
    for cut in cuts {
        file.append(&bytes[done..cut]);
        done = cut;
        last = reader.read_to_end();
    }
    last.map_err(|error| error.to_string())?;
    reader.session().map(describe).map_err(|error| error.to_string())
}

fn at_once(bytes: &[u8]) -> std::result::Result<Value, String> {
    read_bytes(bytes, ReadOptions::default())
        .map(|session| describe(&session))
        .map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_growing_file_reads_as_one_read_at_once(
        bytes in run(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let (grown, whole) = (read_growing(&bytes, &cuts), at_once(&bytes));
        prop_assert_eq!(
            grown.map(|told| format!("{told:#}")),
            whole.map(|told| format!("{told:#}")),
            "{}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

/// What a decision would be bound to.
fn evidence(reader: &mut Reader<Growing, EvidenceBuilder>) -> Option<(usize, String, String)> {
    let rows = &mut reader.session_mut().ok()?.turn.rows;
    let tally = format!("{:?}", rows.tally());
    Some((rows.message_count(), rows.transcript_digest().to_string(), tally))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn evidence_grows_as_it_is_read_at_once(
        bytes in run(),
        cut in any::<prop::sample::Index>(),
    ) {
        let read = |cuts: &[usize]| {
            let file = Growing::default();
            let mut reader = Reader::open(file.clone(), ReadOptions::default());
            let mut done = 0;
            for cut in cuts {
                file.append(&bytes[done..*cut]);
                done = *cut;
                let _ = reader.read_to_end();
            }
            evidence(&mut reader)
        };
        let cut = cut.index(bytes.len() + 1);
        prop_assert_eq!(read(&[cut, bytes.len()]), read(&[bytes.len()]));
    }
}

#[test]
fn a_last_line_that_goes_on_after_all_is_read_anew() {
    let file = Growing::default();
    let mut reader: Reader<Growing, Records> = Reader::open(file.clone(), ReadOptions::default());
    let ask = r#"{"type":"user","uuid":"u","message":{"content":"go"}}"#;
    file.append(format!("{ask}\n{ask}").as_bytes());
    reader.read_to_end().unwrap();
    file.append(b"{\"fused\":1}\n");
    reader.read_to_end().unwrap();
    assert_eq!(reader.session().unwrap().source.issue_count, 1);
}

#[test]
fn a_file_that_shrank_is_read_anew() {
    let file = Growing::default();
    let mut reader: Reader<Growing, Records> = Reader::open(file.clone(), ReadOptions::default());
    let ask =
        |words: &str| format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{words}\"}}}}\n");
    file.append(ask("first, and long").as_bytes());
    reader.read_to_end().unwrap();
    file.0.borrow_mut().get_mut().clear();
    file.append(ask("second").as_bytes());
    reader.read_to_end().unwrap();
    assert_eq!(reader.session().unwrap().turn.task, "second");
}

#[test]
fn an_empty_file_may_become_a_run() {
    let file = Growing::default();
    let mut reader: Reader<Growing, Records> = Reader::open(file.clone(), ReadOptions::default());
    assert!(reader.read_to_end().is_err());
    file.append(b"{\"type\":\"user\",\"message\":{\"content\":\"go\"}}\n");
    reader.read_to_end().unwrap();
    assert_eq!(reader.session().unwrap().turn.task, "go");
}
