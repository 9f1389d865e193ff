//! A cheap question before a judge is asked. It may find that something is missing; it can never
//! approve, and whatever is not clear goes to the judge.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use quittance_evidence::canonical::{self, Digest};
use quittance_evidence::value::{field, text};
use quittance_evidence::verification::VerificationState;

use crate::ledger::{Report, RowStatus};
use crate::policy::{Precheck, PrecheckFact};

/// The input an evaluator may be given: 16 000 characters of base64.
const INPUT_BYTES_MAX: usize = 12_000;
/// The choice that names no row: the claim itself has nothing behind it.
const UNVERIFIABLE: &str = "unverifiable_claim";

/// What the precheck decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum PrecheckAction {
    /// The judge is asked.
    FullJudge,
    /// The run goes on.
    Continue,
    /// The run ends: whoever runs it said so.
    ControlStop,
}

/// The precheck's result.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PrecheckResult {
    /// What it decides.
    pub action: PrecheckAction,
    /// Why.
    pub reason: String,
    /// The digest of what was, or would have been, asked.
    pub input_digest: String,
    /// The row that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_id: Option<String>,
    /// Its sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_name: Option<String>,
    /// What the evaluator answered, as given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Value>,
}

/// What an evaluator is asked: whether all is achieved, and if not, which choice is missing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PrecheckQuestion {
    /// The facts, bounded.
    pub input: Value,
    /// Their digest.
    pub input_digest: String,
    /// The choices, by id, with their sentences.
    pub choices: BTreeMap<String, String>,
    /// The evaluator's own settings, as configured.
    pub evaluation: Value,
    achieved_ceiling: f64,
    missing_confidence_floor: f64,
}

/// What a precheck is read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecheckReading<'a> {
    pub(crate) config: &'a Precheck,
    pub(crate) ledger: &'a Report,
    pub(crate) verification: Option<&'a VerificationState>,
    pub(crate) last_claim: &'a str,
    pub(crate) is_amended: bool,
}

/// Makes the question, or hands over to the judge.
pub(crate) fn prepare(
    reading: PrecheckReading<'_>,
) -> Result<PrecheckQuestion, Box<PrecheckResult>> {
    let config = reading.config;
    let input = input(reading);
    let input_digest = Digest::of(&input).to_string();
    let hand_over = |reason: &str| Box::new(handed_over(reason, input_digest.clone(), None));
    // What an amended goal asks for is the judge's to read.
    if reading.is_amended {
        return Err(hand_over("amended_obligations"));
    }
    if canonical::to_text(&input).len() > INPUT_BYTES_MAX {
        return Err(hand_over("input_too_large"));
    }
    let floor = config.missing_confidence_floor;
    // A bound that is not a number lies in no range.
    let is_policy = (0.0..0.5).contains(&config.achieved_ceiling) && floor > 0.5 && floor <= 1.0;
    if !is_policy {
        return Err(hand_over("invalid_policy"));
    }
    let choices = choices(reading.ledger).ok_or_else(|| hand_over("invalid_acceptance"))?;
    Ok(PrecheckQuestion {
        input,
        input_digest,
        choices,
        evaluation: config.evaluation.clone(),
        achieved_ceiling: config.achieved_ceiling,
        missing_confidence_floor: floor,
    })
}

fn handed_over(reason: &str, input_digest: String, evaluation: Option<Value>) -> PrecheckResult {
    PrecheckResult {
        action: PrecheckAction::FullJudge,
        reason: reason.to_owned(),
        input_digest,
        gap_id: None,
        gap_name: None,
        evaluation,
    }
}

