//! A case file: a boundary and the answers it gets, in the order in which they are consumed.
//!
//! Answers that nobody asks for fail the test, so a case also pins how often a judge is asked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use quittance_artifacts::Audit;
use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{EvidenceBuilder, ToolCatalogue, canonical};
use quittance_judge::abandonment::{CallTallies, Evidence, Findings};
use quittance_judge::gate::{Facts, Gate, OnExhausted};
use quittance_judge::machine::{Decision, Failure, Progress, Proposal, Reply, open};
use quittance_judge::plan::Due;
use quittance_judge::policy::{Closure, JudgeConfig, PerSlot, Policy, Review, Slot};
use quittance_judge::turn::{RefusalCap, Refusals, Ruling};
use quittance_obligations::Obligations;
use serde_json::{Value, json};

/// A case that has been run.
pub(crate) struct Run {
    pub(crate) decisions: Vec<(Decision, Ruling)>,
    /// What was asked, in order.
    pub(crate) questions: Vec<String>,
}

pub(crate) fn read(path: &Path) -> Value {
    #[expect(clippy::disallowed_methods, reason = "the test reads its case")]
    let text = fs::read_to_string(path).expect("a case");
    serde_json::from_str(&text).expect("a case is JSON")
}

/// Runs a case: its boundary, and again as often as it says, with what the last one left.
pub(crate) fn run(case: &Value) -> Run {
    let mut answers = list(&case["answers"]).into_iter();
    let mut out = Run { decisions: Vec::new(), questions: Vec::new() };
    let mut refusals = Refusals::default();
    let cap =
        RefusalCap::new(case["max_refusals"].as_u64().unwrap_or(4).try_into().expect("a cap"));
    for round in 0..case["rounds"].as_u64().unwrap_or(1) {
        let mut proposal = proposal(case, round);
        if let Some((last, _)) = out.decisions.last() {
            proposal.history = last.history.clone();
        }
        for (earlier, _) in &out.decisions {
            count(&mut proposal, earlier);
        }
        let decision = drive(proposal, &mut answers, &mut out.questions);
        let ruling = refusals.rule(&decision, cap.expect("a cap"));
        out.decisions.push((decision, ruling));
    }
    let unasked: Vec<Value> = answers.collect();
    assert!(unasked.is_empty(), "nobody asked for {unasked:?}");
    out
}

/// Counts what an earlier boundary of the turn has spent.
fn count(proposal: &mut Proposal, earlier: &Decision) {
    for slot in Slot::ALL {
        let was_asked = earlier.directive.receipt.invoked.judge(slot);
        *proposal.invocations.get_mut(slot) += u64::from(was_asked);
    }
    if let Some(charge) = &earlier.charge {
        proposal.vetoes.charge(charge);
    }
}

