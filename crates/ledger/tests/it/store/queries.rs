//! `receipts list` and `receipts show`.

use quittance_judge::outcome::Outcome;
use quittance_ledger::store::{Entry, Filter, Lookup, Scope, Store, TurnKey};

use super::ledger::{Ledger, receipt, scope};

fn of(turn: TurnKey) -> Scope {
    Scope { turn, path: String::new() }
}

/// Twelve receipts: two hosts, three sessions, two outcomes, one each 10 ms.
fn filled() -> Ledger {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    for number in 0..12_u8 {
        let host = if number < 9 { "claude-code" } else { "codex" };
        let session = format!("s{}", number % 3);
        let status = if number % 2 == 0 { "refused" } else { "verified" };
        let sealed = receipt(status, &number.to_string());
        let turn = number.to_string();
        let key = TurnKey { host: host.to_owned(), session, turn, agent: None };
        let recorded_at_ms = 1_000 + i64::from(number) * 10;
        store.record(&of(key), &Entry { receipt: &sealed, recorded_at_ms }).unwrap();
    }
    ledger
}

/// The times of what is listed, from 1000 on.
fn times(store: &Store, filter: &Filter) -> Vec<i64> {
    let listing = store.reader().list(filter).unwrap();
    assert_eq!(listing.damaged, 0);
    listing.receipts.iter().map(|receipt| receipt.recorded_at_ms - 1_000).collect()
}

#[test]
fn every_part_of_a_filter_must_fit() {
    let ledger = filled();
    let store = ledger.open();
    let all = Filter::default();
    let session = Some("s1".to_owned());
    let host = Some("codex".to_owned());
    let outcome = Some(Outcome::Verified);
    let check = |filter: Filter, expected: &[i64]| assert_eq!(times(&store, &filter), expected);
    check(all.clone(), &[110, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0]);
    check(Filter { limit: 2, ..all.clone() }, &[110, 100]);
    check(Filter { limit: 0, ..all.clone() }, &[]);
    check(Filter { session: session.clone(), ..all.clone() }, &[100, 70, 40, 10]);
    check(Filter { outcome, ..all.clone() }, &[110, 90, 70, 50, 30, 10]);
    check(Filter { host: host.clone(), ..all.clone() }, &[110, 100, 90]);
    check(Filter { outcome, host: host.clone(), ..all.clone() }, &[110, 90]);
    check(Filter { session: session.clone(), outcome, ..all.clone() }, &[70, 10]);
    check(Filter { session, host, outcome, ..all.clone() }, &[]);
    let [since_ms, until_ms] = [Some(1_030), Some(1_050)];
    check(Filter { since_ms, until_ms, ..all.clone() }, &[40, 30]);
    check(Filter { since_ms, until_ms, outcome, ..all.clone() }, &[30]);
    check(Filter { outcome: Some(Outcome::Abandoned), ..all }, &[]);
}

#[test]
fn receipts_of_one_moment_are_listed_last_recorded_first() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let ids: Vec<_> = ["a", "b", "c"]
        .map(|content| {
            let sealed = receipt("refused", content);
            let key = super::ledger::turn("s", content);
            let entry = Entry { receipt: &sealed, recorded_at_ms: i64::MIN };
            store.record(&of(key), &entry).unwrap();
            sealed.id()
        })
        .into_iter()
        .rev()
        .collect();
    for outcome in [None, Some(Outcome::Refused)] {
        let listing = store.reader().list(&Filter { outcome, ..Filter::default() }).unwrap();
        assert_eq!(listing.receipts.iter().map(|r| r.id).collect::<Vec<_>>(), ids);
    }
}

#[test]
fn a_receipt_is_found_by_its_id_or_a_beginning_that_fits_no_other() {
    let ledger = filled();
    let reader = ledger.read();
    let sealed = receipt("refused", "4");
    let id = sealed.id().to_string();
    let found = |text: &str| match reader.find(text).unwrap() {
        Lookup::Found(stored) => stored.text,
        other => panic!("{other:?}"),
    };
    assert_eq!(found(&id), sealed.to_text());
    assert_eq!(found(&id[7..]), sealed.to_text());
    assert_eq!(found(&id[..23]), sealed.to_text());
    assert_eq!(found(&id[7..].to_uppercase()), sealed.to_text());
}

#[test]
fn a_beginning_that_fits_several_names_some_of_them() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let mut ids: Vec<_> = (0..400)
        .map(|number: u32| {
            let sealed = receipt("refused", &number.to_string());
            let entry = Entry { receipt: &sealed, recorded_at_ms: 0 };
            store.record(&scope("t"), &entry).unwrap();
            sealed.id().to_string()
        })
        .collect();
    ids.sort();
    for digit in "0123456789abcdef".chars() {
        let all = ids.iter().filter(|id| id[7..].starts_with(digit));
        let first: Vec<_> = all.take(8).cloned().collect();
        let lookup = store.reader().find(&digit.to_string()).unwrap();
        assert_eq!(lookup, Lookup::Ambiguous(first));
    }
}

#[test]
fn what_is_no_id_finds_nothing() {
    let ledger = filled();
    let reader = ledger.read();
    for text in ["", "sha256:", "md5:aa", "%", "_", "a'--", "sha256:ä", &"a".repeat(65)] {
        assert_eq!(reader.find(text).unwrap(), Lookup::NotAnId, "{text:?}");
    }
    assert_eq!(reader.find(&"0".repeat(64)).unwrap(), Lookup::None);
}
