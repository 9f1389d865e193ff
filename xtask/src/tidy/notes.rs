//! Notes of unfinished work have to say why they are there.
//!
//! Only comments of sources, manifests and scripts count; a transcript or a page may use the
//! words as it likes.

use crate::failure::Finding;
use crate::files::Text;

/// Words that mark unfinished work.
const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// A reason shorter than this many characters is none.
const REASON_MIN: usize = 10;

/// How each kind of file begins a comment.
const COMMENTS: [(&str, &str); 6] =
    [(".rs", "//"), (".toml", "#"), (".sh", "#"), (".yml", "#"), (".yaml", "#"), (".ci/run", "#")];

/// Finds marks that are not followed by a colon and a reason.
pub(super) fn without_reason(text: &Text) -> Vec<Finding> {
    let kind = COMMENTS.iter().find(|(ending, _)| text.path.ends_with(ending));
    let Some((_, begins)) = kind else { return Vec::new() };
    let mut findings = Vec::new();
    for (index, line) in text.text.lines().enumerate() {
        let comment = line.split_once(begins).map(|(_, comment)| comment);
        if let Some(mark) = comment.and_then(bare_mark) {
            let place = format!("{}:{}", text.path, index + 1);
            findings.push(Finding::at(place, format!("`{mark}` without a colon and a reason")));
        }
    }
    findings
}

fn bare_mark(comment: &str) -> Option<&'static str> {
    MARKS.into_iter().find(|mark| {
        comment.match_indices(mark).any(|(at, _)| {
            let (before, rest) = comment.split_at(at);
            let after = rest.strip_prefix(mark).unwrap_or_default();
            !is_part_of_a_word(before.chars().next_back())
                && !is_part_of_a_word(after.chars().next())
                && !gives_reason(after)
        })
    })
}

fn is_part_of_a_word(neighbour: Option<char>) -> bool {
    neighbour.is_some_and(|character| character.is_alphanumeric() || character == '_')
}

/// Whether a colon and a reason follow, a name in parentheses before the colon or not.
fn gives_reason(after: &str) -> bool {
    let named = after.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let rest = named.map_or(after, |(_, rest)| rest);
    let reason = rest.strip_prefix(':');
    reason.is_some_and(|reason| reason.trim().chars().count() >= REASON_MIN)
}

#[cfg(test)]
mod tests {
    use super::{MARKS, without_reason};
    use crate::files::Text;

    fn found(path: &str, text: String) -> Vec<String> {
        let text = Text { path: path.to_owned(), text };
        without_reason(&text).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn a_mark_without_a_reason_is_found() {
        for mark in MARKS {
            assert_eq!(found("a.rs", format!("fn f() {{}} // {mark} later")), ["a.rs:1"]);
            assert_eq!(found("a.rs", format!("\n// {mark}: soon")), ["a.rs:2"]);
            assert_eq!(found(".ci/run", format!("x # {mark}")), [".ci/run:1"]);
        }
    }

    #[test]
    fn a_mark_with_a_reason_and_other_words_pass() {
        let none: [&str; 0] = [];
        let mark = MARKS[0];
        let reason = "the reader drops the second line of a pair";
        assert_eq!(found("a.rs", format!("// {mark}: {reason}")), none);
        assert_eq!(found("a.rs", format!("// {mark}(reader): {reason}")), none);
        assert_eq!(
            found("a.rs", format!("let word = \"{mark}\"; // Todo, {mark}S, A_{mark}")),
            none
        );
        assert_eq!(found("notes.md", format!("# {mark}")), none);
    }
}
