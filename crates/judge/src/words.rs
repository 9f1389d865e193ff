//! A decision in plain words, from the same value that is written as JSON.
//!
//! Aligned text without colour; looks are the command's and the report's. Foreign text is printed
//! as it is: whoever shows it on a terminal escapes it.

use std::fmt::Write;

use crate::directive::DirectiveReceipt;
use crate::event::Event;
use crate::ledger::{Report, Row};
use crate::machine::Decision;
use crate::record::Record;
use crate::verdict::JudgeDecision;

impl Decision {
    /// The decision for people: the word and what it means, who was asked and said what, what the
    /// verifier observed, which rows stand how, and what the agent is told.
    #[must_use]
    pub fn to_words(&self) -> String {
        let mut out = String::new();
        let sentence = self.outcome.sentence();
        line(&mut out, "outcome", &format!("{} — {sentence}", self.outcome.as_str()));
        if !self.cause.is_empty() {
            line(&mut out, "cause", &self.cause);
        }
        let receipt = &self.directive.receipt;
        if self.is_adjudicated {
            line(&mut out, "directive", receipt.action.as_str());
        }
        line(&mut out, "evidence", &receipt.evidence_id);
        line(&mut out, "verifier", &verifier(receipt));
        self.asked(&mut out);
        if let Some(report) = receipt.requirements.as_ref().filter(|report| !is_empty(report)) {
            rows(&mut out, report);
        }
        for entry in &receipt.overrides {
            let overruled = entry.overruled;
            let said = overruled.judge_verdict.as_str();
            let (slot, rule) = (entry.slot.as_str(), overruled.rule.as_str());
            line(&mut out, "overruled", &format!("{slot} judge said {said}; {rule}"));
        }
        if receipt.refuses_without_gap {
            line(&mut out, "note", "the judge refused without naming a gap");
        }
        if !receipt.repeated_verified_criteria.is_empty() {
            line(&mut out, "repeated", &receipt.repeated_verified_criteria.join(", "));
        }
        if !self.feedback.is_empty() {
            line(&mut out, "feedback", &self.feedback.replace('\n', "\n            "));
        }
        out
    }

    /// Every stage that decided, and every question on the way.
    fn asked(&self, out: &mut String) {
        for event in self.events.iter() {
            match event {
                Event::JudgeDecision { decision } => line(out, "said", &said(decision)),
                Event::TypedCheckpoint { record: Record::Reask(retry) } => {
                    let status = retry.reask_status;
                    line(out, "asked again", &format!("{}, {status}", retry.reask_reason));
                }
                Event::TypedCheckpoint { record: Record::Itemization(retry) } => {
                    line(out, "asked again", &format!("itemize, {}", retry.reask_status));
                }
                Event::TypedCheckpoint { .. }
                | Event::TurnPhaseChanged { .. }
                | Event::JudgeStarted { .. } => {}
            }
        }
    }
}

/// Column of what follows a heading.
const WIDTH: usize = 12;

fn line(out: &mut String, heading: &str, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{heading:WIDTH$}{text}");
}

fn verifier(receipt: &DirectiveReceipt) -> String {
    let Some(state) = &receipt.verification else { return "no reading".to_owned() };
    let command = state.command.trim();
    let named = if command.is_empty() { String::new() } else { format!(" ({command})") };
    let undeclared = if state.oracle_expected { "" } else { ", not declared" };
    format!("{}{named}{undeclared}", state.observed.as_str())
}

fn said(decision: &JudgeDecision) -> String {
    let source = decision.source;
    let word = if decision.confirm { "lets the stop pass" } else { "does not let it pass" };
    let why = decision.judge_outcome.map(|outcome| outcome.as_str());
    let reason = why.or(decision.reason.as_deref()).filter(|reason| !reason.is_empty());
    let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
    let gap = decision.gap_class.map(|class| format!(" [gap: {}]", class.as_str()));
    format!("{source} {word}{reason}{}", gap.unwrap_or_default())
}

fn is_empty(report: &Report) -> bool {
    report.required_count() == 0 && report.pending_count() == 0
}

fn rows(out: &mut String, report: &Report) {
    for Row { requirement_id, name, status, .. } in report.rows() {
        line(out, "row", &format!("{requirement_id} {} — {name}", status.as_str()));
    }
    let known: std::collections::BTreeSet<&str> =
        report.rows().iter().map(|row| row.name.as_str()).collect();
    for name in report.pending_names().iter().filter(|name| !known.contains(name.as_str())) {
        line(out, "row", name);
    }
}
