//! `boundary.evaluate`: whole boundaries, driven from the recorded answers.

use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{EvidenceBuilder, Snapshot, ToolCatalogue};
use quittance_judge::directive::History;
use quittance_judge::event::Event;
use quittance_judge::machine::{Decision, Progress, Proposal, Reply, open};
use quittance_judge::plan::Due;
use quittance_judge::policy::{Catalog, Closure, JudgeConfig, PerSlot, Policy, Slot};
use quittance_judge::record::Record;
use quittance_obligations::Obligations;
use serde_json::{Value, json};

use super::judge::{flag, to_value};
use super::{arg, text};

/// The clock at the boundary: long after the deadline of 1 that some cases set.
const NOW_MS: i64 = 1_000_000;

pub(super) fn evaluate(args: &Value) -> Result<Value, String> {
    let mut replies = arg(args, "replies").as_array().cloned().unwrap_or_default().into_iter();
    let first = decide(args, 0, History::default(), &mut replies)?;
    if !flag(args, "again") {
        return shown(&first, None);
    }
    let second = decide(args, 1, first.history.clone(), &mut replies)?;
    shown(&second, Some(&first))
}

fn decide(
    args: &Value,
    round: i64,
    history: History,
    replies: &mut impl Iterator<Item = Value>,
) -> Result<Decision, String> {
    let proposal = Proposal { history, ..proposal(args, round)? };
    let mut progress = open(proposal, NOW_MS);
    loop {
        progress = match progress {
            Progress::Closure(asked) => asked.answer(arg(args, "gate"), NOW_MS),
            Progress::Judge(asked) => asked.answer(&reply(replies.next().as_ref()), NOW_MS),
            Progress::Facts(_) | Progress::Precheck(_) => return Err("not declared".to_owned()),
            Progress::Decided(decision) => return Ok(*decision),
        };
    }
}

/// An entry settles one question; when they run out the reply cannot be read.
fn reply(entry: Option<&Value>) -> Reply {
    let reply = entry.and_then(|entry| entry.get("reply"));
    Reply::text(reply.map_or_else(|| "no object".to_owned(), Value::to_string))
}

fn proposal(args: &Value, round: i64) -> Result<Proposal, String> {
    let opts = arg(args, "opts");
    let deferred = arg(arg(opts, "_tool_batch_dependency_state"), "deferred_signatures").as_array();
    let boundary = Boundary {
        task: text(args, "task").to_owned(),
        stop_reason: text(args, "stop_reason").to_owned(),
        text: text(args, "text").to_owned(),
        iteration: arg(args, "iteration").as_i64().unwrap_or_default() + round,
        pending_effects: deferred.map_or(0, Vec::len),
        ..Boundary::default()
    };
    let obligations = Obligations::of_session(&[], &[], &boundary.task);
    let mut proposal = Proposal::new(snapshot(boundary), obligations, policy(args)?);
    proposal.invocations = per_slot(|slot| {
        arg(opts, &format!("_{}_invocations", prefix(slot))).as_u64().unwrap_or_default()
    });
    proposal.triggers = per_slot(|slot| {
        arg(opts, &format!("_{}_trigger", prefix(slot))).as_str().map(str::to_owned)
    });
    proposal.completion_due =
        Due::Given(arg(opts, "_turn_end_judge_due").as_bool().unwrap_or(true));
    proposal.deadline_at_ms = arg(opts, "_deadline_at_ms").as_i64();
    proposal.is_feedback_deferred = flag(opts, "_defer_judge_feedback");
    Ok(proposal)
}

fn prefix(slot: Slot) -> &'static str {
    match slot {
        Slot::Verification => "verify_completion_judge",
        Slot::Completion => "turn_end_judge",
    }
}

fn per_slot<T>(of: impl Fn(Slot) -> T) -> PerSlot<T> {
    PerSlot { verification: of(Slot::Verification), completion: of(Slot::Completion) }
}

/// The session around a case holds no messages.
fn snapshot(boundary: Boundary) -> Snapshot {
    EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary)
}

fn policy(args: &Value) -> Result<Policy, String> {
    let opts = arg(args, "opts");
    let config = |slot: Slot| {
        JudgeConfig::normalize(arg(opts, slot.option())).map_err(|error| error.to_string())
    };
    let is_declared = args.get("gate_declared").is_some();
    Ok(Policy {
        closure: if is_declared { Closure::Host } else { Closure::None },
        judges: PerSlot {
            verification: config(Slot::Verification)?,
            completion: config(Slot::Completion)?,
        },
        done_sentinel: text(opts, "done_sentinel").to_owned(),
        // The provider of the measured sessions has a judge of its own.
        catalog: Catalog {
            role_models: per_slot(|_| Some("catalog".to_owned())),
            ..Catalog::default()
        },
        ..Policy::default()
    })
}

/// What the vectors compare: of a second round its directive, and the records of both.
fn shown(decision: &Decision, earlier: Option<&Decision>) -> Result<Value, String> {
    let both = || earlier.into_iter().chain([decision]).flat_map(|one| one.events.iter());
    let mut decisions = Vec::new();
    for event in both() {
        if let Event::JudgeDecision { decision } = event {
            decisions.push(keys(&to_value(decision)?, &DECISION_KEYS));
        }
    }
    let records = || both().filter_map(Event::record);
    let schemas: Vec<&str> = records().map(Record::schema).collect();
    let reasks: Vec<&Record> =
        records().filter(|record| record.schema().ends_with("_retry.v1")).collect();
    let started = both().filter(|event| matches!(event, Event::JudgeStarted { .. })).count();
    let directive = &decision.directive;
    let mut shown = json!({
        "action": directive.action,
        "evidence_id": directive.evidence_id,
        "feedback": directive.feedback,
        "repair": directive.repair,
        "receipt": keys(&to_value(directive.receipt.as_ref())?, &RECEIPT_KEYS),
        "decisions": decisions,
        "reasks": reasks,
        "started": started,
        "checkpoints": schemas,
    });
    if let Some(earlier) = earlier {
        let first_action = to_value(&earlier.directive.action)?;
        if let Some(fields) = shown.as_object_mut() {
            fields.insert("first_action".to_owned(), first_action);
        }
    }
    Ok(shown)
}

fn keys(record: &Value, keys: &[&str]) -> Value {
    Value::Object(keys.iter().map(|key| ((*key).to_owned(), arg(record, key).clone())).collect())
}

const DECISION_KEYS: [&str; 10] = [
    "confirm",
    "converted_from",
    "gap_class",
    "judge_outcome",
    "judge_verdict",
    "override",
    "reason",
    "source",
    "trigger",
    "verdict",
];

const RECEIPT_KEYS: [&str; 15] = [
    "action",
    "converted_from",
    "feedback_delivery",
    "gap_class",
    "gap_count",
    "gaps_unattributed",
    "invoked",
    "outcome",
    "pending_tool_batch_effect_count",
    "reason",
    "repeated_verified_criteria",
    "requirements",
    "source",
    "trigger",
    "verification",
];
