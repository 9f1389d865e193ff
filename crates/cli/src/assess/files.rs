//! Inputs that are a file each: one record, or one transcript.
//!
//! A record is told by its own keys. To tell it only the first line is read, or, where that is the
//! beginning of a document, all of it; a transcript is then read as a stream.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use quittance_assess::json::FaultKind;
use quittance_assess::{Record, RecordError, assess as fold, how_sure};
use quittance_driver::{Standing, StandingRows};
use quittance_hosts::{Input, ReadError, Session};

use super::answer::Answer;
use super::failure::Failure;
use super::ordered::ordered;
use super::{Plan, Print, document};
use crate::{exit, input, render};

/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// What does not go on as one document within so many lines after its first holds a value a line.
const LINES_TRIED: usize = 3;

/// The mark that some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Assesses every file and hands the answers over in the order of the files.
pub(super) fn assess(
    plan: &Plan,
    inputs: Vec<PathBuf>,
    jobs: NonZeroUsize,
    take: impl FnMut(Answer) -> io::Result<()>,
) -> io::Result<()> {
    ordered(jobs, inputs.into_iter(), |path| answer(plan, &path), take)
}

fn answer(plan: &Plan, path: &Path) -> Answer {
    let mut answer = Answer { step: 1, ..Answer::default() };
    if let Err(failure) = assess_file(plan, path, &mut answer) {
        answer.tally.add_failure(failure.code());
        if plan.print == Print::Json {
            answer.text = format!("{}\n", failure.document(Some(path)));
        } else {
            answer.complaint = Some(failure);
        }
    }
    answer
}

fn assess_file(plan: &Plan, path: &Path, answer: &mut Answer) -> Result<(), Failure> {
    let failed = |source| Failure::open(path, source);
    let file = input::open(path).map_err(Failure::Input)?;
    let mut input = BufReader::with_capacity(CHUNK, file);
    let mut text = first_line(&mut input).map_err(failed)?;
    let goes_on = match Record::parse_any(unmarked(&text)) {
        Ok(record) if record.is_recognised() => {
            if !rest_is_blank(&mut input).map_err(failed)? {
                return Err(Failure::SeveralRecords { path: path.to_owned() });
            }
            of_record(plan, path, &record, answer);
            return Ok(());
        }
        Ok(_) => false,
        Err(error) => is_unended(&error),
    };
    if goes_on && gather(&mut input, &mut text).map_err(failed)? {
        match Record::parse_any(unmarked(&text)) {
            Ok(record) if record.is_recognised() => {
                of_record(plan, path, &record, answer);
                return Ok(());
            }
            Err(source) if is_beyond_us(&source) => {
                return Err(Failure::Record { path: path.to_owned(), source });
            }
            Ok(_) | Err(_) => {}
        }
    }
    drop(text);
    input.rewind().map_err(failed)?;
    of_transcript(plan, path, input, answer)
}

// ---- telling a record

/// The first line that holds something.
fn first_line(input: &mut BufReader<Input<File>>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        if !unmarked(&line).iter().all(u8::is_ascii_whitespace) {
            break;
        }
        line.clear();
    }
    Ok(line)
}

/// Adds the rest of a document to its first line, unless the next lines show that it is none.
fn gather(input: &mut BufReader<Input<File>>, text: &mut Vec<u8>) -> io::Result<bool> {
    for _ in 0..LINES_TRIED {
        input.read_until(b'\n', text)?;
    }
    let begins = match Record::parse_any(unmarked(text)) {
        Ok(_) | Err(RecordError::Caller(_)) => true,
        Err(error) => is_unended(&error) || is_beyond_us(&error),
    };
    if begins {
        input.read_to_end(text)?;
    }
    Ok(begins)
}

fn rest_is_blank(input: &mut BufReader<Input<File>>) -> io::Result<bool> {
    loop {
        let read = input.fill_buf()?;
        if read.is_empty() {
            return Ok(true);
        }
        if !read.iter().all(u8::is_ascii_whitespace) {
            return Ok(false);
        }
        let length = read.len();
        input.consume(length);
    }
}

/// Whether nothing is wrong with a text but that it ends within a value.
fn is_unended(error: &RecordError) -> bool {
    matches!(error, RecordError::Text(fault) if fault.kind == FaultKind::End)
}

/// Whether a text is past a limit of ours, so that nobody can tell what it is.
fn is_beyond_us(error: &RecordError) -> bool {
    let beyond = [FaultKind::TooDeep, FaultKind::TooLong];
    matches!(error, RecordError::Text(fault) if beyond.contains(&fault.kind))
}

pub(super) fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

// ---- answers

fn of_record(plan: &Plan, path: &Path, record: &Record<'_>, answer: &mut Answer) {
    let assessment = fold(record, &plan.declarations);
    answer.tally.add(&assessment);
    match plan.print {
        Print::Nothing => {}
        Print::Json => answer.text = document::of_record(path, &assessment),
        Print::People => {
            let words = how_sure(record, &assessment);
            answer.text = render::assess::record(path, &assessment, &words);
        }
    }
}

fn of_transcript(
    plan: &Plan,
    path: &Path,
    input: BufReader<Input<File>>,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let session: Session<StandingRows> = quittance_hosts::read(input, plan.options.clone())
        .map_err(|source| not_read(path, source))?;
    let standing = Standing::of(&session, &session.turn.rows, &plan.declarations)
        .map_err(|source| Failure::Standing { path: path.to_owned(), source })?;
    answer.tally.add(&standing.assessment);
    match plan.print {
        Print::Nothing => {}
        Print::Json => answer.text = document::of_transcript(path, &session, &standing),
        Print::People => {
            answer.text = render::assess::transcript(path, &document::run(&session), &standing);
        }
    }
    Ok(())
}

fn not_read(path: &Path, source: ReadError) -> Failure {
    let path = path.to_owned();
    match source {
        ReadError::Unknown { found, .. } => Failure::Neither { path, found },
        source => Failure::Input(exit::Failure::Transcript { path, source }),
    }
}
