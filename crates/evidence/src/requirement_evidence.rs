//! The typed records that a requirement row may cite, apart from the calls themselves.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::canonical::Digest;
use crate::clip;
use crate::contract::EvidenceRole;
use crate::packet::{ARTIFACT_SAMPLE, MUTATION_EVIDENCE_INDEX};
use crate::verification::{Observed, VERIFICATION_EVIDENCE_INDEX};

/// Evidence index of the candidate's final words.
pub const OUTPUT_EVIDENCE_INDEX: i64 = -1;

/// An artifact id longer than a label keeps this many characters before its digest.
const ARTIFACT_PREFIX: usize = 80;

/// The record of what completed calls changed; none when nothing was.
#[must_use]
pub(crate) fn mutation_summary<'a>(
    paths: impl ExactSizeIterator<Item = &'a String> + Clone,
) -> Option<Value> {
    let count = paths.len();
    if count == 0 {
        return None;
    }
    let all = Value::from(paths.clone().map(String::as_str).collect::<Vec<_>>());
    let sample: Vec<String> = paths.take(ARTIFACT_SAMPLE).map(|path| bounded_id(path)).collect();
    Some(json!({
        "evidence_index": MUTATION_EVIDENCE_INDEX,
        "role": EvidenceRole::MutationSummary.as_str(),
        "supports_completion": true,
        "summary": format!("Changed {count} artifact(s) across this session."),
        "representative_artifact_ids": sample,
        "artifact_count": count,
        "artifact_set_digest": Digest::of(&all).to_string(),
        "measurement": "observed",
    }))
}

/// A long id keeps a readable head and its digest, so that no artifact is lost silently.
fn bounded_id(path: &str) -> String {
    if path.chars().count() <= clip::LABEL.limit {
        return path.to_owned();
    }
    let head = clip::head(path, ARTIFACT_PREFIX);
    format!("{head}…#{}", Digest::of_bytes(path.as_bytes()))
}

/// Replaces the records of the final words and of the verifier in a packet; every other record is
/// carried as it is, even one that is ill-typed.
pub fn bind(packet: &mut Value, candidate: &str, observed: Option<Observed>) {
    let Some(fields) = packet.as_object_mut() else { return };
    let old = fields.get("requirement_evidence").and_then(Value::as_array).cloned();
    let replaced: BTreeSet<i64> = [OUTPUT_EVIDENCE_INDEX, VERIFICATION_EVIDENCE_INDEX].into();
    let is_kept = |record: &Value| !index(record).is_some_and(|index| replaced.contains(&index));
    let mut records: Vec<Value> = old.into_iter().flatten().filter(is_kept).collect();
    records.extend(output_record(candidate));
    records.extend(observed.map(verification_record));
    fields.insert("requirement_evidence".to_owned(), Value::Array(records));
}

/// The index a record claims. `-1.0` equals `-1`, as the original compares numbers.
fn index(record: &Value) -> Option<i64> {
    let number = record.get("evidence_index")?;
    let exact = |wanted: &i64| number.as_f64() == Some(if *wanted == -1 { -1.0 } else { -2.0 });
    number
        .as_i64()
        .or_else(|| [OUTPUT_EVIDENCE_INDEX, VERIFICATION_EVIDENCE_INDEX].into_iter().find(exact))
}

fn output_record(candidate: &str) -> Option<Value> {
    let words = candidate.trim();
    (!words.is_empty()).then(|| {
        json!({
            "evidence_index": OUTPUT_EVIDENCE_INDEX,
            "role": EvidenceRole::AssistantOutput.as_str(),
            "supports_completion": true,
            "summary": clip::FIELD.apply(words),
            "representative_artifact_ids": [],
            "measurement": "present",
        })
    })
}

fn verification_record(observed: Observed) -> Value {
    let word = observed.as_str();
    json!({
        "evidence_index": VERIFICATION_EVIDENCE_INDEX,
        "role": EvidenceRole::DeterministicVerification.as_str(),
        "supports_completion": observed == Observed::Passed,
        "summary": format!("Deterministic verification observed `{word}`."),
        "representative_artifact_ids": [],
        "measurement": word,
    })
}
