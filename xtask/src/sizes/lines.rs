//! What each line of a source is: code, doc, comment or blank.

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    /// `///` or `//!`.
    Doc,
    /// Any other line that is nothing but a comment.
    Comment,
    Code,
}

/// Names each line by how it begins. A line inside a string that begins like a comment is taken
/// for one; for a mirror that is near enough.
pub(super) fn kinds(text: &str) -> Vec<Line> {
    let mut within_block = false;
    text.lines().map(|line| kind(line.trim(), &mut within_block)).collect()
}

fn kind(line: &str, within_block: &mut bool) -> Line {
    if *within_block || line.starts_with("/*") {
        *within_block = !line.contains("*/");
        return Line::Comment;
    }
    let doc = line.starts_with("//!") || (line.starts_with("///") && !line.starts_with("////"));
    match line {
        "" => Line::Blank,
        _ if doc => Line::Doc,
        _ if line.starts_with("//") => Line::Comment,
        _ => Line::Code,
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, kinds};

    #[test]
    fn every_kind_of_line_is_told() {
        let text = "//! A.\n\n/// B.\nfn f() {} // c\n    // d\n/* e\nf */\n//// g\nx";
        let expected = [
            Line::Doc,
            Line::Blank,
            Line::Doc,
            Line::Code,
            Line::Comment,
            Line::Comment,
            Line::Comment,
            Line::Comment,
            Line::Code,
        ];
        assert_eq!(kinds(text), expected);
    }
}
