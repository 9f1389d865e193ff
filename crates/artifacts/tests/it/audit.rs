//! The three lists partition what was declared, whatever was declared and whatever a probe says.

use std::cell::RefCell;

use proptest::prelude::*;
use quittance_artifacts::{
    Audit, Declared, NoRoot, Probe, Recorded, Sighting, Status, Survey, Verdict,
};
use serde_json::{Value, json};

fn declarations() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[ab ]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 8, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            1 => prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn words() -> impl Strategy<Value = String> {
    let known = Status::KNOWN.map(|status| status.as_str().to_owned());
    prop_oneof![4 => prop::sample::select(known.to_vec()), 1 => any::<String>()]
}

/// Answers its words in turn and remembers what it was asked.
struct Scripted {
    words: Vec<String>,
    asked: RefCell<Vec<String>>,
}

impl Probe for Scripted {
    fn look(&self, path: &str) -> Sighting {
        let mut asked = self.asked.borrow_mut();
        let word = self.words.iter().cycle().nth(asked.len()).unwrap();
        asked.push(path.to_owned());
        Sighting::bare(Status::read(word))
    }
}

proptest! {
    #[test]
    fn the_lists_partition_the_declaration(
        value in declarations(),
        words in prop::collection::vec(words(), 1..6),
    ) {
        let declared = Declared::read(&value);
        let probe = Scripted { words, asked: RefCell::default() };
        let survey = Survey::take(&declared, &probe);
        let audit = survey.audit();

        prop_assert_eq!(&*probe.asked.borrow(), declared.paths(), "each path is asked for once");
        prop_assert_eq!(audit.declared(), declared.paths());
        let of = |verdict| {
            let judged = survey.findings().iter().filter(move |found| found.sighting.status.verdict() == verdict);
            judged.map(|found| found.path.as_str()).collect::<Vec<_>>()
        };
        prop_assert_eq!(audit.present().collect::<Vec<_>>(), of(Verdict::Present));
        prop_assert_eq!(audit.missing(), of(Verdict::Missing));
        prop_assert_eq!(audit.unverifiable(), of(Verdict::Unverifiable));
        let told = audit.present().count() + audit.missing().len() + audit.unverifiable().len();
        prop_assert_eq!(told, declared.paths().len());

        prop_assert_eq!(audit.convicts(), !audit.missing().is_empty());
        prop_assert!(!(audit.convicts() && audit.satisfied()));
        prop_assert!(!declared.is_empty() || !audit.satisfied(), "nothing declared supports nothing");

        let text = serde_json::to_string(&audit).unwrap();
        prop_assert_eq!(serde_json::from_str::<Audit>(&text).unwrap(), audit);
    }

    #[test]
    fn normalizing_twice_changes_nothing(value in declarations()) {
        let once = Declared::read(&value);
        prop_assert_eq!(once.paths().iter().collect::<Declared>(), once);
    }

    #[test]
    fn three_lists_are_an_audit_only_if_they_partition(
        declared in prop::collection::vec("[abc]", 0..5),
        missing in prop::collection::vec("[abc]", 0..3),
        unverifiable in prop::collection::vec("[abc]", 0..3),
    ) {
        let record = json!({"declared": declared, "missing": missing, "unverifiable": unverifiable});
        let normal = declared.iter().collect::<Declared>().paths() == declared;
        let within = |list: &[String]| {
            let mut rest = declared.iter();
            list.iter().all(|path| rest.any(|declared| declared == path))
        };
        let apart = missing.iter().all(|path| !unverifiable.contains(path));
        let expected = normal && apart && within(&missing) && within(&unverifiable);
        prop_assert_eq!(serde_json::from_value::<Audit>(record).is_ok(), expected);
    }
}

#[test]
fn an_audit_is_written_as_the_original_writes_it() {
    let words = [("a", "missing"), ("b", "Missing"), ("c", "present_dir"), ("d", "missing")];
    let probe: Recorded = words
        .into_iter()
        .map(|(path, word)| (path.to_owned(), Sighting::bare(Status::read(word))))
        .collect();
    let declared = ["d", "c", "b", "a"].into_iter().collect();
    let audit = Survey::take(&declared, &probe).audit();
    insta::assert_snapshot!(
        serde_json::to_string(&audit).unwrap(),
        @r#"{"declared":["d","c","b","a"],"missing":["d","a"],"unverifiable":["b"]}"#
    );
}

#[test]
fn a_finding_shows_its_verdict_its_status_and_its_note() {
    let survey = Survey::take(&["a"].into_iter().collect(), &NoRoot);
    insta::assert_snapshot!(
        serde_json::to_string(&survey).unwrap(),
        @r#"[{"path":"a","verdict":"unverifiable","status":"stat_error","note":{"kind":"no_root"}}]"#
    );
}

#[test]
fn without_a_root_nothing_convicts() {
    let audit = Survey::take(&["a", ".", "/"].into_iter().collect(), &NoRoot).audit();
    assert_eq!(audit.unverifiable(), audit.declared());
    assert!(!audit.convicts() && !audit.satisfied());
}

#[test]
fn a_reply_without_a_status_is_a_failed_probe() {
    for (reply, status) in [
        (json!(null), Status::StatError),
        (json!({}), Status::StatError),
        (json!({"status": null}), Status::StatError),
        (json!("missing"), Status::StatError),
        (json!({"status": "missing"}), Status::Missing),
        (json!({"status": "present_file", "size": 3}), Status::PresentFile),
        (json!({"status": 5}), Status::read("5")),
    ] {
        assert_eq!(Status::of_reply(&reply), status, "{reply}");
    }
}
