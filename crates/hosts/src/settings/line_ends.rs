//! Line ends and the byte order mark, for an editor that writes its own.

use super::body;

/// Writes a changed text as the one before was written: with its byte order mark, and each line
/// before and after the change with its own end. What is new ends as the first line does.
pub(crate) fn kept(before: &str, after: &str) -> String {
    let body = body(before);
    let (known, new) = (lines(body), lines(after));
    let head = alike(known.iter(), new.iter());
    let rest = known.len().min(new.len()) - head;
    let tail = alike(known.iter().rev().take(rest), new.iter().rev().take(rest));
    let changed = new.iter().take(new.len() - tail).skip(head).map(|line| bare(line));
    let end = if body.split('\n').next().is_some_and(|line| line.ends_with('\r')) {
        "\r\n"
    } else {
        "\n"
    };
    let mut text = String::new();
    known.iter().take(head).for_each(|line| push(&mut text, line, end));
    changed.for_each(|line| push(&mut text, &[line, end].concat(), end));
    known.iter().skip(known.len() - tail).for_each(|line| push(&mut text, line, end));
    let mark = before.strip_suffix(body).unwrap_or_default();
    [mark, &text].concat()
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// A line without its end.
fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// How many lines are the same, but for their ends.
fn alike<'a>(
    known: impl Iterator<Item = &'a &'a str>,
    new: impl Iterator<Item = &'a &'a str>,
) -> usize {
    known.zip(new).take_while(|(known, new)| bare(known) == bare(new)).count()
}

/// Adds a line. The one before may have been the last, and without an end.
fn push(text: &mut String, line: &str, end: &str) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str(end);
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_change_ends_as_it_did() {
        for (before, after, expected) in [
            ("a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"),
            ("a\r\nb\nc\r\n", "a\nx\nb\nc\n", "a\r\nx\r\nb\nc\r\n"),
            ("a\nb\nc\n", "a\nc\n", "a\nc\n"),
            ("a\r\nb\r\nc", "a\nc\n", "a\r\nc"),
            ("\u{feff}a\n", "a\nb\n", "\u{feff}a\nb\n"),
            ("a", "a\nb\n", "a\nb\n"),
            ("", "a\n", "a\n"),
            ("a\na\n", "a\na\na\n", "a\na\na\n"),
            ("a\r\n", "", ""),
        ] {
            assert_eq!(kept(before, after), expected, "{before:?} {after:?}");
        }
    }
}
