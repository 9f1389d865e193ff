//! How a field of unknown type is read: the coercions of the original runtime, in one place.
//!
//! A missing key and a null read the same. None of these readings fails.

use serde_json::Value;

/// Looks a key up; a missing key, a null and a value that is no object all give `None`.
#[must_use]
pub fn field<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    value.get(key).filter(|found| !found.is_null())
}

/// Looks a path of keys up, as [`field`] does.
#[must_use]
pub fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |found, key| field(found, key))
}

/// Stringifies a field; an absent one is `""`.
#[must_use]
pub fn text(value: Option<&Value>) -> String {
    value.filter(|found| !found.is_null()).map(display).unwrap_or_default()
}

/// Stringifies any value: text as it is, null as `nil`, containers without quotes.
#[must_use]
pub fn display(value: &Value) -> String {
    match value {
        Value::Null => "nil".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => display_number(number),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let parts: Vec<String> = items.iter().map(display).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(fields) => {
            let mut parts: Vec<(&String, &Value)> = fields.iter().collect();
            parts.sort_unstable_by_key(|(key, _)| *key);
            let parts: Vec<String> = parts
                .into_iter()
                .map(|(key, value)| format!("{key}: {}", display(value)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// A whole double below this magnitude is spelled with one decimal.
const WHOLE_LIMIT: f64 = 1e15;

fn display_number(number: &serde_json::Number) -> String {
    if let Some(integer) = number.as_i64() {
        return integer.to_string();
    }
    let double = number.as_f64().unwrap_or(f64::NAN);
    if double.fract() == 0.0 && double.abs() < WHOLE_LIMIT {
        format!("{double:.1}")
    } else {
        double.to_string()
    }
}

/// Reads an integer: integers as they are, doubles truncated, booleans as 0 and 1, text parsed.
#[must_use]
pub fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(truncated)),
        Value::Bool(flag) => Some(i64::from(*flag)),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "checked to lie within i64")]
fn truncated(double: f64) -> Option<i64> {
    let whole = double.trunc();
    // 2^63 itself is out of range, -2^63 is not.
    (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0)
        .contains(&whole)
        .then_some(whole as i64)
}

/// Names the type of a value in the original's words.
#[must_use]
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "nil",
        Value::Bool(_) => "bool",
        Value::Number(number) if number.as_i64().is_some() => "int",
        Value::Number(_) => "float",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "dict",
    }
}

/// The first of some fields that holds a non-empty string; other types do not count.
#[must_use]
pub fn first_text<const N: usize>(candidates: [Option<&Value>; N]) -> &str {
    candidates
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn stringifies_as_the_original_does() {
        for (value, expected) in [
            (json!(null), "nil"),
            (json!(true), "true"),
            (json!(-3), "-3"),
            (json!(2.0), "2.0"),
            (json!(0.5), "0.5"),
            (json!(["a", 1]), "[a, 1]"),
            (json!({"b": [], "a": null}), "{a: nil, b: []}"),
        ] {
            assert_eq!(display(&value), expected);
        }
        assert_eq!(text(Some(&Value::Null)), "");
    }

    #[test]
    fn reads_integers_from_anything() {
        for (value, expected) in [
            (json!(4.9), Some(4)),
            (json!(-4.9), Some(-4)),
            (json!(" 7 "), Some(7)),
            (json!("7x"), None),
            (json!(true), Some(1)),
            (json!(1e300), None),
            (json!(9.3e18), None),
            (json!([]), None),
        ] {
            assert_eq!(integer(&value), expected, "{value}");
        }
    }
}