fn drive(
    proposal: Proposal,
    answers: &mut impl Iterator<Item = Value>,
    questions: &mut Vec<String>,
) -> Decision {
    let mut now_ms = 0;
    let mut progress = open(proposal, now_ms);
    loop {
        let question = match &progress {
            Progress::Closure(_) => "closure".to_owned(),
            Progress::Facts(_) => "facts".to_owned(),
            Progress::Precheck(asked) => format!("precheck {}", asked.question().slot.as_str()),
            Progress::Judge(asked) => {
                let question = asked.question();
                format!("{} {}", question.slot.as_str(), question.why.as_str())
            }
            Progress::Decided(_) => String::new(),
        };
        let mut next = |key: &str| {
            let answer = answers.next().unwrap_or_else(|| panic!("no answer to {question}"));
            now_ms += answer["took_ms"].as_i64().unwrap_or(1000);
            assert!(answer.get(key).is_some(), "{question} was answered with {answer}");
            answer[key].clone()
        };
        progress = match progress {
            Progress::Closure(asked) => {
                let answer = next("closure");
                asked.answer(&answer, now_ms)
            }
            Progress::Facts(asked) => {
                let facts: Option<Facts> = serde_json::from_value(next("facts")).expect("facts");
                asked.answer(facts.as_ref(), now_ms)
            }
            Progress::Precheck(asked) => {
                let answer = next("precheck");
                asked.answer(&answer, now_ms)
            }
            Progress::Judge(asked) => {
                let reply = reply(&next("judge"));
                asked.answer(&reply, now_ms)
            }
            Progress::Decided(decision) => return *decision,
        };
        questions.push(question);
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// An object is sent as JSON, a text as it stands.
pub(crate) fn reply(answer: &Value) -> Reply {
    let failures = |word: &str| Failure::ALL.into_iter().find(|failure| failure.as_str() == word);
    match answer.get("failed").and_then(Value::as_str) {
        Some(word) => Reply::Failed {
            failure: failures(word).expect("a failure"),
            message: text(&answer["message"]),
        },
        None if answer.is_string() => Reply::text(text(answer)),
        None => Reply::text(canonical::to_text(answer)),
    }
}

pub(crate) fn proposal(case: &Value, round: u64) -> Proposal {
    let rows = list(&case["control"]);
    let messages = list(&case["messages"]);
    let task = text(&case["task"]);
    let obligations = Obligations::of_session(&rows, &messages, &task);
    let boundary = Boundary {
        task,
        stop_reason: case["stop_reason"].as_str().unwrap_or("natural").to_owned(),
        text: text(&case["text"]),
        iteration: i64::try_from(round).expect("few rounds"),
        pending_effects: case["pending_effects"].as_u64().unwrap_or(0).try_into().expect("few"),
        obligations: obligations.to_value(),
        obligations_digest: obligations.digest_text(),
        ..Boundary::default()
    };
    let catalogue = ToolCatalogue::from_value(&case["tools"], &Value::Null);
    let findings = findings(case, &boundary.stop_reason);
    let snapshot = EvidenceBuilder::of(&Value::Array(messages), catalogue).snapshot(boundary);
    let asked = |slot: Slot| case["invocations"][slot.as_str()].as_u64().unwrap_or(0);
    Proposal {
        invocations: PerSlot {
            verification: asked(Slot::Verification),
            completion: asked(Slot::Completion),
        },
        completion_due: case["completion_due"].as_bool().map_or(Due::ByCadence, Due::Given),
        deadline_at_ms: case["deadline_at_ms"].as_i64(),
        findings,
        ..Proposal::new(snapshot, obligations, policy(&case["policy"]))
    }
}

fn policy(policy: &Value) -> Policy {
    let judge = |slot: Slot| {
        let config = policy.get(slot.as_str()).unwrap_or(&Value::Null);
        JudgeConfig::normalize(config).expect("a judge")
    };
    Policy {
        closure: match policy.get("gate") {
            Some(gate) => Closure::Gate(self::gate(gate)),
            None if policy["closure"] == json!(true) => Closure::Host,
            None => Closure::None,
        },
        judges: PerSlot {
            verification: judge(Slot::Verification),
            completion: judge(Slot::Completion),
        },
        done_sentinel: text(&policy["done_sentinel"]),
        rubric: text(&policy["rubric"]),
        review: Review { is_light: policy["review"] == json!("light"), max_judge_calls: None },
        ..Policy::default()
    }
}

fn gate(gate: &Value) -> Gate {
    let plain = Gate::default();
    Gate {
        requires_write: gate["requires_write"] == json!(true),
        max_vetoes: gate["max_vetoes"].as_i64().unwrap_or(plain.max_vetoes),
        on_exhausted: match gate["on_exhausted"].as_str() {
            Some("allow") => OnExhausted::Allow,
            _ => OnExhausted::StopUnverified,
        },
        escalation_target: gate["escalation_target"].as_str().map(str::to_owned),
        ..plain
    }
}

fn findings(case: &Value, stop_reason: &str) -> Findings {
    let names = |value: &Value| -> Vec<String> { list(value).iter().map(text).collect() };
    let audit: Audit = case.get("audit").map_or_else(Audit::default, |audit| {
        serde_json::from_value(audit.clone()).expect("an audit")
    });
    let calls = &case["calls"];
    let count = |key: &str| calls[key].as_u64().unwrap_or(0);
    let tallies = CallTallies {
        attempted: count("attempted"),
        succeeded: count("succeeded"),
        unknown: count("unknown"),
        succeeded_tools: names(&calls["succeeded_tools"]).into_iter().collect(),
        unknown_tools: BTreeSet::new(),
        last_rejection_category: None,
    };
    Findings::of(&Evidence {
        stop_reason,
        tallies: &tallies,
        required_tools: &names(&case["required_tools"]),
        audit: &audit,
    })
}
