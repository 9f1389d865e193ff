//! One judge's configuration, read from JSON once.

use serde_json::{Map, Value};

use quittance_evidence::contract::{Contract, ContractError};
use quittance_evidence::value::{field, text, type_name};

use super::cadence::Cadence;
use super::goal::GoalSpec;
use crate::admit::{DEFAULT_OPERATION_MS, DEFAULT_RESERVE_MS};

/// A judge.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeConfig {
    /// Whose model.
    pub provider: Option<String>,
    /// Which model.
    pub model: Option<String>,
    /// How the judge is addressed.
    pub system: String,
    /// What it goes by, if not by the run's own rubric.
    pub rubric: Option<String>,
    /// A goal with criteria, which then also makes the system text.
    pub goal: Option<GoalSpec>,
    /// What the agent is told when a refusal says nothing.
    pub feedback_fallback: String,
    /// How often it may be asked; 0 is no limit.
    pub max_invocations: Option<i64>,
    /// How long the provider may take, in ms.
    pub timeout_ms: Option<i64>,
    /// How long one question may take, in ms.
    pub operation_timeout_ms: i64,
    /// What is kept back before the deadline, in ms.
    pub deadline_reserve_ms: i64,
    /// What it must assess row by row.
    pub contract: Option<Contract>,
    /// A cheap question that may refuse, before the judge is asked.
    pub precheck: Option<Precheck>,
    /// When it is due.
    pub cadence: Cadence,
    /// What is passed on to the model.
    pub tuning: Tuning,
}

/// What is passed on to a model as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// Keys of `temperature`, `max_tokens`, `top_p`, `tool_format`, `effort` that are set.
    pub overrides: Map<String, Value>,
}

const TUNING_KEYS: [&str; 5] = ["temperature", "max_tokens", "top_p", "tool_format", "effort"];

/// A question that may refuse and never approve.
#[derive(Clone, Debug, PartialEq)]
pub struct Precheck {
    /// How sure the evaluator must be that something is missing: it must find that all is
    /// achieved with less than this. In `[0, 0.5)`.
    pub achieved_ceiling: f64,
    /// How sure it must be of what is missing. In `(0.5, 1]`.
    pub missing_confidence_floor: f64,
    /// What the evaluator is given besides, as given.
    pub evaluation: Value,
    /// Whether the work was committed.
    pub commit: PrecheckFact,
    /// Whether a pull request was opened.
    pub pull_request: PrecheckFact,
}

/// A fact that may be unknown, which is not the same as observed not to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrecheckFact {
    /// What was observed.
    pub observed: Option<bool>,
    /// What shows it.
    pub evidence_refs: Vec<String>,
}

impl Default for JudgeConfig {
    /// A judge of which nothing is said: an empty system text and no fallback.
    fn default() -> Self {
        Self {
            provider: None,
            model: None,
            system: String::new(),
            rubric: None,
            goal: None,
            feedback_fallback: String::new(),
            max_invocations: None,
            timeout_ms: None,
            operation_timeout_ms: DEFAULT_OPERATION_MS,
            deadline_reserve_ms: DEFAULT_RESERVE_MS,
            contract: None,
            precheck: None,
            cadence: Cadence::default(),
            tuning: Tuning::default(),
        }
    }
}

