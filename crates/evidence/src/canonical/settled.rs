//! A value as its own canonical text reads back.

use serde_json::{Number, Value};

/// Makes each number the one that its canonical text is read as: an integer beyond `i64` is
/// written as a double, so kept as it is it would differ from its own record.
#[must_use]
pub fn settled(value: Value) -> Value {
    match value {
        Value::Number(number) => settled_number(&number),
        Value::Array(items) => items.into_iter().map(settled).collect(),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(key, field)| (key, settled(field))).collect())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

fn settled_number(number: &Number) -> Value {
    match number.as_i64() {
        Some(integer) => integer.into(),
        None => number.as_f64().into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::settled;
    use crate::canonical::to_text;

    #[test]
    fn a_settled_value_equals_what_is_read_back() {
        for (value, is_kept) in [
            (json!([1, -1, i64::MAX, i64::MIN, 0.5, 1e300, -0.0, 1.0]), true),
            (json!({"a": [9_223_372_036_854_775_808_u64]}), false),
            (json!(u64::MAX), false),
        ] {
            let read: Value = serde_json::from_str(&to_text(&value)).unwrap();
            assert_eq!(settled(value.clone()), read);
            assert_eq!(value == read, is_kept, "{value}");
        }
    }
}
