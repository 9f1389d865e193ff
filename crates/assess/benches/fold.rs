//! The fold over one record of 10 k, 100 k and 1 M messages and as many ledger rows: a pass that only
//! parses (the limit), reading the record, folding it, and printing the assessment.
//!
//! `periods` is the shape on which the original is quadratic: every eighth row is an argument and
//! every eighth a period.

use std::fmt::Write as _;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use quittance_assess::{Declarations, Record, assess};
use serde::de::IgnoredAny;

const ROWS: [usize; 3] = [10_000, 100_000, 1_000_000];

fn main() {
    divan::main();
}

/// A record of `n` messages, half of them requests and half results, and `n` rows of eight kinds.
fn record(n: usize) -> String {
    let mut text = String::from(r#"{"snapshot":{"sharedState":{"turnNumber":1,"history":["#);
    text.push_str(r#"{"role":"user","content":"Which ports are down?"}"#);
    for i in 0..n / 2 {
        let _ = write!(
            text,
            r#",{{"role":"assistant","content":"","toolCalls":[{{"id":"c{i}","name":"t","args":{{}}}}]}},{{"role":"tool","toolCallId":"c{i}","toolName":"t","content":"[{{\"id\":{i}}}]"}}"#
        );
    }
    text.push_str(r#"],"coverageDeclared":["#);
    for i in 0..n / 8 {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(
            text,
            r#"{comma}{{"kind":"ledger","toolName":"t","toolCallId":"c{i}","notChecked":[],"cannotCover":[]}}"#
        );
    }
    text.push_str(r#"],"findingsLedger":["#);
    for i in 0..n {
        text.push_str(if i > 0 { "," } else { "" });
        row(i, &mut text);
    }
    text.push_str("]}}}");
    text
}

fn row(i: usize, text: &mut String) {
    let call = i / 8;
    let rest = match i % 8 {
        0 => {
            r#""kind":"argument","argument":"window","rule":"ask","source":"model","claimed":"user""#
        }
        1 => r#""kind":"period","argument":"window","verdict":"not-held""#,
        2 => r#""kind":"conflict","witnesses":[{"toolCallId":"c1"},{"toolCallId":"c2"}]"#,
        3 => {
            r#""kind":"contingent","declaredOn":"answer","value":"v","carriers":[{"toolCallId":"c1"}]"#
        }
        4 => r#""kind":"grounded","lookedUp":3,"posture":"guard""#,
        5 => r#""kind":"time-derived","values":["08:41"]"#,
        6 => r#""kind":"script-shown","label":"matched""#,
        _ => r#""kind":"standing","standing":"noise","assertions":[]"#,
    };
    let _ = write!(text, r#"{{{rest},"turn":1,"iteration":2,"toolCallId":"c{call}"}}"#);
}

#[divan::bench(args = ROWS, max_time = 20)]
fn parse_only(bencher: Bencher<'_, '_>, n: usize) {
    let text = record(n);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| serde_json::from_slice::<IgnoredAny>(black_box(text.as_bytes())).is_ok());
}

#[divan::bench(args = ROWS, max_time = 20)]
fn read(bencher: Bencher<'_, '_>, n: usize) {
    let text = record(n);
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| Record::parse(black_box(text.as_bytes())).is_ok());
}

#[divan::bench(args = ROWS, max_time = 20)]
fn fold(bencher: Bencher<'_, '_>, n: usize) {
    let text = record(n);
    let Ok(record) = Record::parse(text.as_bytes()) else { return };
    let declarations = Declarations::default();
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| assess(black_box(&record), &declarations).reasons().len());
}

#[divan::bench(args = ROWS, max_time = 20)]
fn print(bencher: Bencher<'_, '_>, n: usize) {
    let text = record(n);
    let Ok(record) = Record::parse(text.as_bytes()) else { return };
    let assessment = assess(&record, &Declarations::default());
    bencher
        .counter(BytesCount::new(text.len()))
        .bench_local(|| black_box(&assessment).to_json().len());
}

#[divan::bench(args = ROWS, max_time = 20)]
fn read_fold_print(bencher: Bencher<'_, '_>, n: usize) {
    let text = record(n);
    let declarations = Declarations::default();
    bencher.counter(BytesCount::new(text.len())).bench_local(|| {
        Record::parse(black_box(text.as_bytes()))
            .map(|record| assess(&record, &declarations).to_json().len())
            .ok()
    });
}