impl JudgeConfig {
    /// The judge that `true` stands for: default texts and settings.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            system: "You judge whether an autonomous agent may stop now. Look at whether what it \
                     last showed the user is safe to hand over and complete. Judge the work; \
                     markers and layout are enforced elsewhere and are never a reason to go on. \
                     Answer with one JSON object and nothing else."
                .to_owned(),
            feedback_fallback: "The judge is not satisfied. Take the smallest next step that \
                                changes the work, and show it with a tool rather than with words."
                .to_owned(),
            ..Self::default()
        }
    }

    /// Normalizes an option: null, `false` and what is neither flag nor object are no judge.
    ///
    /// # Errors
    /// When an object holds a removed key, a number out of range or a malformed contract.
    pub fn normalize(value: &Value) -> Result<Option<Self>, ConfigError> {
        match value {
            Value::Bool(true) => Ok(Some(Self::standard())),
            Value::Object(fields) => Self::read(value, fields).map(Some),
            Value::Null
            | Value::Bool(false)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_) => Ok(None),
        }
    }

    fn read(value: &Value, fields: &Map<String, Value>) -> Result<Self, ConfigError> {
        for (key, instead) in REMOVED {
            if fields.contains_key(key) {
                return Err(ConfigError::Removed { key, instead });
            }
        }
        let contract = value.get("requirement_contract").unwrap_or(&Value::Null);
        let tuned = |key: &&str| field(value, key).is_some();
        let overrides = TUNING_KEYS.into_iter().filter(tuned);
        let overrides =
            overrides.filter_map(|key| Some((key.to_owned(), value.get(key)?.clone()))).collect();
        Ok(Self {
            provider: field(value, "provider").map(|provider| text(Some(provider))),
            model: field(value, "model").map(|model| text(Some(model))),
            system: text(field(value, "system")),
            rubric: field(value, "rubric").map(|rubric| text(Some(rubric))),
            goal: field(value, "goal").and_then(GoalSpec::read),
            feedback_fallback: text(field(value, "feedback_fallback")),
            max_invocations: integer(value, "max_invocations", 0)?,
            timeout_ms: integer(value, "timeout_ms", 1)?,
            operation_timeout_ms: integer(value, "operation_timeout_ms", 1)?
                .unwrap_or(DEFAULT_OPERATION_MS),
            deadline_reserve_ms: integer(value, "deadline_reserve_ms", 0)?
                .unwrap_or(DEFAULT_RESERVE_MS),
            contract: Contract::from_value(contract).map_err(ConfigError::Contract)?,
            precheck: field(value, "precheck").map(Precheck::read),
            cadence: Cadence::read(value.get("cadence")),
            tuning: Tuning { overrides },
        })
    }
}

impl Precheck {
    /// Reads a precheck. A bound that is no number lies outside every range, so the precheck then
    /// hands over to the judge.
    fn read(value: &Value) -> Self {
        let policy = value.get("policy").unwrap_or(&Value::Null);
        let number = |key| policy.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let facts = value.get("facts").unwrap_or(&Value::Null);
        Self {
            achieved_ceiling: number("achieved_ceiling"),
            missing_confidence_floor: number("missing_confidence_floor"),
            evaluation: policy.get("evaluation").cloned().unwrap_or_default(),
            commit: PrecheckFact::read(facts.get("commit")),
            pull_request: PrecheckFact::read(facts.get("pull_request")),
        }
    }
}

impl PrecheckFact {
    fn read(value: Option<&Value>) -> Self {
        let observed = value.and_then(|value| value.get("observed")).and_then(Value::as_bool);
        let refs = value.and_then(|value| value.get("evidence_refs")).and_then(Value::as_array);
        let refs = refs.into_iter().flatten().filter_map(Value::as_str);
        Self { observed, evidence_refs: refs.map(str::to_owned).collect() }
    }
}

/// Keys that once meant something, and what there is instead.
const REMOVED: [(&str, &str); 4] = [
    ("fail_open", "a judge that cannot answer never approves"),
    ("fail_open_on_error", "a judge that cannot answer never approves"),
    ("max_feedback", "use `max_invocations`"),
    ("enabled", "give `true` or `false` in place of the object"),
];

fn integer(value: &Value, key: &'static str, least: i64) -> Result<Option<i64>, ConfigError> {
    let Some(given) = field(value, key) else { return Ok(None) };
    let number =
        given.as_i64().ok_or_else(|| ConfigError::NotAnInteger { key, found: type_name(given) })?;
    if number < least {
        return Err(ConfigError::TooSmall { key, least, found: number });
    }
    Ok(Some(number))
}

/// Why a judge's configuration cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A key that was removed.
    #[error("read the judge: `{key}` was removed; {instead}")]
    Removed {
        /// The key.
        key: &'static str,
        /// What there is instead.
        instead: &'static str,
    },
    /// A number that is none.
    #[error("read the judge: `{key}` is a {found}, not an integer")]
    NotAnInteger {
        /// The key.
        key: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// A number that is too small.
    #[error("read the judge: `{key}` is {found}, less than {least}")]
    TooSmall {
        /// The key.
        key: &'static str,
        /// The least it may be.
        least: i64,
        /// What it is.
        found: i64,
    },
    /// A contract that cannot be read.
    #[error("read the judge: {0}")]
    Contract(ContractError),
}
