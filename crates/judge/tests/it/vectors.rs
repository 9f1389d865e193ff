//! The original's answers, operation by operation. Skipped, and said so, where they are not there.

use std::path::{Path, PathBuf};

use serde_json::Value;

mod boundary;
mod ops;

fn vectors() -> Option<PathBuf> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/completion.ndjson");
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: the vectors are not beside this checkout");
    None
}

/// Compares by value; `"<prose>"` stands for any sentence.
fn fits(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(word), Value::String(text)) if word == "<prose>" => !text.is_empty(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| fits(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, left)| right.get(key).is_some_and(|right| fits(left, right)))
        }
        _ => expected == actual,
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test reads the vectors")]
fn answers_as_the_original_does() {
    let Some(path) = vectors() else { return };
    let text = std::fs::read_to_string(path).expect("the vectors");
    let (mut passed, mut failed) = (0_usize, Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let op = case["op"].as_str().expect("an operation");
        let Some(run) = ops::find(op) else { continue };
        let answer = run(&case["args"]);
        let is_right = match (&answer, &case["expected"]) {
            (Ok(answer), expected) => expected.get("ok").is_some_and(|ok| fits(ok, answer)),
            (Err(_), expected) => expected.get("error").is_some(),
        };
        if is_right {
            passed += 1;
        } else {
            failed.push(format!(
                "{}\n  wanted {}\n  got    {answer:?}",
                case["id"], case["expected"]
            ));
        }
    }
    println!("{passed} passed, {} failed", failed.len());
    assert!(
        failed.is_empty(),
        "{} failed, {passed} passed:\n{}",
        failed.len(),
        failed[..failed.len().min(3)].join("\n")
    );
    assert!(passed > 1000, "only {passed} cases were run");
}
