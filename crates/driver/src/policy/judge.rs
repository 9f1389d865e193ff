//! `[judge.verification]` and `[judge.completion]`: who is asked, how often and for how long.

use quittance_judge::admit::{DEFAULT_OPERATION_MS, DEFAULT_RESERVE_MS};
use serde::{Deserialize, Serialize};

use super::command::Command;
use super::table::Table;
use super::{PolicyError, PolicyProblem};
use crate::judge::JudgeKind;

/// A judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct JudgePolicy {
    /// Who answers.
    pub source: JudgeSource,
    /// The model, or what the judge is called where it is none.
    pub model: String,
    /// How often it may be asked in one turn; 0 is no limit (the turn's own stays).
    pub max_invocations: u32,
    /// How long one question may take, in ms.
    pub operation_timeout_ms: u32,
    /// What is kept back before the deadline, in ms.
    pub deadline_reserve_ms: u32,
    /// What it goes by; blank for nothing of its own.
    pub rubric: String,
}

/// Who answers a judge's questions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::exhaustive_enums, reason = "a driver must act on each")]
pub enum JudgeSource {
    /// A provider, by name, or a compatible server.
    Provider {
        /// The provider; of a compatible server, whose form it speaks.
        provider: Option<String>,
        /// The server, where it is not the provider's own.
        base_url: Option<String>,
    },
    /// A child process.
    Command {
        /// What is run.
        command: Command,
    },
    /// Recorded replies. Their file is not part of the record: what they say is.
    Tape {
        /// The file, relative to the policy's folder.
        #[serde(skip)]
        file: String,
    },
}

impl JudgeSource {
    /// The kind, as a receipt names it.
    #[must_use]
    pub const fn kind(&self) -> JudgeKind {
        match self {
            Self::Provider { .. } => JudgeKind::Provider,
            Self::Command { .. } => JudgeKind::Command,
            Self::Tape { .. } => JudgeKind::Tape,
        }
    }
}

/// How often a judge is asked when the file does not say: each time is paid for.
const DEFAULT_MAX_INVOCATIONS: u32 = 3;

const KEYS: [&str; 9] = [
    "provider",
    "base_url",
    "model",
    "max_invocations",
    "operation_timeout_ms",
    "deadline_reserve_ms",
    "rubric",
    "command",
    "tape",
];

impl JudgePolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&KEYS)?;
        let source = source(&table)?;
        let model = match (table.text("model")?, &source) {
            (Some(model), _) => model,
            (None, JudgeSource::Provider { .. }) => {
                return Err(table.problem("model", PolicyProblem::Missing));
            }
            (None, other) => other.kind().as_str().to_owned(),
        };
        Ok(Self {
            source,
            model,
            max_invocations: table.whole("max_invocations")?.unwrap_or(DEFAULT_MAX_INVOCATIONS),
            operation_timeout_ms: table.positive("operation_timeout_ms")?.unwrap_or(OPERATION_MS),
            deadline_reserve_ms: table.whole("deadline_reserve_ms")?.unwrap_or(RESERVE_MS),
            rubric: table.any_text("rubric")?.unwrap_or_default(),
        })
    }

    /// The judge that a tape stands for, whatever else the policy says of the slot.
    #[must_use]
    pub fn on_tape(file: &str) -> Self {
        Self {
            source: JudgeSource::Tape { file: file.to_owned() },
            model: JudgeKind::Tape.as_str().to_owned(),
            max_invocations: DEFAULT_MAX_INVOCATIONS,
            operation_timeout_ms: OPERATION_MS,
            deadline_reserve_ms: RESERVE_MS,
            rubric: String::new(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a constant of sixty thousand")]
const OPERATION_MS: u32 = DEFAULT_OPERATION_MS as u32;
#[expect(clippy::cast_possible_truncation, reason = "a constant of five thousand")]
const RESERVE_MS: u32 = DEFAULT_RESERVE_MS as u32;

/// Exactly one way to reach the judge.
fn source(table: &Table<'_>) -> Result<JudgeSource, PolicyError> {
    let provider = table.text("provider")?;
    let base_url = table.text("base_url")?;
    let command = table.item("command").map(|item| Command::read(&item)).transpose()?;
    let tape = table.text("tape")?;
    let is_reached = provider.is_some() || base_url.is_some();
    let conflict = |key| Err(table.problem(key, PolicyProblem::OneSource));
    match (command, tape) {
        (Some(_), _) if is_reached || tape_given(table) => conflict("command"),
        (None, Some(_)) if is_reached => conflict("tape"),
        (Some(command), _) => Ok(JudgeSource::Command { command }),
        (None, Some(file)) => Ok(JudgeSource::Tape { file }),
        (None, None) if is_reached => Ok(JudgeSource::Provider { provider, base_url }),
        (None, None) => Err(table.problem("provider", PolicyProblem::NoSource)),
    }
}

fn tape_given(table: &Table<'_>) -> bool {
    table.item("tape").is_some()
}
