//! A check for people.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Style};
use quittance_judge::outcome::Outcome;
use serde_json::Value;

use super::escape::foreign;
use crate::statements::Statement;

use super::{Page, broken, counted, excerpt, list, number, text};

/// Renders the record of a check. The last line says what the exit code means.
pub(crate) fn page(check: &Value, outcome: Outcome, statements: &[Statement]) -> String {
    let mut page = Page::default();
    let word = text(check, "/outcome/status");
    let cause = text(check, "/outcome/cause");
    let cause = if cause.is_empty() { String::new() } else { format!(" ({cause})") };
    let style = style(outcome);
    page.line("outcome", &format!("{style}{word}{style:#}{cause}"));
    page.line("", outcome.sentence());
    run(&mut page, check);
    owed(&mut page, check);
    artifacts(&mut page, check);
    for label in ["verifier", "asked", "overruled"] {
        let of_label = statements.iter().filter(|statement| statement.about == label);
        page.lines(label, of_label.map(|statement| excerpt(&statement.says)));
    }
    evidence(&mut page, check);
    page.line("standing", &excerpt(text(check, "/how_sure")));
    page.line("receipt", text(check, "/receipt_id"));
    page.blank();
    for sentence in advice(check, outcome) {
        page.plain(&sentence);
    }
    page.plain(&format!("exit code {}: {word}", outcome.exit_code()));
    page.into_text()
}

/// The colour of an outcome.
pub(crate) fn style(outcome: Outcome) -> Style {
    let color = match outcome {
        Outcome::Verified | Outcome::Accepted | Outcome::Stopped => AnsiColor::Green,
        Outcome::Refused | Outcome::Abandoned => AnsiColor::Red,
        Outcome::Unverified | Outcome::Unadjudicated | Outcome::Waiting => AnsiColor::Yellow,
    };
    color.on_default().bold()
}

fn run(page: &mut Page, check: &Value) {
    let (turn, turns) = (number(check, "/run/turn"), number(check, "/run/turns"));
    let session = match text(check, "/run/session_id") {
        "" => String::new(),
        id => format!(", session {}", foreign(id)),
    };
    page.line("run", &format!("{}{session}", text(check, "/run/format")));
    let stop = text(check, "/run/stop_reason");
    page.line("turn", &format!("{turn} of {turns}, stop reason {stop}"));
    source(page, check);
}

/// What of the file could not be taken as it stands; a clean file needs no line.
fn source(page: &mut Page, check: &Value) {
    let issues = list(check, "/run/source/issues").iter().map(|issue| {
        let line = number(issue, "/line");
        format!("line {line} could not be read: {}", text(issue, "/cause"))
    });
    let repairs = check.pointer("/run/source/repairs").and_then(Value::as_object);
    let repairs = repairs.into_iter().flatten().map(|(kind, count)| {
        format!("{} mended: {kind}", counted(count.as_u64().unwrap_or_default(), "line"))
    });
    page.lines("record", issues.chain(repairs));
}

fn owed(page: &mut Page, check: &Value) {
    page.line("owed", &excerpt(text(check, "/run/objective")));
    let steers = list(check, "/obligations/steers");
    page.lines(
        "",
        steers.iter().map(|steer| format!("steer: {}", excerpt(text(steer, "/content")))),
    );
    if check.pointer("/obligations/retarget").is_some() {
        page.line("", "the objective was replaced mid-run; its rows are retired");
    }
    let rows = list(check, "/requirements/contract/requirements").iter();
    page.lines("", rows.map(|row| requirement(row, status(check, row))));
    let retired = list(check, "/requirements/retired").iter();
    page.lines("", retired.map(|row| requirement(row, "retired")));
}

/// What an adjudicator found of a row.
fn status<'a>(check: &'a Value, row: &Value) -> &'a str {
    let assessed = list(check, "/directive/requirements/rows").iter();
    let mut same =
        assessed.filter(|found| found.get("requirement_id") == row.get("requirement_id"));
    same.next().map_or("not assessed", |found| text(found, "/status"))
}

