//! Inputs that are a line each: one line in, one line out, in the same order, nothing lost.
//!
//! Lines are read in batches, so that a line costs no hand-over between threads. What is held is
//! bounded: a few batches for each worker, each as long as one read or as its longest line.

mod batches;

use std::io::{self, Cursor};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use quittance_assess::json::Kind;
use quittance_assess::{Record, RecordError, assess as fold};
use quittance_driver::{Standing, StandingRows};
use quittance_hosts::{ReadError, Session};

use super::answer::Answer;
use super::ordered::ordered;
use super::{Plan, Print, document};
use batches::{Batch, Batches, LINE_MAX, Lines};

/// The keys under which a line that is a whole run keeps its messages.
const MESSAGES: [&str; 2] = ["messages", "traj"];

/// Answers every line of every input and hands the answers over in their order.
pub(super) fn assess(
    plan: &Plan,
    inputs: Vec<PathBuf>,
    jobs: NonZeroUsize,
    take: impl FnMut(Answer) -> io::Result<()>,
) -> io::Result<()> {
    let several = inputs.len() > 1;
    ordered(jobs, Batches::of(inputs), |batch| answer(plan, several, batch), take)
}

fn answer(plan: &Plan, several: bool, batch: Batch) -> Answer {
    match batch {
        Batch::Lines(lines) => {
            let file = several.then(|| lines.file.as_path());
            answer_lines(plan, file, &lines)
        }
        Batch::TooLong { file, line, bytes } => {
            let mut answer = Answer { step: bytes, ..Answer::default() };
            let file = several.then(|| file.as_path());
            let message = format!("cannot read a line longer than {LINE_MAX} bytes");
            refuse(plan, file, line, &message, &mut answer);
            answer
        }
        Batch::Broken { file, failure } => {
            let mut answer = Answer::default();
            answer.tally.add_failure(failure.code());
            if plan.print == Print::Json {
                answer.text = format!("{}\n", failure.document(Some(&file)));
            }
            answer.complaint = Some(failure);
            answer
        }
    }
}

fn answer_lines(plan: &Plan, file: Option<&Path>, lines: &Lines) -> Answer {
    let step = u64::try_from(lines.bytes.len()).unwrap_or(u64::MAX);
    let mut answer = Answer { step, ..Answer::default() };
    for (number, line) in lines.iter() {
        if let Err(message) = answer_line(plan, line, &mut answer) {
            refuse(plan, file, number, &message, &mut answer);
        }
    }
    answer
}

/// Answers one line, or says why it cannot be.
fn answer_line(plan: &Plan, line: &[u8], answer: &mut Answer) -> Result<(), String> {
    let record = Record::parse_any(line);
    if may_be_a_run(line, &record)
        && let Some(session) = session(plan, line)?
    {
        let standing = Standing::of(&session, &session.turn.rows, &plan.declarations);
        let standing = standing.map_err(|error| format!("cannot {error}"))?;
        answer.tally.add(&standing.assessment);
        if plan.print == Print::Json {
            document::push_line(&mut answer.text, &standing);
        }
        return Ok(());
    }
    let record = record.map_err(|error| match error {
        // The original's own words.
        RecordError::Caller(mistake) => mistake.to_string(),
        other => format!("cannot {other}"),
    })?;
    let assessment = fold(&record, &plan.declarations);
    answer.tally.add(&assessment);
    if plan.print == Print::Json {
        assessment.write_json(&mut answer.text);
        answer.text.push('\n');
    }
    Ok(())
}

/// Whether a line that shows no key of a record holds the messages of a run.
fn may_be_a_run(line: &[u8], record: &Result<Record<'_>, RecordError>) -> bool {
    match record {
        Ok(record) if record.is_recognised() => false,
        Ok(record) => record.root().object().is_some_and(|root| {
            let lists = root.pick(MESSAGES).into_iter().flatten();
            lists.into_iter().any(|list| list.kind() == Kind::Array)
        }),
        Err(RecordError::Caller(_)) => line.trim_ascii_start().starts_with(b"["),
        Err(_) => false,
    }
}

/// The run that a line holds; none where it holds no messages after all.
fn session(plan: &Plan, line: &[u8]) -> Result<Option<Session<StandingRows>>, String> {
    match quittance_hosts::read(Cursor::new(line), plan.options.clone()) {
        Ok(session) => Ok(Some(session)),
        Err(ReadError::Unknown { .. }) => Ok(None),
        Err(error) => Err(format!("cannot {error}")),
    }
}

fn refuse(plan: &Plan, file: Option<&Path>, line: u64, message: &str, answer: &mut Answer) {
    answer.tally.add_bad_line();
    if plan.print == Print::Json {
        document::push_bad_line(&mut answer.text, file, line, message);
    }
}
