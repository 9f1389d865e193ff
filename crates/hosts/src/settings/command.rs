//! The command that runs our hook: written for a shell, and known again whoever wrote it.

use std::ops::Range;

use super::Scope;
use super::error::SettingsError;
use super::rules::Shell;
use crate::hook::Host;

/// The program's name.
const PROGRAM: &str = "quittance";
/// Its subcommand.
const SUBCOMMAND: &str = "hook";

/// Our command for one host.
#[derive(Clone, Debug)]
pub(super) struct Command {
    program: String,
    host: Host,
}

impl Command {
    pub(super) fn of(host: Host, scope: Scope<'_>) -> Result<Self, SettingsError> {
        let program = match scope {
            Scope::Project => PROGRAM,
            Scope::User { program } if is_usable(program) => program,
            Scope::User { program } => {
                let program = program.escape_debug().to_string();
                return Err(SettingsError::Program { program });
            }
        };
        Ok(Self { program: program.to_owned(), host })
    }

    /// The command for a shell.
    pub(super) fn text(&self, shell: Shell) -> String {
        let host = self.host.as_str();
        let program = quoted(&self.program, shell);
        format!("{program} {SUBCOMMAND} {host}")
    }

    /// A command that runs our hook already, brought up to date; what stands before and after our
    /// own words stays.
    pub(super) fn renewed(&self, command: &str, shell: Shell) -> Option<String> {
        let ours = find(command, self.host)?.range;
        let before = command.get(..ours.start)?;
        let after = command.get(ours.end..)?;
        Some([before, &self.text(shell), after].concat())
    }
}

/// Whether a command runs our hook for this host.
pub(super) fn is_ours(command: &str, host: Host) -> bool {
    find(command, host).is_some()
}

/// The program that a command runs our hook with, without its quotes; none when it is not ours.
pub(super) fn program(command: &str, host: Host) -> Option<String> {
    find(command, host).map(|program| program.text)
}

/// Our program in a command, over the place where it, its subcommand and the host stand. Only
/// assignments and a call operator may come first: behind anything else it is somebody else's
/// command.
fn find(command: &str, host: Host) -> Option<Word> {
    let words = words(command);
    let program = words.iter().position(|word| !is_assignment(&word.text) && word.text != "&")?;
    let called =
        program.checked_sub(1).and_then(|at| words.get(at)).filter(|word| word.text == "&");
    let first = words.get(program)?;
    let (second, third) = (words.get(program + 1)?, words.get(program + 2)?);
    let ours = is_program(&first.text) && second.text == SUBCOMMAND && third.text == host.as_str();
    let start = called.unwrap_or(first).range.start;
    ours.then(|| Word { range: start..third.range.end, text: first.text.clone() })
}

/// A word of a command, without its quotes.
#[derive(Debug)]
struct Word {
    range: Range<usize>,
    text: String,
}

/// Splits a command at blanks outside quotes, as far as is needed to know our own.
fn words(command: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut quote = None;
    let mut characters = command.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if quote.is_none() && c.is_whitespace() {
            words.extend(open.take());
            continue;
        }
        let word = open.get_or_insert_with(|| Word { range: at..at, text: String::new() });
        let mut end = at + c.len_utf8();
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(closing)) if c == closing => quote = None,
            // A path of Windows has them too, so only what needs an escape takes one away.
            ('\\', None) => {
                match characters.next_if(|(_, next)| matches!(next, ' ' | '\'' | '"')) {
                    Some((_, escaped)) => {
                        end += escaped.len_utf8();
                        word.text.push(escaped);
                    }
                    None => word.text.push(c),
                }
            }
            _ => word.text.push(c),
        }
        word.range.end = end;
    }
    words.extend(open);
    words
}

fn is_assignment(word: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_name))
}

fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name) == PROGRAM
}

