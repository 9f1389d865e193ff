//! What a command sees of the environment: all of it, less what is none of its business.

use std::ffi::{OsStr, OsString};

/// How the variables begin by which hosts tell their own children about a session, its sockets and
/// its tokens. A verifier has to give the same answer whoever started it.
const HOST_PREFIXES: [&str; 7] =
    ["CLAUDE", "CODEX", "GEMINI", "CURSOR", "COPILOT", "GITHUB_COPILOT", "OPENHANDS"];

/// Variables that a command does not see, beside the hosts' own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Withheld {
    names: Vec<String>,
}

impl Withheld {
    /// Withholds variables by name: those that the user's configuration names for judges' keys.
    #[must_use]
    pub const fn names(names: Vec<String>) -> Self {
        Self { names }
    }

    /// Whether a variable is withheld. Case counts, as it does in an environment.
    #[must_use]
    pub fn holds(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        HOST_PREFIXES.iter().any(|prefix| bytes.starts_with(prefix.as_bytes()))
            || self.names.iter().any(|withheld| withheld.as_bytes() == bytes)
    }

    /// The variables of this process that are withheld.
    pub(super) fn present(&self) -> impl Iterator<Item = OsString> + '_ {
        std::env::vars_os().map(|(name, _)| name).filter(|name| self.holds(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_and_keys_are_withheld_and_nothing_else() {
        let withheld = Withheld::names(vec!["MY_JUDGE_KEY".to_owned()]);
        for name in ["CLAUDECODE", "CLAUDE_CODE_MESSAGING_TOKEN", "CODEX_HOME", "MY_JUDGE_KEY"] {
            assert!(withheld.holds(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "HOME", "LANG", "MY_JUDGE_KEYS", "XCLAUDE", "claude", ""] {
            assert!(!withheld.holds(OsStr::new(name)), "{name}");
        }
    }
}
