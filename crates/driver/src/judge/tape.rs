//! A judge whose replies were recorded earlier, one JSON object a line:
//!
//! ```jsonl
//! {"slot": "completion", "reply": "{\"verdict\": \"done\", \"detail\": \"…\"}"}
//! {"failed": "timeout", "message": "it did not answer in 60000 ms"}
//! ```
//!
//! Each line is used once, in order. A line that names a `slot` waits for that slot's question; one
//! that names a `question_digest` ([`Prompt::digest`](quittance_judge::prompt::Prompt::digest))
//! answers no other, and one recorded for another question stops its slot: a tape that has lost its
//! place must not go on by guessing. Asked beyond its end, a tape says so, and that is no answer.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply, Usage};
use quittance_judge::policy::Slot;
use serde::Deserialize;

use super::{Judge, JudgeKind};

/// A reply is at most a quarter of a mebibyte, and a turn asks a dozen times.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A tape being played. It is played once: its place is kept between boundaries.
#[derive(Debug)]
pub struct TapeJudge {
    /// What a person calls it.
    name: String,
    lines: Mutex<VecDeque<Line>>,
}

impl TapeJudge {
    /// Reads a tape from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or on the first line that is none.
    pub fn read(file: &Path) -> Result<Self, TapeError> {
        let text = read_text(file)
            .map_err(|cause| TapeError::Unreadable { file: file.to_owned(), cause })?;
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        Self::parse(&name, &text)
    }

    /// Reads a tape from its text. Blank lines count as lines and say nothing.
    ///
    /// # Errors
    /// On the first line that is none.
    pub fn parse(name: &str, text: &str) -> Result<Self, TapeError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let numbered = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let read = |(number, line)| {
            let problem = |cause| TapeError::Line { name: name.to_owned(), line: number, cause };
            Line::read(number, line).map_err(problem)
        };
        let lines = numbered.map(read).collect::<Result<_, _>>()?;
        Ok(Self { name: name.to_owned(), lines: Mutex::new(lines) })
    }

    /// How many lines are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn answer(&self, question: &JudgeQuestion) -> Reply {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = question.prompt.digest().to_string();
        let at = lines.iter().position(|line| line.slot.is_none_or(|slot| slot == question.slot));
        let is_other = |line: &&Line| line.question.as_ref().is_some_and(|known| *known != asked);
        if let Some(line) = at.and_then(|at| lines.get(at)).filter(is_other) {
            let (number, name) = (line.number, &self.name);
            return failed(format!("line {number} of the tape `{name}` answers another question"));
        }
        match at.and_then(|at| lines.remove(at)) {
            Some(line) => line.reply,
            None => {
                let slot = question.slot.as_str();
                failed(format!("the tape `{}` holds no more replies for {slot}", self.name))
            }
        }
    }
}

#[async_trait]
impl Judge for TapeJudge {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Tape
    }

    async fn ask(&self, question: &JudgeQuestion) -> Reply {
        self.answer(question)
    }
}

fn failed(message: String) -> Reply {
    Reply::Failed { failure: Failure::Other, message }
}

/// One line, read.
#[derive(Clone, Debug)]
struct Line {
    number: usize,
    slot: Option<Slot>,
    question: Option<String>,
    reply: Reply,
}

/// One line, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    reply: Option<String>,
    failed: Option<FailureWord>,
    message: Option<String>,
    usage: Option<Tokens>,
    slot: Option<Slot>,
    question_digest: Option<String>,
}

/// A failure by its word.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct FailureWord(Failure);

impl TryFrom<String> for FailureWord {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = Failure::ALL.into_iter().find(|failure| failure.as_str() == word);
        found.map(Self).ok_or_else(|| {
            let known = Failure::ALL.map(Failure::as_str).join(", ");
            format!("unknown failure `{word}`; known are {known}")
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Tokens {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
    cache_write_tokens: u64,
}

impl Line {
    fn read(number: usize, text: &str) -> Result<Self, LineProblem> {
        // A list of the same values would be read as well.
        if !text.trim_start().starts_with('{') {
            let message = "expected an object".to_owned();
            return Err(LineProblem::Shape { message, column: 1 });
        }
        let written: Written = serde_json::from_str(text).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let message = error.to_string();
            LineProblem::Shape {
                message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
                column: error.column(),
            }
        })?;
        let (slot, question) = (written.slot, written.question_digest.clone());
        Ok(Self { number, slot, question, reply: written.reply()? })
    }
}

impl Written {
    fn reply(self) -> Result<Reply, LineProblem> {
        match (self.reply, self.failed) {
            (Some(text), None) if self.message.is_none() => {
                let usage = self.usage.unwrap_or_default().into();
                Ok(Reply::Text { text, usage })
            }
            (None, Some(FailureWord(failure))) if self.usage.is_none() => {
                Ok(Reply::Failed { failure, message: self.message.unwrap_or_default() })
            }
            _ => Err(LineProblem::NotOne),
        }
    }
}

impl From<Tokens> for Usage {
    fn from(tokens: Tokens) -> Self {
        Self {
            input_tokens: tokens.input_tokens,
            output_tokens: tokens.output_tokens,
            cache_read_tokens: tokens.cache_read_tokens,
            cache_write_tokens: tokens.cache_write_tokens,
        }
    }
}

fn read_text(file: &Path) -> io::Result<String> {
    if !std::fs::metadata(file)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    File::open(file)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(io::Error::other(format!("it is longer than {BYTES_MAX} bytes")));
    }
    Ok(text)
}

/// Why a tape cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// The file cannot be read.
    #[error("read the tape `{}`: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A line is none.
    #[error("read line {line} of the tape `{name}`: {cause}")]
    Line {
        /// The tape.
        name: String,
        /// The line, from 1.
        line: usize,
        /// Why.
        cause: LineProblem,
    },
}

/// Why a line of a tape is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineProblem {
    /// It is no such object.
    #[error("{message} (column {column})")]
    Shape {
        /// What is wrong.
        message: String,
        /// Where, from 1.
        column: usize,
    },
    /// It is neither a reply nor a failure.
    #[error("give `reply`, with `usage` where it is known, or `failed` with a `message`")]
    NotOne,
}
