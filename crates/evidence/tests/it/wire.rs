//! Every word an answer has on the wire, as it is named and as it is serialized.

use quittance_evidence::semantics::ActionRole;
use quittance_evidence::transcript::{LifecycleStatus, Origin, Outcome};
use quittance_evidence::{EvidenceRole, Observed};
use serde::Serialize;

fn check<T: Serialize>(words: &[(T, &str, &str)]) {
    for (answer, named, word) in words {
        assert_eq!(named, word);
        assert_eq!(serde_json::to_value(answer).unwrap(), *word);
    }
}

#[test]
fn outcomes_origins_and_statuses() {
    let outcomes = [(Outcome::Ok, "ok"), (Outcome::Error, "error"), (Outcome::Unknown, "unknown")];
    check(&outcomes.map(|(answer, word)| (answer, answer.as_str(), word)));
    let origins = [(Origin::Dispatch, "dispatch"), (Origin::HarnessRepair, "harness_repair")];
    check(&origins.map(|(answer, word)| (answer, answer.as_str(), word)));
    let statuses = [
        (LifecycleStatus::Completed, "completed"),
        (LifecycleStatus::Pending, "pending"),
        (LifecycleStatus::Ambiguous, "ambiguous"),
    ];
    check(&statuses.map(|(answer, word)| (answer, answer.as_str(), word)));
}

#[test]
fn readings_and_roles() {
    let readings =
        [(Observed::Passed, "passed"), (Observed::Failed, "failed"), (Observed::NotRun, "not_run")];
    check(&readings.map(|(answer, word)| (answer, answer.as_str(), word)));
    let roles = [
        (EvidenceRole::AssistantOutput, "assistant_output"),
        (EvidenceRole::DeterministicVerification, "deterministic_verification"),
        (EvidenceRole::MutationSummary, "mutation_summary"),
    ];
    check(&roles.map(|(answer, word)| (answer, answer.as_str(), word)));
    assert!(roles.iter().all(|(answer, word)| EvidenceRole::parse(word) == Some(*answer)));
    for (answer, word) in [
        (ActionRole::Observation, "observation"),
        (ActionRole::Mutation, "mutation"),
        (ActionRole::Verification, "verification"),
        (ActionRole::Other, "other"),
    ] {
        assert_eq!(serde_json::to_value(answer).unwrap(), word);
    }
}
