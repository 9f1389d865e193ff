//! Load, decide, commit.

use std::os::unix::fs::PermissionsExt;

use proptest::prelude::*;
use quittance_ledger::Covered;
use quittance_ledger::store::{CommitError, FileIdentity, Loaded, Notice, Scope, State, Version};
use serde_json::json;

use super::ledger::{
    Ledger, entry, patient, receipt, refusals, refused, scope, settle, turn, whole,
};

#[test]
fn a_turn_begins_with_nothing() {
    let ledger = Ledger::new();
    let loaded = ledger.open().load(&scope("t")).unwrap();
    assert_eq!(loaded.state, State::default());
    assert_eq!(loaded.version.boundaries(), 0);
    assert_eq!(loaded.last_receipt, None);
}

#[test]
fn the_next_process_finds_what_was_committed() {
    let ledger = Ledger::new();
    let turn = serde_json::from_value(json!({
        "invocations": {"verification": 2, "completion": 1},
        "vetoes": {"total": 3, "by_reason": {"no_source_write": 3}},
        "history": {
            "step": {"next_step": "run the tests", "knowledge_state": "k"},
            "criterion_repeat": null,
            "retired_goals": ["g"],
        },
        "refusals": {"given": [{"evidence_id": "sha256:aa", "feedback": "sha256:bb"}]},
        "covered": {"line": 12, "command": "cargo test"},
    }))
    .unwrap();
    let mut state = State { turn, ..State::default() };
    state.session.told.insert(Notice::PolicyUntrusted);
    state.file = Some(FileIdentity { device: u64::MAX, inode: 7 });

    let mut store = ledger.open();
    let sealed = receipt("refused", "x");
    let version = store.load(&scope("t")).unwrap().version;
    let version = store.commit(&scope("t"), version, &state, &entry(&sealed)).unwrap();
    drop(store);

    let loaded = ledger.open().load(&scope("t")).unwrap();
    assert_eq!(loaded.state, state);
    assert_eq!((loaded.version, loaded.version.boundaries()), (version, 1));
    assert_eq!(loaded.last_receipt, Some(sealed.id()));
    // Its own form: one that changes needs a version of the schema.
    let bodies = bodies(&ledger).replace(&sealed.id().to_string(), "ID");
    insta::assert_snapshot!(bodies, @r#"
    {"told":["policy_untrusted"]}
    {"covered":{"line":12,"command":"cargo test"},"file":{"device":18446744073709551615,"inode":7}}
    {"state":{"invocations":{"verification":2,"completion":1},"vetoes":{"total":3,"by_reason":{"no_source_write":3}},"history":{"step":{"next_step":"run the tests","knowledge_state":"k"},"criterion_repeat":null,"retired_goals":["g"]},"refusals":{"given":[{"evidence_id":"sha256:aa","feedback":"sha256:bb"}]},"covered":null},"last_receipt":"ID"}
    "#);
}

fn bodies(ledger: &Ledger) -> String {
    let raw = rusqlite::Connection::open(ledger.path()).unwrap();
    let mut statement = raw.prepare("SELECT body FROM documents ORDER BY length(body)").unwrap();
    let bodies = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    bodies.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_was_covered_is_the_transcripts_and_not_the_turns() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let first = store.load(&scope("first")).unwrap();
    let mut state = refused(&first.state);
    let covered = Some(Covered { line: 7, command: "cargo test".to_owned() });
    state.turn.covered.clone_from(&covered);
    state.file = Some(FileIdentity { device: 1, inode: 2 });
    store.commit(&scope("first"), first.version, &state, &entry(&receipt("x", "a"))).unwrap();

    let second = store.load(&scope("second")).unwrap().state;
    assert_eq!((second.turn.covered, second.file), (covered, state.file));
    assert_eq!(second.turn.vetoes.total, 0);
    let other = Scope { path: "/another.jsonl".to_owned(), ..scope("first") };
    let other = store.load(&other).unwrap().state;
    assert_eq!((other.turn.covered, other.file), (None, None));
    assert_eq!(other.turn.vetoes.total, 1);
}

#[test]
fn a_session_is_told_once_and_a_turn_counts_for_itself() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let first = store.load(&scope("first")).unwrap();
    let mut state = refused(&first.state);
    state.session.told.insert(Notice::PolicyUntrusted);
    store.commit(&scope("first"), first.version, &state, &entry(&receipt("x", "a"))).unwrap();

    let second = store.load(&scope("second")).unwrap();
    assert_eq!(second.state.session, state.session);
    assert_eq!(refusals(&second.state), 0);
    assert_eq!(second.last_receipt, None);
    let elsewhere = Scope { turn: turn("another", "first"), path: "/transcript.jsonl".to_owned() };
    assert_eq!(store.load(&elsewhere).unwrap().state, State::default());
}

#[test]
fn who_comes_second_is_given_the_state_as_it_stands() {
    let ledger = Ledger::new();
    let [mut one, mut other] = [ledger.open(), ledger.open()];
    let [mine, theirs] = [one.load(&scope("t")).unwrap(), other.load(&scope("t")).unwrap()];
    let first = receipt("refused", "one");
    let version = one.commit(&scope("t"), mine.version, &refused(&mine.state), &entry(&first));
    let version = version.unwrap();

    let second = receipt("refused", "other");
    let next = refused(&theirs.state);
    let conflict = other.commit(&scope("t"), theirs.version, &next, &entry(&second));
    let Err(CommitError::Conflict(now)) = conflict else { panic!("{conflict:?}") };
    let Loaded { state, version: current, last_receipt, .. } = &*now;
    assert_eq!((refusals(state), *current), (1, version));
    assert_eq!(*last_receipt, Some(first.id()));

    other.commit(&scope("t"), now.version, &refused(&now.state), &entry(&second)).unwrap();
    assert_eq!(refusals(&one.load(&scope("t")).unwrap().state), 2);
    let stored = whole(one.reader(), &second.id().to_string());
    assert_eq!(stored.summary.supersedes, Some(first.id()));
    assert_eq!(stored.summary.boundary, 2);
}

