//! The operations, a module per library.

use serde_json::Value;

mod evidence;
mod obligations;

/// Runs one operation on its arguments; an error is the operation's own refusal, in words.
pub type Op = fn(&Value) -> Result<Value, String>;

/// Every operation by name.
const OPS: [(&str, Op); 9] = [
    ("canonical.json", evidence::canonical_json),
    ("transcript.lifecycle", evidence::lifecycle),
    ("requirements.contract", evidence::contract),
    ("evidence.projection", evidence::projection),
    ("evidence.id", evidence::id),
    ("judge.verification_state", evidence::verification_state),
    ("obligations.control_events", obligations::control_events),
    ("obligations.messages", obligations::messages),
    ("obligations.requirements", obligations::requirements),
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
