//! A change of a text file, as people read one.

use std::fmt::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use similar::TextDiff;

use crate::render::escape;

/// Lines shown around a change.
const AROUND: usize = 3;

/// The change between two texts of a file, none being no file; `""` where they are the same.
pub(super) fn unified(path: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let name = path.to_string_lossy();
    let named = |text: Option<&str>| text.map_or("/dev/null", |_| &*name).to_owned();
    let diff = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    let mut unified = diff.unified_diff();
    unified.context_radius(AROUND).header(&named(before), &named(after)).to_string()
}

/// The same for a terminal: coloured, and nothing in it moves or hides.
pub(super) fn shown(unified: &str) -> String {
    let mut out = String::with_capacity(unified.len());
    for line in unified.lines() {
        let style = style(line);
        // Indentation is no reason to show an escape.
        let line = line.split('\t').map(escape::foreign).collect::<Vec<_>>().join("\t");
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{style}{line}{style:#}");
    }
    out
}

fn style(line: &str) -> Style {
    let mark = line.get(..1).unwrap_or_default();
    match mark {
        _ if line.starts_with("+++") || line.starts_with("---") => Style::new().bold(),
        "+" => AnsiColor::Green.on_default(),
        "-" => AnsiColor::Red.on_default(),
        "@" => AnsiColor::Cyan.on_default(),
        _ => Style::new(),
    }
}
