//! The two rules that turn a model's refusal into an approval, and what they leave on the record.
//!
//! Both need a declared verifier that ran and passed. Neither touches the judge's own words.

use crate::verdict::{Override, Rule, Source, StageVerdict, VerdictWord};
use crate::verifier::VerifierReading;

/// Applies both rules to a judge's verdict, the first one first.
#[must_use]
pub fn arbitrate(verdict: StageVerdict, verifier: &VerifierReading<'_>) -> StageVerdict {
    match rule(&verdict, verifier) {
        Some(rule) => convert(verdict, rule),
        None => verdict,
    }
}

fn rule(verdict: &StageVerdict, verifier: &VerifierReading<'_>) -> Option<Rule> {
    if !verdict.vetoed || !verdict.is_a_models() {
        return None;
    }
    let class = verdict.gap_class?;
    if verifier.overrules_failed_verification(class) {
        return Some(Rule::FailedVerificationContradicted);
    }
    let contradicts = verdict.reason.as_deref() == Some(Rule::GapContradictsDone.as_str());
    (contradicts && verifier.overrules_contradiction(class, verdict.contradiction_reasked))
        .then_some(Rule::ContradictionSurvived)
}

fn convert(verdict: StageVerdict, rule: Rule) -> StageVerdict {
    let own = verdict.judge_verdict.or(verdict.verdict).unwrap_or(VerdictWord::Continue);
    StageVerdict {
        vetoed: false,
        verdict: Some(VerdictWord::Done),
        feedback: None,
        next_step: Some(String::new()),
        source: Some(Source::Gate),
        overruled: Some(Override::by(rule, own)),
        converted_from: Some(rule.as_str().to_owned()),
        reason: Some(rule.as_str().to_owned()),
        ..verdict
    }
}
