//! Says where two JSON values differ first.

use serde_json::Value;

/// Matches any non-empty string in an expected value.
pub const PROSE: &str = "<prose>";

/// Longest part of a value shown in a difference, in characters.
const SHOWN: usize = 120;

/// Returns the first difference as `pointer: expected …, got …`, or none.
#[must_use]
pub fn difference(expected: &Value, actual: &Value) -> Option<String> {
    // An explicit stack: a vector may nest as deep as the reader allows.
    let mut pending = vec![(String::new(), expected, actual)];
    while let Some((at, expected, actual)) = pending.pop() {
        match (expected, actual) {
            (Value::Object(want), Value::Object(have)) => {
                if let Some(key) = want.keys().find(|key| !have.contains_key(*key)) {
                    return Some(format!("{at}/{key}: missing"));
                }
                if let Some(key) = have.keys().find(|key| !want.contains_key(*key)) {
                    return Some(format!("{at}/{key}: not expected"));
                }
                // By name and not in turn: a build may keep the order in which an object was made.
                let pairs = want.iter().filter_map(|(key, want)| Some((key, want, have.get(key)?)));
                pending.extend(pairs.map(|(key, want, have)| (format!("{at}/{key}"), want, have)));
            }
            (Value::Array(want), Value::Array(have)) if want.len() == have.len() => {
                let pairs = want.iter().zip(have).enumerate();
                pending
                    .extend(pairs.map(|(at_, (want, have))| (format!("{at}/{at_}"), want, have)));
            }
            (want, have) if matches(want, have) => {}
            (want, have) => {
                return Some(format!("{at}: expected {}, got {}", short(want), short(have)));
            }
        }
    }
    None
}

fn matches(expected: &Value, actual: &Value) -> bool {
    let is_prose = expected.as_str() == Some(PROSE);
    (is_prose && actual.as_str().is_some_and(|text| !text.is_empty())) || expected == actual
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_the_place() {
        for (expected, actual, difference_) in [
            (json!({"a": [1, 2]}), json!({"a": [1, 2]}), None),
            (json!({"a": PROSE}), json!({"a": "words"}), None),
            (json!({"a": PROSE}), json!({"a": ""}), Some("/a: expected \"<prose>\", got \"\"")),
            (json!({"a": [1, 2]}), json!({"a": [1, 3]}), Some("/a/1: expected 2, got 3")),
            (json!({"a": 1}), json!({}), Some("/a: missing")),
            (json!({}), json!({"a": 1}), Some("/a: not expected")),
            (json!([1]), json!([]), Some(": expected [1], got []")),
            (json!(1), json!(1.0), Some(": expected 1, got 1.0")),
        ] {
            assert_eq!(difference(&expected, &actual).as_deref(), difference_);
        }
    }
}
