//! One finding of the doctor, for people and as a document.

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::render::{Page, escape};

/// How a part was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It works.
    Ok,
    /// It works, or nobody could tell, and a person should know something of it.
    Warning,
    /// It does not work.
    Failed,
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Ok => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default(),
            Self::Failed => AnsiColor::Red.on_default().bold(),
        }
    }
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// What was looked at.
    part: &'static str,
    pub(super) status: Status,
    /// What was found.
    what: String,
    /// What to do about it.
    advice: Option<String>,
}

/// Width of the column of statuses.
const STATUS: usize = 9;
/// Width of the column of parts.
const PART: usize = 10;

impl Line {
    pub(super) fn ok(part: &'static str, what: impl Into<String>) -> Self {
        Self { part, status: Status::Ok, what: what.into(), advice: None }
    }

    pub(super) fn warning(
        part: &'static str,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let advice = Some(advice.into());
        Self { part, status: Status::Warning, what: what.into(), advice }
    }

    pub(super) fn failed(
        part: &'static str,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        let advice = Some(advice.into());
        Self { part, status: Status::Failed, what: what.into(), advice }
    }

    pub(super) fn put(&self, page: &mut Page) {
        let (style, word) = (self.status.style(), self.status.as_str());
        let mut what = self.what.lines().map(escape::foreign);
        let first = what.next().unwrap_or_default();
        page.plain(&format!("{style}{word:<STATUS$}{style:#}{:<PART$}{first}", self.part));
        what.for_each(|line| page.plain(&format!("{:<STATUS$}{:<PART$}{line}", "", "")));
        if let Some(advice) = &self.advice {
            let advice = escape::foreign(advice);
            page.plain(&format!("{:<STATUS$}{:<PART$}{advice}", "", ""));
        }
    }

    pub(super) fn to_value(&self) -> Value {
        json!({
            "part": self.part,
            "status": self.status.as_str(),
            "what": self.what,
            "advice": self.advice,
        })
    }
}