#[test]
fn a_change_of_the_session_is_a_conflict_too() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let [mine, theirs] = ["mine", "theirs"].map(|name| store.load(&scope(name)).unwrap());
    let mut told = theirs.state.clone();
    told.session.told.insert(Notice::PolicyUntrusted);
    store.commit(&scope("theirs"), theirs.version, &told, &entry(&receipt("x", "a"))).unwrap();
    let late = store.commit(&scope("mine"), mine.version, &mine.state, &entry(&receipt("x", "b")));
    assert!(matches!(late, Err(CommitError::Conflict(_))), "{late:?}");
}

#[test]
fn boundaries_that_came_out_the_same_are_counted_apart() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let ids: Vec<_> = (0..3)
        .map(|_| settle(&mut store, &scope("t"), |_| "the same".to_owned()).unwrap())
        .collect();
    assert_eq!((ids[0], ids[1]), (ids[1], ids[2]));
    assert_eq!(refusals(&store.load(&scope("t")).unwrap().state), 3);
    let stored = whole(store.reader(), &ids[0].to_string());
    assert_eq!((stored.times, stored.summary.boundary), (3, 3));
}

#[test]
fn one_commit_tried_twice_counts_once() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let loaded = store.load(&scope("t")).unwrap();
    let sealed = receipt("refused", "once");
    let mut again =
        || store.commit(&scope("t"), loaded.version, &refused(&loaded.state), &entry(&sealed));
    again().unwrap();
    assert!(matches!(again(), Err(CommitError::Conflict(_))));
    assert_eq!(refusals(&store.load(&scope("t")).unwrap().state), 1);
    assert_eq!(whole(store.reader(), &sealed.id().to_string()).times, 1);
}

#[test]
fn a_boundary_that_was_given_up_is_on_record_and_changes_no_count() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let first = settle(&mut store, &scope("t"), |_| "first".to_owned()).unwrap();
    let given_up = receipt("unverified", "given up");
    store.record(&scope("t"), &entry(&given_up)).unwrap();
    let loaded = store.load(&scope("t")).unwrap();
    assert_eq!((refusals(&loaded.state), loaded.version.boundaries()), (1, 2));
    assert_eq!(loaded.last_receipt, Some(given_up.id()));
    let stored = whole(store.reader(), &given_up.id().to_string());
    assert_eq!((stored.summary.boundary, stored.summary.supersedes), (2, Some(first)));
    settle(&mut store, &scope("t"), |_| "second".to_owned()).unwrap();
    assert_eq!(store.reader().check().unwrap(), [""; 0]);
}

#[test]
fn a_ledger_is_its_users_alone() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    settle(&mut store, &scope("t"), |_| String::new()).unwrap();
    let folder = ledger.path().parent().unwrap().to_owned();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.clone()), 0o700);
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap()).collect();
    assert_eq!(files.len(), 4, "file, log, shared memory, lock: {files:?}");
    for file in files {
        assert_eq!(mode(file.path()), 0o600, "{file:?}");
    }
}

/// What one of several processes does.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load,
    Commit,
}

fn steps() -> impl Strategy<Value = Vec<(usize, Step)>> {
    let step = prop_oneof![Just(Step::Load), Just(Step::Commit)];
    proptest::collection::vec((0..3_usize, step), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// However three processes take turns, a commit goes through if nobody committed since its
    /// state was loaded, and the count is that of the commits that did.
    #[test]
    fn a_commit_goes_through_where_its_version_stands(steps in steps()) {
        let ledger = Ledger::new();
        let mut stores = [ledger.open(), ledger.open(), ledger.open()];
        let mut loaded = stores.each_ref().map(|store| store.load(&scope("t")).unwrap());
        let mut committed = 0;
        for (who, step) in steps {
            let store = &mut stores[who];
            match step {
                Step::Load => loaded[who] = store.load(&scope("t")).unwrap(),
                Step::Commit => {
                    let Loaded { state, version, .. } = &loaded[who];
                    let stands = version.boundaries() == committed;
                    let sealed = receipt("refused", "x");
                    let done: Result<Version, _> =
                        store.commit(&scope("t"), *version, &refused(state), &entry(&sealed));
                    prop_assert_eq!(done.is_ok(), stands);
                    committed += u64::from(stands);
                }
            }
        }
        let last = stores[0].load(&scope("t")).unwrap();
        prop_assert_eq!((refusals(&last.state), last.version.boundaries()), (committed, committed));
    }
}

#[test]
fn a_store_waits_anew_when_told() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    store.wait_until(std::time::Instant::now()).unwrap();
    settle(&mut store, &scope("t"), |_| "what needs no waiting is done".to_owned()).unwrap();
    store.wait_until(patient().wait_until).unwrap();
    assert_eq!(refusals(&store.load(&scope("t")).unwrap().state), 1);
}

/// How much of a log is carried over is forgotten between processes; it must not grow for that.
#[test]
fn the_log_does_not_outlive_the_last_process() {
    let ledger = Ledger::new();
    for round in 0..20 {
        settle(&mut ledger.open(), &scope("t"), |_| round.to_string()).unwrap();
        let log = std::fs::metadata(format!("{}-wal", ledger.path().display()));
        assert!(log.is_err(), "{log:?}");
    }
    assert_eq!(refusals(&ledger.open().load(&scope("t")).unwrap().state), 20);
}