fn requirement(row: &Value, status: &str) -> String {
    let (id, name) = (foreign(text(row, "/requirement_id")), excerpt(text(row, "/name")));
    format!("requirement {id}, {status}: {name}")
}

fn artifacts(page: &mut Page, check: &Value) {
    let Some(audit) = check.pointer("/artifacts/audit") else { return };
    let named = |key: &str| list(audit, key).iter().filter_map(Value::as_str);
    let unmet_paths: BTreeSet<&str> = named("/missing").chain(named("/unverifiable")).collect();
    let present = named("/declared").filter(|path| !unmet_paths.contains(path));
    let present = present.map(|path| format!("present: {}", foreign(path)));
    let missing = named("/missing").map(|path| unmet(check, "missing", path));
    let untold = named("/unverifiable").map(|path| unmet(check, "could not tell", path));
    page.lines("artifacts", missing.chain(untold).chain(present));
}

fn unmet(check: &Value, verdict: &str, path: &str) -> String {
    let notes = check.pointer("/artifacts/notes").and_then(|notes| notes.get(path));
    let note = notes.map_or("", |found| text(found, "/note"));
    let note = if note.is_empty() { String::new() } else { format!(" ({})", foreign(note)) };
    format!("{verdict}: {}{note}", foreign(path))
}

fn evidence(page: &mut Page, check: &Value) {
    page.line("calls", &calls(check));
    page.line("evidence", text(check, "/evidence/evidence_id"));
    let at = |key: &str| number(check, &format!("/evidence/projection/{key}"));
    let kept = format!(
        "{}, {}; {} older and {} read-only left out; {}",
        counted(at("included_action_count"), "action"),
        counted(at("included_read_only_call_count"), "read"),
        at("omitted_older_action_count"),
        at("omitted_read_only_call_count"),
        counted(at("lifecycle_issue_count"), "issue"),
    );
    page.line("", &kept);
}

fn calls(check: &Value) -> String {
    let tools = check.pointer("/run/calls").and_then(Value::as_object);
    let tools: Vec<&Value> = tools.into_iter().flat_map(|tools| tools.values()).collect();
    let sum = |key: &str| tools.iter().map(|tool| number(tool, key)).sum::<u64>();
    let (ok, error, unknown) = (sum("/ok"), sum("/error"), sum("/unknown"));
    match ok + error + unknown {
        0 => "none".to_owned(),
        total => format!("{total}: {ok} ok, {error} failed, {unknown} not known"),
    }
}

/// What the reader may do about it.
fn advice(check: &Value, outcome: Outcome) -> Vec<String> {
    let feedback = text(check, "/outcome/feedback");
    let mut advice = Vec::new();
    if !feedback.is_empty() {
        advice.push(broken(feedback).join("\n    "));
    }
    if outcome == Outcome::Unadjudicated {
        advice.push(unadjudicated(check).to_owned());
        if check.pointer("/artifacts/audit").is_none() {
            advice.push(DECLARE_ARTIFACTS.to_owned());
        }
    }
    advice
}

fn unadjudicated(check: &Value) -> &'static str {
    match text(check, "/run/stop_reason") {
        "natural" if check.pointer("/verifier").is_some_and(Value::is_object) => NOBODY_SAID_YES,
        "natural" => NOBODY_ASKED,
        _ => NOT_NATURAL,
    }
}

const NOBODY_ASKED: &str = "Nothing in the record or on the disk speaks against this run, and \
nobody was asked whether its work is done.";
const NOBODY_SAID_YES: &str = "Nothing speaks against this run, and nobody said that its work is \
done: the verifier was not due or gave no reading, and no judge is declared.";
const NOT_NATURAL: &str = "The run did not come to an end of its own, so what it left undone is \
not held against it, and nobody was asked whether its work is done.";
const DECLARE_ARTIFACTS: &str = "To give a run something it can fail, declare in quittance.toml \
what it has to leave behind:\n\n  version = 1\n  [contract]\n  artifacts = [\"dist/out.js\"]\n";
