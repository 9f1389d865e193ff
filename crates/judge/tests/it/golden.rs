//! Golden boundaries: the listing of the folders reads as the table of the rules.

use std::path::Path;

use quittance_judge::machine::Decision;
use quittance_judge::turn::Ruling;
use serde_json::{Value, json};

use crate::case::{self, Run};

pub(crate) fn in_folder(folder: &Path, check: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // With the model client in the build, a JSON object keeps the order in which it was made.
    settings.set_sort_maps(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(check);
}

/// The receipt of a case: each boundary, what became of it, and what was asked.
fn receipt(run: &Run) -> Value {
    let boundaries: Vec<Value> =
        run.decisions.iter().map(|(decision, ruling)| boundary(decision, ruling)).collect();
    json!({"boundaries": boundaries, "questions": run.questions})
}

fn boundary(decision: &Decision, ruling: &Ruling) -> Value {
    let events = decision.events.iter().map(|event| {
        let name = serde_json::to_value(event).expect("an event")["event"].clone();
        event.record().map_or(name, |record| record.schema().into())
    });
    json!({
        "outcome": ruling.outcome,
        "cause": ruling.cause,
        "exit_code": ruling.outcome.exit_code(),
        "blocks": ruling.block.is_some(),
        "told": ruling.block,
        "unmet": ruling.unmet,
        "directive": decision.is_adjudicated.then_some(&decision.directive),
        "events": events.collect::<Vec<_>>(),
        "history": decision.history,
        "veto": decision.charge,
    })
}

fn words(run: &Run) -> String {
    let rounds: Vec<String> = run
        .decisions
        .iter()
        .map(|(decision, ruling)| {
            let is_let_go = ruling.unmet.is_some();
            let let_go = if is_let_go {
                format!("let go     {}, {}\n", ruling.outcome.as_str(), ruling.cause)
            } else {
                String::new()
            };
            decision.to_words() + &let_go
        })
        .collect();
    rounds.join("\n")
}

/// A folder says its situation and, last, its outcome.
fn is_named_for_its_outcome(path: &Path, run: &Run) {
    let folder = path.parent().and_then(Path::file_name).expect("a folder");
    let name = folder.to_string_lossy();
    let (_, ruling) = run.decisions.last().expect("a boundary");
    let outcome = ruling.outcome.as_str();
    assert!(name.ends_with(&format!("_{outcome}")), "{name} ends {outcome}");
}

fn check(path: &Path) -> Run {
    let run = case::run(&case::read(path));
    in_folder(path.parent().expect("a folder"), || {
        insta::assert_json_snapshot!("receipt", receipt(&run));
        insta::assert_snapshot!("receipt.txt", words(&run));
    });
    run
}

#[test]
fn boundaries() {
    insta::glob!("../../../../golden/judge", "*/case.json", |path| {
        let run = check(path);
        is_named_for_its_outcome(path, &run);
    });
}

/// Published reports of judges and loops that got it wrong, each with the answer called right.
#[test]
fn reported_bugs() {
    insta::glob!("../../../../golden/bugs", "*/case.json", |path| {
        let case = case::read(path);
        if case.get("answers").is_none() {
            return;
        }
        let run = check(path);
        let expected = case["right"]["outcomes"].as_array().expect("the outcomes called right");
        let outcomes: Vec<&str> =
            run.decisions.iter().map(|(_, ruling)| ruling.outcome.as_str()).collect();
        let expected: Vec<&str> = expected.iter().filter_map(Value::as_str).collect();
        assert_eq!(outcomes, expected, "{}", path.display());
    });
}
