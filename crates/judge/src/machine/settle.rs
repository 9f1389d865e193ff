//! What a judge's reply of record amounts to, once every question about it has been put.

use serde_json::Value;

use crate::ledger::{Report, pending_feedback, unassessed_feedback};
use crate::policy::JudgeConfig;
use crate::reply::Decoded;
use crate::verdict::{Override, Rule, Source, StageVerdict, VerdictWord};

/// A reply of record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled<'a> {
    /// What it gives as its report, of any shape.
    pub(super) rows: Option<&'a Value>,
    pub(super) decoded: &'a Decoded,
    pub(super) is_omitted: bool,
    pub(super) contradiction_reasked: bool,
}

/// The reason of a judge that approved and, asked again, assessed no row.
const OMITTED: &str = "completion_judge_report_omitted";

/// What overrules the reply, if anything does.
#[derive(Clone, Copy, Debug)]
struct Overruling<'a> {
    /// The report of a judge that, asked again, assessed no row.
    unassessed: Option<&'a Report>,
    /// The report with open rows that the judge did assess.
    pending: Option<&'a Report>,
    contradicts: bool,
}

impl<'a> Settled<'a> {
    fn overruling(&self, config: &JudgeConfig) -> Overruling<'a> {
        let report = self.decoded.requirement_report.as_ref();
        // A refusal that assessed nothing closes no ledger: there is nothing to fail closed
        // against, and the agent needs the judge's own words.
        let declined = !self.is_omitted && Report::is_omitted(config.contract.as_ref(), self.rows);
        Overruling {
            unassessed: report.filter(|_| self.is_omitted),
            pending: report.filter(|report| !report.is_complete() && !declined),
            contradicts: self.decoded.contradicts_itself(),
        }
    }
}

impl Overruling<'_> {
    /// The rule under which the verdict becomes `continue`.
    const fn rule(&self) -> Option<Rule> {
        match (self.pending, self.contradicts) {
            (Some(_), _) => Some(Rule::RequirementsPending),
            (None, true) => Some(Rule::GapContradictsDone),
            (None, false) => None,
        }
    }

    fn detail(&self, decoded: &Decoded) -> String {
        if let Some(report) = self.unassessed {
            unassessed_feedback(report)
        } else if let Some(report) = self.pending {
            pending_feedback(report)
        } else if self.contradicts {
            decoded.contradiction_feedback()
        } else {
            decoded.detail.clone()
        }
    }

    fn reason(&self) -> Option<String> {
        let rule = self.rule().map(Rule::as_str);
        if self.unassessed.is_some() { Some(OMITTED.to_owned()) } else { rule.map(str::to_owned) }
    }
}

/// Settles a reply: rows and gaps outrank the word `done`; a refusal stays one.
pub(super) fn settle(settled: &Settled<'_>, config: &JudgeConfig) -> StageVerdict {
    let decoded = settled.decoded;
    let overruling = settled.overruling(config);
    let own = if decoded.is_done() { VerdictWord::Done } else { VerdictWord::Continue };
    let verdict = if overruling.rule().is_some() { VerdictWord::Continue } else { own };
    let refuses = verdict == VerdictWord::Continue;
    let is_overruled = verdict != own;
    let detail = overruling.detail(decoded);
    let fallback = &config.feedback_fallback;
    let feedback = if detail.is_empty() { fallback.clone() } else { detail.clone() };
    StageVerdict {
        vetoed: refuses,
        verdict: Some(verdict),
        gap_class: Some(decoded.gap_class),
        gaps: decoded.gaps.clone(),
        refuses_without_gap: decoded.refuses_without_a_gap(),
        contradiction_reasked: settled.contradiction_reasked,
        reason: overruling.reason(),
        feedback: refuses.then_some(feedback),
        next_step: Some(if refuses { detail.clone() } else { String::new() }),
        reasoning: Some(detail),
        judge_verdict: Some(own),
        source: Some(if is_overruled { Source::Gate } else { Source::Llm }),
        overruled: overruling.rule().filter(|_| is_overruled).map(|rule| Override::by(rule, own)),
        requirement_report: decoded
            .requirement_report
            .as_ref()
            .and_then(|report| serde_json::to_value(report).ok()),
        goal_assessment: decoded.goal_assessment.clone(),
        ..StageVerdict::default()
    }
}
