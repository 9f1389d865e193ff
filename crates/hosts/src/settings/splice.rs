//! Putting an item into a container of a text, and taking one out, with every other byte kept.
//!
//! Taking out what was put in gives the bytes before.

use std::ops::Range;

use super::json::{Container, Layout};

/// How a file is written.
#[derive(Clone, Debug)]
pub(super) struct Style {
    newline: &'static str,
    unit: String,
}

/// What is written where a file shows no style of its own.
const UNIT: &str = "  ";

impl Style {
    /// The style of a file whose outermost container is given.
    pub(super) fn of(text: &str, root: Option<&Container>) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.and_then(|root| root.items.first());
        let unit = first.and_then(|first| own_line(text, first.start)).map(|line| line.indent);
        let unit = unit.filter(|unit| !unit.is_empty()).unwrap_or(UNIT).to_owned();
        Self { newline, unit }
    }

    pub(super) const fn newline(&self) -> &'static str {
        self.newline
    }

    pub(super) fn lines(&self) -> Layout<'_> {
        Layout::Lines { newline: self.newline, unit: &self.unit }
    }
}

/// Puts an item behind the last one. `write` gives its text for a layout and an indentation.
pub(super) fn put(
    text: &str,
    container: &Container,
    style: &Style,
    write: impl FnOnce(Layout<'_>, &str) -> String,
) -> String {
    let spot = Spot::of(text, container, style);
    let item = write(spot.layout, &spot.indent);
    match container.items.last() {
        None => put_first(text, &inner(container), &spot, &item),
        Some(last) => put_behind(text, last.end, &spot, &item),
    }
}

/// How the next item of a container is written.
#[derive(Debug)]
struct Spot<'a> {
    layout: Layout<'a>,
    indent: String,
    /// The indentation of the container itself.
    outer: &'a str,
}

impl<'a> Spot<'a> {
    fn of(text: &'a str, container: &Container, style: &'a Style) -> Self {
        let outer = indent_at(text, container.range.start);
        let first = container.items.first();
        let own = first.and_then(|first| own_line(text, first.start)).map(|line| line.indent);
        let indent = own.map_or_else(|| [outer, &style.unit].concat(), str::to_owned);
        let is_file = part(text, &(0..container.range.start)).trim().is_empty();
        let has_lines = part(text, &inner(container)).contains('\n')
            || first.is_none() && (is_file || text.contains('\n'));
        let layout = if has_lines { style.lines() } else { Layout::Inline };
        Self { layout, indent, outer }
    }
}

/// Puts the first item into a container that may hold remarks.
fn put_first(text: &str, inner: &Range<usize>, spot: &Spot<'_>, item: &str) -> String {
    let from = inner.start + part(text, inner).trim_end().len();
    let item = match spot.layout {
        Layout::Inline => item.to_owned(),
        Layout::Lines { newline, .. } => {
            [newline, &spot.indent, item, newline, spot.outer].concat()
        }
    };
    spliced(text, &[(from..inner.end, item)])
}

/// Puts an item behind another one, and behind the remarks in that one's line.
fn put_behind(text: &str, last: usize, spot: &Spot<'_>, item: &str) -> String {
    let lead = match spot.layout {
        Layout::Inline => " ".to_owned(),
        Layout::Lines { newline, .. } => [newline, &spot.indent].concat(),
    };
    let Some(comma) = next_comma(text, last) else {
        let behind = end_of_remarks(text, last);
        let item = [&lead, item].concat();
        return spliced(text, &[(last..last, ",".to_owned()), (behind..behind, item)]);
    };
    let behind = end_of_remarks(text, comma + 1);
    spliced(text, &[(behind..behind, [&lead, item, ","].concat())])
}

/// What stands between the brackets of a container.
const fn inner(container: &Container) -> Range<usize> {
    container.range.start + 1..container.range.end.saturating_sub(1)
}

