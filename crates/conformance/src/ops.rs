//! The operations, a module per library.

use serde_json::Value;

mod artifacts;
pub(crate) mod assess;
mod boundary;
mod evidence;
mod judge;
mod obligations;

/// Runs one operation on its arguments; an error is the operation's own refusal, in words.
pub type Op = fn(&Value) -> Result<Value, String>;

/// Every operation by name.
const OPS: [(&str, Op); 22] = [
    ("canonical.json", evidence::canonical_json),
    ("transcript.lifecycle", evidence::lifecycle),
    ("evidence.projection", evidence::projection),
    ("evidence.id", evidence::id),
    ("requirements.contract", evidence::contract),
    ("obligations.control_events", obligations::control_events),
    ("obligations.messages", obligations::messages),
    ("obligations.requirements", obligations::requirements),
    ("artifacts.verdict", artifacts::verdict),
    ("requirements.report", judge::requirements_report),
    ("verdict.read", judge::verdict_read),
    ("verdict.clamp_detail", judge::verdict_clamp_detail),
    ("judge.gap_class", judge::judge_gap_class),
    ("judge.verification_state", evidence::verification_state),
    ("judge.admission", judge::judge_admission),
    ("judge.arbitration", judge::judge_arbitration),
    ("judge.typed_green", judge::judge_typed_green),
    ("gate.ladder", judge::gate_ladder),
    ("gate.budget", judge::gate_budget),
    ("gate.combine_verify", judge::gate_combine_verify),
    ("gate.classify_writes", judge::gate_classify_writes),
    ("boundary.evaluate", boundary::evaluate),
];

/// Finds an operation.
#[must_use]
pub fn find(name: &str) -> Option<Op> {
    OPS.iter().find(|(known, _)| *known == name).map(|(_, op)| *op)
}

/// An argument; absent is null.
fn arg<'a>(args: &'a Value, key: &str) -> &'a Value {
    args.get(key).unwrap_or(&Value::Null)
}

fn text<'a>(args: &'a Value, key: &str) -> &'a str {
    arg(args, key).as_str().unwrap_or_default()
}

fn items<'a>(args: &'a Value, key: &str) -> &'a [Value] {
    arg(args, key).as_array().map_or(&[][..], Vec::as_slice)
}
