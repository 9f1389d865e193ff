//! Foreign text made safe for whoever reads it: a terminal, or an agent that is told of it.

use std::fmt::Write;

/// Escapes what could move the cursor, change how other text reads, or hide itself: control
/// characters, marks of direction, invisible and tag characters.
#[must_use]
pub fn foreign(text: &str) -> String {
    escaped(text, is_unsafe)
}

/// Foreign text of one line, in which a tab is only a tab.
pub(crate) fn line(text: &str) -> String {
    escaped(text, |c| c != '\t' && is_unsafe(c))
}

fn escaped(text: &str, escapes: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if escapes(c) {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn nothing_hides_and_nothing_moves() {
        assert_eq!(foreign("a\u{1b}[2Jb\rc"), "a\\u{1b}[2Jb\\u{d}c");
        assert_eq!(foreign("\u{202e}done\u{200b}\u{e0041}"), "\\u{202e}done\\u{200b}\\u{e0041}");
        assert_eq!(foreign("naïve 修复 🙂"), "naïve 修复 🙂");
    }
}
