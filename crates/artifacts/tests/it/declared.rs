//! What counts as one declared path.

use quittance_artifacts::Declared;
use serde_json::{Value, json};

fn read(value: &Value) -> Vec<String> {
    Declared::read(value).paths().to_vec()
}

#[test]
fn only_a_list_declares_anything() {
    for value in [json!(null), json!("a.rs"), json!({"a.rs": true}), json!(5), json!(true)] {
        assert!(Declared::read(&value).is_empty(), "{value}");
    }
    assert!(Declared::read(&json!(["", "   ", "\u{2003}\n"])).is_empty());
}

#[test]
fn entries_become_trimmed_texts_and_the_first_of_equals_stays() {
    let value =
        json!([" b ", null, 5, "a", "5", 5.0, 2.5, true, ["x", null], {"k": 1}, "b", "nil"]);
    let expected = ["b", "nil", "5", "a", "5.0", "2.5", "true", "[x, nil]", "{k: 1}"];
    assert_eq!(read(&value), expected);
    // The spelling of a path is not touched otherwise: these are three declarations.
    assert_eq!(read(&json!(["a", "./a", "A"])), ["a", "./a", "A"]);
}

#[test]
fn a_typed_list_refuses_what_is_not_one() {
    let list: Declared = serde_json::from_value(json!([" a ", "", "a", "b"])).unwrap();
    assert_eq!(list.paths(), ["a", "b"]);
    assert_eq!(serde_json::to_value(&list).unwrap(), json!(["a", "b"]));
    for value in [json!("a"), json!([5]), json!([null]), json!({})] {
        assert!(serde_json::from_value::<Declared>(value.clone()).is_err(), "{value}");
    }
}
