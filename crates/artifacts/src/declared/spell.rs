//! How a value that is not a text becomes one.
//!
//! This is the original's plain spelling, not JSON: texts bare, null as `nil`, a whole double with
//! one decimal. It reaches a receipt only as a declared path.

use std::fmt::Write;

use serde_json::{Number, Value};

/// From this magnitude on a whole double is spelled without its decimal.
const WHOLE_MAX: f64 = 1e15;

/// What is still to be written; a list of these stands in for recursion, so that no nesting can
/// overflow the stack.
enum Piece<'v> {
    Value(&'v Value),
    Text(&'v str),
}

/// Spells a value.
pub(crate) fn spell(value: &Value) -> String {
    let mut out = String::new();
    // The next piece is the last.
    let mut rest = vec![Piece::Value(value)];
    while let Some(piece) = rest.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Value(Value::String(text)) => out.push_str(text),
            Piece::Value(Value::Null) => out.push_str("nil"),
            Piece::Value(Value::Bool(truth)) => out.push_str(if *truth { "true" } else { "false" }),
            Piece::Value(Value::Number(number)) => push_number(&mut out, number),
            Piece::Value(Value::Array(items)) => unfold_list(&mut rest, items),
            Piece::Value(Value::Object(fields)) => unfold_dict(&mut rest, fields),
        }
    }
    out
}

fn unfold_list<'v>(rest: &mut Vec<Piece<'v>>, items: &'v [Value]) {
    rest.push(Piece::Text("]"));
    for (index, item) in items.iter().enumerate().rev() {
        rest.push(Piece::Value(item));
        rest.push(Piece::Text(if index == 0 { "[" } else { ", " }));
    }
    if items.is_empty() {
        rest.push(Piece::Text("["));
    }
}

fn unfold_dict<'v>(rest: &mut Vec<Piece<'v>>, fields: &'v serde_json::Map<String, Value>) {
    let mut sorted: Vec<_> = fields.iter().collect();
    // The map's own order depends on a feature that any crate of a build may turn on.
    sorted.sort_unstable_by_key(|(key, _)| key.as_str());
    rest.push(Piece::Text("}"));
    for (index, (key, value)) in sorted.into_iter().enumerate().rev() {
        rest.push(Piece::Value(value));
        rest.push(Piece::Text(": "));
        rest.push(Piece::Text(key));
        rest.push(Piece::Text(if index == 0 { "{" } else { ", " }));
    }
    if fields.is_empty() {
        rest.push(Piece::Text("{"));
    }
}

fn push_number(out: &mut String, number: &Number) {
    // Writing to a String cannot fail.
    let _ = match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => write!(out, "{whole}"),
        (None, Some(double)) if double.fract() == 0.0 && double.abs() < WHOLE_MAX => {
            write!(out, "{double:.1}")
        }
        (None, Some(double)) => write!(out, "{double}"),
        (None, None) => write!(out, "{number}"),
    };
}

#[cfg(test)]
mod tests {
    use super::spell;

    #[test]
    fn every_kind_of_value() {
        for (json, text) in [
            ("null", "nil"),
            ("true", "true"),
            ("false", "false"),
            ("5", "5"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "9223372036854776000"),
            ("2.0", "2.0"),
            ("-0.0", "-0.0"),
            ("-0", "-0.0"),
            ("1e3", "1000.0"),
            ("999999999999999.0", "999999999999999.0"),
            ("1e15", "1000000000000000"),
            ("0.5", "0.5"),
            ("1e-7", "0.0000001"),
            ("1e21", "1000000000000000000000"),
            (r#"" a ""#, " a "),
            ("[]", "[]"),
            (r#"[null, 1, "x", [2.0]]"#, "[nil, 1, x, [2.0]]"),
            ("{}", "{}"),
            (r#"{"b": {"d": null}, "a": [true]}"#, "{a: [true], b: {d: nil}}"),
        ] {
            assert_eq!(spell(&serde_json::from_str(json).unwrap()), text, "{json}");
        }
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        let depth = 5_000;
        let mut value = serde_json::Value::Null;
        for _ in 0..depth {
            value = serde_json::Value::Array(vec![value]);
        }
        assert_eq!(spell(&value), format!("{}nil{}", "[".repeat(depth), "]".repeat(depth)));
    }
}