/// Takes an item out. Remarks stay; a container that is left with blanks only is closed up.
pub(super) fn take(text: &str, container: &Container, index: usize) -> String {
    let Some(item) = container.items.get(index) else { return text.to_owned() };
    let before = index.checked_sub(1).and_then(|before| container.items.get(before));
    let is_last = index + 1 == container.items.len();
    let comma = next_comma(text, item.end);
    let separator = match (comma, before) {
        (Some(comma), _) => Some(comma),
        (None, Some(before)) => next_comma(text, before.end),
        (None, None) => None,
    };
    let cut = reach(text, item, comma, is_last);
    let mut cuts = vec![(cut, String::new())];
    if let Some(comma) = separator {
        let first_in_line = own_line(text, item.start).is_none() && !is_last;
        let blanks = if first_in_line { blanks_at(text, comma + 1) } else { 0 };
        cuts.push((comma..comma + 1 + blanks, String::new()));
    }
    cuts.sort_by_key(|(cut, _)| cut.start);
    let taken = spliced(text, &cuts);
    let gone = text.len() - taken.len();
    let inner = container.range.start + 1..(container.range.end - gone).saturating_sub(1);
    if container.items.len() == 1 && part(&taken, &inner).trim().is_empty() {
        return spliced(&taken, &[(inner, String::new())]);
    }
    taken
}

/// What goes with an item: its line where it has one to itself, else the blank before the last.
fn reach(text: &str, item: &Range<usize>, comma: Option<usize>, is_last: bool) -> Range<usize> {
    let blanks = blanks_before(text, item.start);
    let end = comma.map_or(item.end, |comma| comma + 1);
    let after = end + blanks_at(text, end);
    let ends_line = text.get(after..).is_none_or(|rest| rest.is_empty() || starts_line(rest));
    match own_line(text, item.start) {
        Some(line) if ends_line => line.start..item.end,
        // A remark may end with the line before; what follows must not become part of it.
        Some(_) => blanks..item.end,
        None if is_last => blanks..item.end,
        None => item.start..item.end,
    }
}

/// Whether a container holds one item and not even a remark beside it.
pub(super) fn is_alone(text: &str, container: &Container) -> bool {
    let [item] = container.items.as_slice() else { return false };
    let before = part(text, &(inner(container).start..item.start));
    let after = part(text, &(item.end..inner(container).end));
    before.trim().is_empty() && matches!(after.trim(), "" | ",")
}

/// Replaces parts of a text, given in order.
pub(super) fn spliced(text: &str, splices: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in splices {
        out.push_str(part(text, &(at..range.start)));
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A part of a text; ranges are the parser's, so they begin and end with characters.
fn part<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    text.get(range.clone()).unwrap_or_default()
}

/// The line that begins with what stands at a place.
#[derive(Debug)]
struct OwnLine<'a> {
    /// Where the line break before it is.
    start: usize,
    indent: &'a str,
}

fn own_line(text: &str, at: usize) -> Option<OwnLine<'_>> {
    let blanks = blanks_before(text, at);
    let before = text.get(..blanks)?.strip_suffix('\n')?;
    let start = before.strip_suffix('\r').unwrap_or(before).len();
    Some(OwnLine { start, indent: part(text, &(blanks..at)) })
}

/// The indentation of the line that a place lies in.
fn indent_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |newline| newline + 1);
    let blanks = blanks_at(text, line);
    part(text, &(line..line + blanks))
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn starts_line(rest: &str) -> bool {
    rest.starts_with('\n') || rest.starts_with("\r\n")
}

fn blanks_before(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().trim_end_matches(is_blank).len()
}

fn blanks_at(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.len() - rest.trim_start_matches(is_blank).len()
}

/// The comma behind an item, whatever blanks and remarks stand between.
fn next_comma(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = text.get(at..)?;
        let blank = rest.len() - rest.trim_start().len();
        let rest = rest.get(blank..)?;
        at += blank;
        at += match (rest.starts_with("//"), rest.starts_with("/*")) {
            (true, _) => rest.find('\n').unwrap_or(rest.len()),
            (_, true) => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => return rest.starts_with(',').then_some(at),
        };
    }
}

/// Where the remarks end that follow in the same line; the place itself where there is none.
fn end_of_remarks(text: &str, from: usize) -> usize {
    let mut end = from;
    loop {
        let at = end + blanks_at(text, end);
        let Some(rest) = text.get(at..) else { return end };
        if rest.starts_with("//") {
            let line = rest.find('\n').unwrap_or(rest.len());
            let remark = rest.get(..line).unwrap_or(rest);
            return at + remark.strip_suffix('\r').unwrap_or(remark).len();
        }
        let whole = rest.starts_with("/*").then(|| rest.find("*/")).flatten();
        match whole.filter(|whole| !part(rest, &(0..*whole)).contains('\n')) {
            Some(whole) => end = at + whole + 2,
            None => return end,
        }
    }
}
