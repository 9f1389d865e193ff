//! Why settings are left as they are.

/// Why a settings file is not edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file is no text.
    #[error("edit the settings: line {line} is not UTF-8")]
    NotUtf8 {
        /// The first such line, from 1.
        line: usize,
    },
    /// The file is not of its format.
    #[error("edit the settings: line {line}, column {column}: {why}")]
    Unparsable {
        /// The line, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// What the parser said.
        why: String,
    },
    /// Something on the way to our entry is not what the host reads there.
    #[error("edit the settings: `{at}` in line {line} is {found}, not {wanted}")]
    Shape {
        /// The keys that lead there.
        at: String,
        /// The line, from 1.
        line: usize,
        /// What stands there.
        found: &'static str,
        /// What should.
        wanted: &'static str,
    },
    /// Something else is kept where a table of ours belongs.
    #[error("edit the settings: `{at}` is {found}, not a table")]
    Kept {
        /// The key.
        at: String,
        /// What stands there, in TOML's words.
        found: &'static str,
    },
    /// A key on the way to our entry stands twice; hosts differ in which one they read.
    #[error("edit the settings: `{at}` stands a second time in line {line}")]
    Twice {
        /// The keys that lead there.
        at: String,
        /// The line of the second, from 1.
        line: usize,
    },
    /// The host's timer cannot run that long.
    #[error("hold a deadline of {deadline_s} s: the host waits {longest_s} s at most")]
    Deadline {
        /// The deadline asked for, in seconds.
        deadline_s: u64,
        /// The longest timeout of the host, in seconds; the deadline must be 30 s shorter.
        longest_s: u64,
    },
    /// The program's path is not absolute, does not end in our name (we would not know our entry
    /// again), or holds a character that no command can hold.
    #[error("name the program `{program}` in a command: it is no absolute path of `quittance`")]
    Program {
        /// The path, with what cannot be printed spelled out.
        program: String,
    },
}
