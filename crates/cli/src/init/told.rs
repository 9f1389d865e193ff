//! What `init` did, for people and as a document.

use std::path::Path;

use quittance_driver::policy::FILE_NAME;
use serde_json::{Map, Value, json};

use super::around;
use super::chosen::Chosen;
use super::kinds::Check;
use crate::Answer;
use crate::render::{Page, escape};
use crate::trial::{self, Trial};

/// What was done so far.
pub(super) struct Told {
    page: Page,
    document: Map<String, Value>,
}

impl Told {
    /// What the project is taken for, and what its checks came to.
    pub(super) fn of(chosen: &Chosen<'_>, file: &Path) -> Self {
        let page = page(chosen);
        let mut document = document(chosen);
        document.insert("file".to_owned(), file.to_string_lossy().into());
        document.insert("written".to_owned(), false.into());
        document.insert("trusted".to_owned(), false.into());
        Self { page, document }
    }

    pub(super) fn shown(&mut self, text: &str) {
        self.page.blank();
        self.page.plain(text.trim_end());
        self.page.blank();
        self.page.plain("Nothing was written.");
        self.document.insert("policy".to_owned(), text.into());
    }

    pub(super) fn written(&mut self, file: &Path, trusted: &Answer) {
        self.page.line("wrote", &escape::foreign(&file.to_string_lossy()));
        self.page.plain(trusted.text.trim_end());
        self.document.insert("written".to_owned(), true.into());
        self.document.insert("trusted".to_owned(), true.into());
    }

    /// What lies around the folder, and what to do next.
    pub(super) fn next(&mut self, chosen: &Chosen<'_>, folder: &Path) {
        self.page.lines("above", around::above(folder));
        if chosen.verifier.is_none() {
            self.page.lines("below", around::below(folder));
        }
        self.page.line("next", &next(chosen));
    }

    pub(super) fn answer(self) -> Answer {
        Answer { document: Value::Object(self.document), text: self.page.into_text(), code: 0 }
    }
}

fn page(chosen: &Chosen<'_>) -> Page {
    let mut page = Page::default();
    match chosen.of {
        Some(of) => page.line("project", &format!("{} (`{}`)", of.kind, of.from)),
        None => page.line("project", "of no kind that is known here"),
    }
    let amiss = chosen.found.iter().filter_map(|found| found.amiss.as_deref());
    page.lines("note", amiss.map(escape::foreign));
    let line = chosen.verifier.as_ref().map(|(check, _)| check.command.join(" "));
    page.lines("verifier", line.clone());
    let trial = chosen.verifier.as_ref().map_or(&Trial::Untried, |(_, trial)| trial);
    tried(&mut page, trial, line.is_some());
    let passed_over = chosen.passed_over.iter();
    page.lines("not run", passed_over.map(|(check, why)| not_run(check, why)));
    let untried = chosen.untried().into_iter();
    page.lines("untried", untried.map(|(check, from)| format!("{} (`{from}`)", line_of(check))));
    page
}

fn line_of(check: &Check) -> String {
    check.command.join(" ")
}

fn not_run(check: &Check, why: &str) -> String {
    format!("{}: {}", line_of(check), escape::foreign(why))
}

fn document(chosen: &Chosen<'_>) -> Map<String, Value> {
    let trial = chosen.verifier.as_ref().map_or(&Trial::Untried, |(_, trial)| trial);
    let (why, findings) = match trial {
        Trial::CouldNot { why } => (Some(why.as_str()), None),
        Trial::Failed { findings } => (None, Some(findings.as_str())),
        Trial::Passed | Trial::Untried => (None, None),
    };
    let passed_over = chosen.passed_over.iter();
    let passed_over = passed_over.map(|(check, why)| json!({"command": check.command, "why": why}));
    let untried = chosen.untried().into_iter();
    let untried = untried.map(|(check, from)| json!({"command": check.command, "from": from}));
    let notes = chosen.found.iter().filter_map(|found| found.amiss.as_deref());
    let entries = [
        ("kind", json!(chosen.of.map(|of| of.kind))),
        ("from", json!(chosen.of.map(|of| of.from.as_str()))),
        ("notes", notes.collect()),
        ("command", json!(chosen.verifier.as_ref().map(|(check, _)| &check.command))),
        ("trial", trial.as_str().into()),
        ("why", json!(why)),
        ("findings", json!(findings)),
        ("in_force", chosen.is_in_force().into()),
        ("not_run", passed_over.collect()),
        ("untried", untried.collect()),
    ];
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn tried(page: &mut Page, trial: &Trial, is_named: bool) {
    match trial {
        Trial::Passed => page.line("tried", "it passed"),
        Trial::Failed { findings } => {
            page.line("tried", "it ran and failed: a run that writes is refused until it passes");
            page.lines("", trial::ending(findings).into_iter().map(escape::foreign));
        }
        Trial::CouldNot { why } => {
            page.line("tried", &format!("it could not be run: {}", escape::foreign(why)));
        }
        Trial::Untried if is_named => page.line("tried", "no"),
        Trial::Untried => page.line("verifier", "nothing says how this project is checked"),
    }
}

fn next(chosen: &Chosen<'_>) -> String {
    match &chosen.verifier {
        Some((_, trial)) if trial.is_reading() => {
            "`quittance install claude-code`, or another host".to_owned()
        }
        Some(_) => format!(
            "once the verifier runs, take its marks away in `{FILE_NAME}`, then `quittance trust`"
        ),
        None => format!("name a verifier in `{FILE_NAME}`, then `quittance trust`"),
    }
}
