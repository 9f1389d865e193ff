//! Listens to a verifier's output, line by line, for the two things that take a pass away: that no
//! test was executed, and that a shell did not find what it was to run.

use std::sync::LazyLock;

use regex::Regex;

use super::findings::plain;
use super::suites::Tally;

/// A line longer than this is no runner's summary; its rest is skipped.
const LINE_BYTES_MAX: usize = 512;

/// What was heard.
#[derive(Debug)]
pub(super) struct Heard {
    /// The words of the command.
    words: Vec<String>,
    line: Vec<u8>,
    is_too_long: bool,
    tally: Tally,
    missing: Option<String>,
}

impl Heard {
    /// Nothing yet, of a command as a person would type it.
    pub(super) fn of(command: &str) -> Self {
        let ends_word = |c: char| c.is_whitespace() || ";|&()<>{}`'\"$".contains(c);
        let words = command.split(ends_word).filter(|word| !word.is_empty());
        Self {
            words: words.map(str::to_owned).collect(),
            line: Vec::new(),
            is_too_long: false,
            tally: Tally::default(),
            missing: None,
        }
    }

    /// Hears the next bytes.
    pub(super) fn hear(&mut self, piece: &[u8]) {
        // A progress display goes back to the beginning of its line.
        let mut parts = piece.split(|byte| matches!(byte, b'\n' | b'\r'));
        if let Some(first) = parts.next() {
            self.extend(first);
        }
        for part in parts {
            self.finish();
            self.extend(part);
        }
    }

    fn extend(&mut self, part: &[u8]) {
        self.is_too_long |= self.line.len() + part.len() > LINE_BYTES_MAX;
        if !self.is_too_long {
            self.line.extend_from_slice(part);
        }
    }

    /// Ends a line, also the last one.
    pub(super) fn finish(&mut self) {
        if !self.is_too_long && !self.line.is_empty() {
            let line = plain(&String::from_utf8_lossy(&self.line));
            self.tally.take(&line);
            if self.missing.is_none() && self.names_missing(&line) {
                self.missing = Some(line);
            }
        }
        self.line.clear();
        self.is_too_long = false;
    }

    /// A shell's complaint counts only about a word that the command itself holds: a test may well
    /// print another's.
    fn names_missing(&self, line: &str) -> bool {
        let found = COMPLAINT.as_ref().and_then(|complaint| complaint.captures(line));
        let named = found.and_then(|found| found.name("name"));
        named.is_some_and(|name| self.words.iter().any(|word| word == name.as_str()))
    }

    /// Whether at least one runner reported and none executed a test.
    pub(super) const fn is_empty(&self) -> bool {
        self.tally.is_empty()
    }

    /// The line that says that a program of the command was not found.
    pub(super) fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }
}

/// `sh: 1: NAME: not found`, `sh: line 1: NAME: command not found`, `/bin/sh: NAME: Permission
/// denied` and their like.
const COMPLAINT_PATTERN: &str = r"^(?:\S*/)?(?:sh|ash|bash|dash|ksh)(?:: (?:line )?\d+)?: (?<name>[^:]+): (?i:(?:command )?not found|permission denied)$";

static COMPLAINT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(COMPLAINT_PATTERN).ok());

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Pieces of what runners and shells print, and of what they do not.
    fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let known = prop::sample::select(vec![
            "\n",
            "\r",
            "no tests ran in 0.01s",
            "3 passed in 0.12s",
            "sh: 1: ./bin/tsc: not found",
            "\u{1b}[31m",
            "\u{1b}",
            "Tests:",
            " ",
        ])
        .prop_map(|text| text.as_bytes().to_vec());
        let any = prop::collection::vec(any::<u8>(), 0..40);
        prop::collection::vec(prop_oneof![4 => known, 1 => any], 0..40)
    }

    proptest! {
        #[test]
        fn how_output_is_cut_up_changes_nothing(pieces in pieces(), size in 1usize..50) {
            let told = |parts: &mut dyn Iterator<Item = &[u8]>| {
                let mut heard = Heard::of("./bin/tsc");
                parts.for_each(|part| heard.hear(part));
                heard.finish();
                (heard.is_empty(), heard.missing().map(str::to_owned))
            };
            let whole = pieces.concat();
            let expected = told(&mut std::iter::once(whole.as_slice()));
            prop_assert_eq!(told(&mut pieces.iter().map(Vec::as_slice)), expected.clone());
            prop_assert_eq!(told(&mut whole.chunks(size)), expected);
        }
    }

    fn missing(output: &str) -> Option<String> {
        let mut heard = Heard::of("cd web && ./bin/tsc --noEmit 2>&1|tail -10; echo \"EXIT=$?\"");
        heard.hear(output.as_bytes());
        heard.finish();
        heard.missing().map(str::to_owned)
    }

    #[test]
    fn a_shell_that_did_not_find_a_word_of_the_command_is_heard() {
        for line in [
            "sh: 1: ./bin/tsc: not found",
            "sh: line 1: ./bin/tsc: command not found",
            "/bin/sh: ./bin/tsc: not found",
            "bash: ./bin/tsc: Permission denied",
            "\u{1b}[31msh: 1: ./bin/tsc: not found\u{1b}[0m",
        ] {
            assert!(missing(&format!("before\n{line}\nEXIT=0\n")).is_some(), "{line}");
            assert!(missing(line).is_some(), "{line} at the end");
        }
        for line in [
            "sh: 1: eslint: not found",
            "error: ./bin/tsc: not found",
            "the shell said sh: 1: ./bin/tsc: not found",
            "sh: 1: ./bin/tsc: not found, but that was expected",
            "EXIT=127",
        ] {
            assert_eq!(missing(line), None, "{line}");
        }
    }

    #[test]
    fn lines_are_the_same_however_they_come() {
        let output = format!(
            "{}\nrunning 0 tests\r\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 \
             filtered out; finished in 0.00s\r\n{}",
            "x".repeat(2000),
            "\u{fffd}y".repeat(600),
        );
        for size in [1, 7, 100, 5000] {
            let mut heard = Heard::of("cargo test");
            output.as_bytes().chunks(size).for_each(|piece| heard.hear(piece));
            heard.finish();
            assert!(heard.is_empty(), "in pieces of {size}");
        }
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut heard = Heard::of("yes");
        for _ in 0..1000 {
            heard.hear(&[b'y'; 4096]);
        }
        assert!(heard.line.capacity() <= 2 * LINE_BYTES_MAX);
        heard.hear(
            b"\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n",
        );
        assert!(heard.is_empty());
    }
}