/// Whether a path is absolute and can stand in a command at all.
fn is_usable(program: &str) -> bool {
    let mut first = program.chars();
    let is_windows =
        matches!((first.next(), first.next()), (Some(c), Some(':')) if c.is_ascii_alphabetic());
    let is_absolute = program.starts_with('/') || program.starts_with("\\\\") || is_windows;
    // Under another name we would not know our own entry again.
    is_absolute && is_program(program) && !program.contains(char::is_control)
}

fn quoted(program: &str, shell: Shell) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._+:@%-".contains(c);
    if program.chars().all(is_plain) {
        return program.to_owned();
    }
    match shell {
        Shell::Posix => format!("'{}'", program.replace('\'', r"'\''")),
        Shell::PowerShell => format!("& '{}'", program.replace('\'', "''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: Host = Host::ClaudeCode;

    #[test]
    fn our_command_is_known_however_it_is_written() {
        for command in [
            "quittance hook claude-code",
            "/usr/local/bin/quittance hook claude-code",
            "'/opt/a b/bin/quittance' hook claude-code --policy x.toml",
            "\"C:\\Program Files\\quittance.exe\" hook claude-code",
            "C:\\bin\\quittance.exe hook claude-code",
            "/a\\ b/quittance hook claude-code",
            "RUST_LOG=debug quittance   hook claude-code 2>>log",
            "& 'C:\\a b\\quittance.exe' hook claude-code",
        ] {
            assert!(is_ours(command, HOST), "{command}");
        }
    }

    #[test]
    fn a_command_of_somebody_else_is_not_ours() {
        for command in [
            "",
            "quittance",
            "quittance hook",
            "quittance hook codex",
            "quittance hook claude-code-x",
            "quittance check claude-code",
            "my-quittance hook claude-code",
            "quittance-old hook claude-code",
            "echo quittance hook claude-code",
            "'quittance hook claude-code'",
            "sh -c 'quittance hook claude-code'",
            "=quittance hook claude-code",
        ] {
            assert!(!is_ours(command, HOST), "{command}");
        }
    }

    #[test]
    fn what_stands_around_our_words_stays() {
        let program = "/opt/my tools/it's/quittance";
        let command = Command::of(HOST, Scope::User { program }).unwrap();
        let old = "RUST_LOG=debug quittance hook claude-code 2>>log";
        let new = command.renewed(old, Shell::Posix).unwrap();
        let ours = r"'/opt/my tools/it'\''s/quittance' hook claude-code";
        assert_eq!(new, format!("RUST_LOG=debug {ours} 2>>log"));
        assert_eq!(command.renewed(&new, Shell::Posix), Some(new));
        assert_eq!(command.renewed("make lint", Shell::Posix), None);
        let shell = command.text(Shell::PowerShell);
        assert_eq!(shell, "& '/opt/my tools/it''s/quittance' hook claude-code");
        assert_eq!(command.renewed(&shell, Shell::PowerShell), Some(shell));
    }

    #[test]
    fn a_path_that_no_command_can_hold_is_refused() {
        for program in
            ["quittance", "./quittance", "", "/a\nb/quittance", "/a\0/quittance", "/bin/sh"]
        {
            let refused = Command::of(HOST, Scope::User { program });
            assert!(matches!(refused, Err(SettingsError::Program { .. })), "{program:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_we_write_we_know_again(folder in "/[ -~é]{0,20}") {
            let program = format!("{folder}/quittance");
            for shell in [Shell::Posix, Shell::PowerShell] {
                let command = Command::of(HOST, Scope::User { program: &program }).unwrap();
                let written = command.text(shell);
                proptest::prop_assert!(is_ours(&written, HOST), "{}", written);
                proptest::prop_assert_eq!(command.renewed(&written, shell), Some(written));
            }
        }

        #[test]
        fn no_command_panics(command in "([ '\"\\\\&=;é]|quittance|hook|claude-code|[^\\x00]){0,20}") {
            let _ = is_ours(&command, HOST);
        }
    }
}
