//! Whole commands: which of them are known to change nothing.
//!
//! A command is known as a whole or not at all. Anything a shell would read as more than a name
//! and plain words (a list, a pipe, a redirection, a substitution, a glob, a quote, a variable, a
//! comment, a line break) makes it another command, and what is not known may have written.

/// Programs that write nothing whatever plain words follow them.
const READING_PROGRAMS: [&str; 12] = [
    "basename", "cat", "dirname", "head", "ls", "pwd", "readlink", "realpath", "stat", "tail",
    "wc", "which",
];

/// Commands that write nothing as they stand; with a further word they might.
const READING_COMMANDS: [&str; 7] = [
    "git branch --show-current",
    "git diff",
    "git diff --stat",
    "git log",
    "git log --oneline",
    "git status",
    "git status --short",
];

/// Whether a command, taken whole, is known to change nothing.
pub(crate) fn is_read_only(command: &str) -> bool {
    let command = command.trim();
    if !command.chars().all(is_plain) {
        return false;
    }
    let program = command.split(' ').next().unwrap_or_default();
    READING_PROGRAMS.contains(&program) || READING_COMMANDS.contains(&command)
}

/// Characters that mean themselves to every shell, at any place of a word; `=` would make the
/// first word an assignment.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ' ' | '.' | '/' | '-' | '_' | ',' | ':' | '@' | '+' | '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_known_command_reads() {
        for command in ["ls", " ls -la src ", "cat a/b.txt", "git status", "wc -l a b"] {
            assert!(is_read_only(command), "{command}");
        }
        for command in [
            "",
            "lsof",
            "ls > a",
            "cat a | tee b",
            "ls; rm a",
            "ls && rm a",
            "ls\nrm a",
            "ls $(rm a)",
            "ls `rm a`",
            "X=1 ls",
            "git status --output=x",
            "git diff --output=x",
            "git diff HEAD",
            "cat *",
            "ls \"a\"",
            "ls 'a'",
            "ls ~",
            "ls #",
            "ls\tx",
            "cargo test",
            "ls\u{a0};",
        ] {
            assert!(!is_read_only(command), "{command:?}");
        }
    }
}
