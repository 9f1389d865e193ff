//! What was done to a host's settings, for people and as a document.

use std::path::Path;

use quittance_hosts::hook::{Basis, Host};
use quittance_hosts::settings::Place;
use serde_json::{Map, Value, json};

use super::args::Target;
use super::diff;
use super::file::Change;
use crate::Answer;
use crate::exit::Failure as Exit;
use crate::render::{Page, escape};

const UNHELD: &str = "nothing is held there yet: its records have no reader, so every stop passes \
                      as `unverified`";

/// What was done, for people and as a document.
pub(super) struct Report {
    pub(super) page: Page,
    document: Map<String, Value>,
    is_dry: bool,
    is_changed: bool,
    files: Vec<Value>,
    code: u8,
}

impl Report {
    pub(super) fn of(target: &Target, file: &Path) -> Self {
        let (host, place) = (target.host, target.place());
        let (scope, whose) = match place {
            Place::Project => ("project", "the project's settings"),
            Place::User => ("user", "your own settings"),
        };
        let mut page = Page::default();
        page.line("host", &format!("{}, {whose}", host.title()));
        let document = json!({
            "host": host.as_str(),
            "scope": scope,
            "file": file.to_string_lossy(),
            "dry_run": target.dry_run,
        });
        let Value::Object(document) = document else { return Self::empty(target.dry_run) };
        Self { page, document, ..Self::empty(target.dry_run) }
    }

    fn empty(is_dry: bool) -> Self {
        let (page, document) = (Page::default(), Map::new());
        Self { page, document, is_dry, is_changed: false, files: Vec::new(), code: 0 }
    }

    pub(super) fn insert(&mut self, key: &str, value: impl Into<Value>) {
        self.document.insert(key.to_owned(), value.into());
    }

    /// Tells of something that could not be done beside the rest, which was.
    pub(super) fn failed(&mut self, label: &str, failure: &Exit) {
        let what = format!("cannot {failure}");
        self.page.line(label, &escape::foreign(&what));
        self.insert("failure", what);
        self.code = failure.code();
    }

    /// Tells a change of a file; of a dry run, the change itself.
    pub(super) fn changed(&mut self, path: &Path, change: &Change) {
        let before = change.before.as_deref().map(String::from_utf8_lossy);
        let after = change.after.as_deref();
        let diff = if change.is_changed {
            diff::unified(path, before.as_deref(), after)
        } else {
            String::new()
        };
        let shown = escape::foreign(&path.to_string_lossy());
        let label = match (change.is_changed, before.is_some(), after.is_some()) {
            (false, _, _) => "unchanged",
            (true, false, _) => "made",
            (true, true, false) => "removed",
            (true, true, true) => "changed",
        };
        self.page.line(label, &shown);
        self.page.lines("", change.summary.iter().map(|line| escape::foreign(line)));
        if self.is_dry && change.is_changed {
            self.page.blank();
            self.page.plain(diff::shown(&diff).trim_end());
            self.page.blank();
        }
        self.is_changed |= change.is_changed;
        self.files.push(json!({
            "file": path.to_string_lossy(),
            "change": label,
            "summary": change.summary,
            "diff": diff,
        }));
    }

    /// What else there is to know of this host.
    pub(super) fn note_of(&mut self, host: Host, place: Place) {
        self.insert("reads_records", host.reads_records());
        if !host.reads_records() {
            self.page.line("unheld", UNHELD);
        }
        if place == Place::Project {
            self.page.line("", "it is run by its bare name: `quittance` has to be on the PATH");
        }
        if host.basis() == Basis::Documented {
            let known = "known from the vendor's documentation; no client was driven";
            self.page.line("", known);
        }
    }

    /// Two hooks at one stop count it twice.
    pub(super) fn twice(&mut self, other: &Path) {
        let shown = escape::foreign(&other.to_string_lossy());
        let why = "a host that runs both counts each stop twice: uninstall one of them";
        self.page.line("twice", &format!("`{shown}` holds the hook too; {why}"));
        self.insert("also_in", other.to_string_lossy());
    }

    pub(super) fn answer(mut self) -> Answer {
        if self.is_dry {
            self.page.plain("Nothing was written.");
        }
        let (changed, files) = (self.is_changed, std::mem::take(&mut self.files));
        self.insert("changed", changed);
        self.insert("files", files);
        let document = Value::Object(self.document);
        Answer { document, text: self.page.into_text(), code: self.code }
    }
}