fn input(reading: PrecheckReading<'_>) -> Value {
    let cited = |refs: &[i64]| -> Vec<String> {
        refs.iter().map(|index| format!("evidence:{index}")).collect()
    };
    let acceptance: Vec<Value> = reading
        .ledger
        .rows()
        .iter()
        .map(|row| {
            let met = match row.status {
                RowStatus::Met => Some(true),
                RowStatus::Unmet => Some(false),
                RowStatus::Missing | RowStatus::Unsupported => None,
            };
            let refs = cited(&row.evidence_refs);
            json!({"id": row.requirement_id, "name": row.name, "met": met, "evidence_refs": refs})
        })
        .collect();
    let verification: Vec<Value> = reading
        .verification
        .map(|state| {
            let refs = state.observed_at_evidence_index.map(|index| cited(&[index]));
            let refs = refs.unwrap_or_default();
            let observed = state.observed.as_str();
            json!({"name": state.command, "outcome": observed, "evidence_refs": refs})
        })
        .into_iter()
        .collect();
    json!({
        "acceptance": acceptance,
        "verification": verification,
        "commit": fact(&reading.config.commit),
        "pull_request": fact(&reading.config.pull_request),
        "last_claim": reading.last_claim,
    })
}

fn fact(fact: &PrecheckFact) -> Value {
    json!({"observed": fact.observed, "evidence_refs": fact.evidence_refs})
}

/// The choices; none when an id is blank, used twice or reserved, or a name is blank.
fn choices(ledger: &Report) -> Option<BTreeMap<String, String>> {
    let claim = "Nothing observed bears out what the agent claims.".to_owned();
    let mut choices = BTreeMap::from([(UNVERIFIABLE.to_owned(), claim)]);
    for row in ledger.rows() {
        let is_blank = row.requirement_id.trim().is_empty() || row.name.trim().is_empty();
        let earlier = choices.insert(row.requirement_id.clone(), row.name.clone());
        if is_blank || earlier.is_some() {
            return None;
        }
    }
    Some(choices)
}

impl PrecheckQuestion {
    /// Reads an evaluator's answer of any shape.
    #[must_use]
    pub fn read(&self, answer: &Value) -> PrecheckResult {
        let recorded =
            |reason: &str| handed_over(reason, self.input_digest.clone(), Some(answer.clone()));
        let stop = |reason: &str| PrecheckResult {
            action: PrecheckAction::ControlStop,
            ..recorded(reason)
        };
        let limit = field(answer, "limit").and_then(Value::as_str);
        match text(field(answer, "kind")).as_str() {
            "cancelled" => stop("cancelled"),
            "budget_cut" if limit.is_some_and(|limit| RUN_LIMITS.contains(&limit)) => {
                stop("budget_cut")
            }
            "answered" => match self.missing(answer) {
                None => recorded("invalid_answer_shape"),
                Some(None) => recorded("inconclusive"),
                Some(Some((id, name))) => PrecheckResult {
                    action: PrecheckAction::Continue,
                    gap_id: Some(id.clone()),
                    gap_name: Some(name.clone()),
                    ..recorded("confident_missing_evidence")
                },
            },
            "" => recorded("invalid_answer_shape"),
            kind => recorded(kind),
        }
    }

    /// The choice that is confidently missing; nothing inside when it is not confident, and
    /// nothing at all when the answer has not the shape of one.
    fn missing(&self, answer: &Value) -> Option<Option<(&String, &String)>> {
        let value = field(answer, "value")?;
        let part = |key: &str, kind: &str| {
            let part = field(value, key)?;
            (field(part, "kind")?.as_str()? == kind).then_some(part)
        };
        let (achieved, missing) = (part("achieved", "boolean")?, part("missing", "choice")?);
        let is_achieved = field(achieved, "verdict")?.as_bool()?;
        let confidence = field(achieved, "confidence")?.as_f64()?;
        let missing_confidence = field(missing, "confidence")?.as_f64()?;
        let choice = field(missing, "choice")?.as_str()?;
        let is_confident = !is_achieved
            && confidence >= 1.0 - self.achieved_ceiling
            && missing_confidence >= self.missing_confidence_floor;
        Some(self.choices.get_key_value(choice).filter(|_| is_confident))
    }
}

/// Limits that belong to the run, not to the evaluator.
const RUN_LIMITS: [&str; 3] = ["parent_budget", "deadline", "run_cost"];
