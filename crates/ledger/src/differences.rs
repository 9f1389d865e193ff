//! Where two receipts differ, field by field.

use serde_json::Value;

use crate::receipt::Receipt;

/// One field that differs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The field, as a JSON pointer into the receipt.
    pub pointer: String,
    /// What the first holds; none where the field is absent.
    pub recorded: Option<Value>,
    /// What the second holds; none where the field is absent.
    pub replayed: Option<Value>,
}

/// Compares what two receipts seal. Objects and lists are looked into; everything else is compared
/// whole. The order is that of the fields' names.
#[must_use]
pub fn differences(recorded: &Receipt, replayed: &Receipt) -> Vec<Difference> {
    let body = |receipt: &Receipt| serde_json::to_value(receipt.body()).unwrap_or_default();
    let mut found = Vec::new();
    compare(&mut String::new(), Some(&body(recorded)), Some(&body(replayed)), &mut found);
    found
}

fn compare(
    pointer: &mut String,
    recorded: Option<&Value>,
    replayed: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    match (recorded, replayed) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let keys: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for key in keys {
                let step = key.replace('~', "~0").replace('/', "~1");
                step_into(pointer, &step, old.get(key), new.get(key), found);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for at in 0..old.len().max(new.len()) {
                step_into(pointer, &at.to_string(), old.get(at), new.get(at), found);
            }
        }
        (old, new) if old == new => {}
        (old, new) => found.push(Difference {
            pointer: pointer.clone(),
            recorded: old.cloned(),
            replayed: new.cloned(),
        }),
    }
}

fn step_into(
    pointer: &mut String,
    step: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    found: &mut Vec<Difference>,
) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(step);
    compare(pointer, old, new, found);
    pointer.truncate(length);
}
