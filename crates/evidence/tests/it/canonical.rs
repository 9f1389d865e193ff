//! Any key order gives the same bytes, and the bytes read back as the same value.

use proptest::prelude::*;
use quittance_evidence::canonical::{Digest, DigestResume, DigestState, Digester, to_text};
use serde_json::{Map, Value, json};

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        proptest::num::f64::NORMAL.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// The same object text with its keys written in reverse.
fn reversed(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let body: Vec<String> = fields
                .iter()
                .rev()
                .map(|(key, value)| format!("{}:{}", Value::from(key.as_str()), reversed(value)))
                .collect();
            format!("{{{}}}", body.join(","))
        }
        Value::Array(items) => {
            let body: Vec<String> = items.iter().map(reversed).collect();
            format!("[{}]", body.join(","))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn any_key_order_gives_the_same_bytes(value in values()) {
        let again: Value = serde_json::from_str(&reversed(&value)).unwrap();
        prop_assert_eq!(to_text(&again), to_text(&value));
        prop_assert_eq!(Digest::of(&again), Digest::of(&value));
    }

    #[test]
    fn the_text_reads_back_as_the_same_value(value in values()) {
        let again: Value = serde_json::from_str(&to_text(&value)).unwrap();
        prop_assert_eq!(again, value);
    }

    #[test]
    fn a_digest_put_aside_goes_on(before in any::<String>(), after in any::<String>()) {
        let mut digester = Digester::new();
        digester.push_text(&before);
        let saved = serde_json::to_string(&digester.save()).unwrap();
        let mut resumed = Digester::resume(&serde_json::from_str(&saved).unwrap()).unwrap();
        digester.push_text(&after);
        resumed.push_text(&after);
        prop_assert_eq!(resumed.finish(), digester.finish());
    }

    #[test]
    fn a_digest_reads_back(text in any::<String>()) {
        let digest = Digest::of_bytes(text.as_bytes());
        prop_assert_eq!(digest.to_string().parse::<Digest>(), Ok(digest));
    }
}

#[test]
fn the_escapes_are_the_originals() {
    let text = to_text(&json!({"b": "\u{8}\u{c}\u{7f}\u{80}\u{9f}\u{a0}\u{2028}/\"\\", "a": null}));
    assert_eq!(
        text,
        "{\"a\":null,\"b\":\"\\u0008\\u000c\\u007f\\u0080\\u009f\u{a0}\u{2028}/\\\"\\\\\"}"
    );
}

#[test]
fn an_empty_object_has_a_known_digest() {
    assert_eq!(
        Digest::of(&Value::Object(Map::new())).hex(),
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    );
}

#[test]
fn a_state_of_another_version_or_damaged_is_refused() {
    let saved = serde_json::to_value(Digester::new().save()).unwrap();
    assert_eq!(saved["state"].as_str().unwrap().len(), 2 * 104);
    let resume = |key: &str, value: &str| {
        let mut saved = saved.clone();
        saved[key] = json!(value);
        let saved: DigestState = serde_json::from_value(saved).unwrap();
        Digester::resume(&saved).map(|_| ())
    };
    assert_eq!(resume("version", "sha2-0.12/sha256"), Err(DigestResume::Version));
    assert_eq!(resume("state", "00"), Err(DigestResume::Damaged));
    assert_eq!(resume("state", &"zz".repeat(104)), Err(DigestResume::Damaged));
}
