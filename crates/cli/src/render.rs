//! Records as text for people, made from the very document that `--json` prints.

pub(crate) mod assess;
pub(crate) mod check;
pub(crate) mod evidence;

use std::fmt::Write;

pub(crate) use quittance_driver::escape;
use serde_json::Value;

/// Width of the labels' column.
const LABEL: usize = 12;
/// Longest one-line excerpt of foreign text, in characters.
const EXCERPT: usize = 100;

/// Labelled lines.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    /// A line under a label; a blank label goes on under the one before.
    pub(crate) fn line(&mut self, label: &str, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{label:<LABEL$}{text}");
    }

    /// Several lines under one label; none, no label.
    pub(crate) fn lines(&mut self, label: &str, texts: impl IntoIterator<Item = String>) {
        for (position, text) in texts.into_iter().enumerate() {
            self.line(if position == 0 { label } else { "" }, &text);
        }
    }

    /// A line of its own.
    pub(crate) fn plain(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    pub(crate) fn blank(&mut self) {
        self.0.push('\n');
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// A text at a pointer of the document; absent is empty.
pub(crate) fn text<'a>(document: &'a Value, pointer: &str) -> &'a str {
    document.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// A number at a pointer of the document; absent is zero.
pub(crate) fn number(document: &Value, pointer: &str) -> u64 {
    document.pointer(pointer).and_then(Value::as_u64).unwrap_or_default()
}

/// A list at a pointer of the document; absent is empty.
pub(crate) fn list<'a>(document: &'a Value, pointer: &str) -> &'a [Value] {
    document.pointer(pointer).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

/// The first line of foreign text, escaped and cut; says when it is cut.
pub(crate) fn excerpt(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    let cut = quittance_evidence::clip::head(line, EXCERPT);
    let more = if cut.len() < text.trim().len() { " …" } else { "" };
    format!("{}{more}", escape::foreign(cut))
}

/// Foreign text as it was broken into lines, each escaped. Only the first may stand at the margin:
/// there the others could pass for ours.
pub(crate) fn broken(text: &str) -> Vec<String> {
    text.trim_end().lines().map(escape::foreign).collect()
}

/// `1 thing`, `2 things`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}
