//! Golden receipts: every rule of a boundary as a case whose folder says situation and outcome, and
//! the proof that each can be made again from its receipt alone.

use std::path::Path;

use quittance_driver::replay;
use quittance_ledger::{Receipt, differences};
use serde_json::{Map, Value};

use crate::golden;
use crate::world::{World, block_on};

/// The receipt, pinned; its folder's name ends in its outcome; replay arrives at the same id. Gives
/// the case as a row of the table of rules.
fn check(folder: &Path) -> String {
    let world = World::read(folder);
    let receipt = world.adjudicate().receipt;
    let name = folder.file_name().unwrap().to_str().unwrap();
    let is = &receipt.body().outcome;
    assert!(name.ends_with(&is.status), "{name} is {} ({})", is.status, is.cause);
    let area = folder.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let pretty = golden::pretty(&receipt.to_value());
    golden::pin(&format!("{area}/{name}"), "receipt", &pretty);
    let again = Receipt::parse(&backwards(&receipt.to_value()).to_string()).unwrap();
    assert_eq!(again, receipt, "{name}: the order of keys changes nothing");
    let replayed = block_on(replay(&again, world.session(), Value::Null)).unwrap();
    assert_eq!(replayed.differences, [], "{name}");
    assert_eq!(replayed.adjudicated.receipt.id(), receipt.id(), "{name}");
    row(name, &receipt)
}

/// Situation, what the verifier came to, how often judges were asked, outcome and cause.
fn row(name: &str, receipt: &Receipt) -> String {
    let body = receipt.body();
    let situation = name.strip_suffix(&format!("_{}", body.outcome.status)).unwrap();
    let gate = body.inputs.gate.as_ref().map_or("-".to_owned(), |gate| {
        let ended = serde_json::to_value(gate.ended).unwrap();
        format!("{} {}", ended.as_str().unwrap(), gate.reading.as_str())
    });
    let (asked, status, cause) = (body.tape.len(), &body.outcome.status, &body.outcome.cause);
    format!("{:<52} | {gate:<20} | {asked} | {status:<13} | {cause}", situation.replace('_', " "))
}

/// A value as text with the keys of its objects in backward order.
struct Backwards(String);

impl std::fmt::Display for Backwards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn backwards(value: &Value) -> Backwards {
    Backwards(match value {
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.sort();
            let pairs = keys.iter().rev().map(|key| {
                format!("{}: {}", Value::from(key.as_str()), backwards(&fields[key.as_str()]))
            });
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| backwards(item).0).collect();
            format!("[{}]", items.join(","))
        }
        scalar => scalar.to_string(),
    })
}

fn each(area: &str) -> Vec<String> {
    let mut folders: Vec<_> = std::fs::read_dir(golden::folder().join(area))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let rows = folders.iter().map(|folder| (folder, std::panic::catch_unwind(|| check(folder))));
    let (passed, failed): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| row.is_ok());
    let failed: Vec<_> = failed.iter().map(|(folder, _)| folder.display().to_string()).collect();
    assert_eq!(failed, Vec::<String>::new());
    passed.into_iter().filter_map(|(_, row)| row.ok()).collect()
}

#[test]
fn every_rule_has_its_receipt_and_its_replay() {
    let table = each("receipts");
    let head =
        format!("{:<52} | {:<20} | n | {:<13} | {}", "situation", "verifier", "outcome", "cause");
    golden::pin(
        "rules/every_receipt_in_one_table",
        "rules",
        &format!("{head}\n{}", table.join("\n")),
    );
}

#[test]
fn a_changed_receipt_is_refused_and_a_changed_answer_is_named() {
    let folder = golden::folder().join("receipts/verifier_red_refused");
    let world = World::read(&folder);
    let receipt = world.adjudicate().receipt;
    let mut value = receipt.to_value();
    value["outcome"]["status"] = "verified".into();
    let error = Receipt::parse(&value.to_string()).unwrap_err().to_string();
    assert!(error.starts_with("rely on the receipt: it says that its id is sha256:"), "{error}");

    let mut body = receipt.body().clone();
    body.outcome.status = "verified".to_owned();
    let forged = Receipt::seal(body);
    let replayed = block_on(replay(&forged, world.session(), Value::Null)).unwrap();
    let named: Vec<&str> =
        replayed.differences.iter().map(|found| found.pointer.as_str()).collect();
    assert_eq!(named, ["/outcome/status"]);
    assert_eq!(differences(&receipt, &replayed.adjudicated.receipt), []);
}

#[test]
fn what_is_no_receipt_is_said_to_be_none() {
    let deep = format!("{{\"schema\":{}1", "[".repeat(600));
    let error = |text: &str| Receipt::parse(text).unwrap_err().to_string();
    assert_eq!(error(&deep), "read the receipt: it nests deeper than 512");
    assert!(error("{}").starts_with("read the receipt: missing field `schema`"), "{}", error("{}"));
    assert!(error("").starts_with("read the receipt: EOF"), "{}", error(""));
    let mut other = Map::new();
    other.insert("schema".to_owned(), "quittance.receipt.v9".into());
    other.insert("receipt_id".to_owned(), format!("sha256:{}", "0".repeat(64)).into());
    let other = error(&Value::Object(other).to_string());
    assert!(other.starts_with("read the receipt: "), "{other}");
}
