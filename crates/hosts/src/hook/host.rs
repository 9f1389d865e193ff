//! The hosts that run our hook, and the one table of their folders.
//!
//! A new host is a folder with a `hook`, a `settings` and a `sample` part, a variant and a row here.

use serde::{Serialize, Serializer};

use super::dialect::{Basis, Dialect};
use super::sample::Made;
use crate::settings::Rules;
use crate::{claude_code, codex, copilot, cursor, gemini_cli, openhands};

/// A program that runs agents and asks our hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// Cursor.
    Cursor,
    /// GitHub Copilot CLI.
    Copilot,
    /// OpenHands.
    OpenHands,
}

/// What is known of one host.
struct Row {
    name: &'static str,
    title: &'static str,
    dialect: &'static Dialect,
    settings: &'static Rules,
    sample: &'static Made,
}

impl Host {
    /// Every host, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::GeminiCli,
        Self::Cursor,
        Self::Copilot,
        Self::OpenHands,
    ];

    const fn row(self) -> Row {
        match self {
            Self::ClaudeCode => Row {
                name: "claude-code",
                title: "Claude Code",
                dialect: &claude_code::hook::DIALECT,
                settings: &claude_code::settings::RULES,
                sample: &claude_code::sample::MADE,
            },
            Self::Codex => Row {
                name: "codex",
                title: "Codex CLI",
                dialect: &codex::hook::DIALECT,
                settings: &codex::settings::RULES,
                sample: &codex::sample::MADE,
            },
            Self::GeminiCli => Row {
                name: "gemini-cli",
                title: "Gemini CLI",
                dialect: &gemini_cli::hook::DIALECT,
                settings: &gemini_cli::settings::RULES,
                sample: &gemini_cli::sample::MADE,
            },
            Self::Cursor => Row {
                name: "cursor",
                title: "Cursor",
                dialect: &cursor::hook::DIALECT,
                settings: &cursor::settings::RULES,
                sample: &cursor::sample::MADE,
            },
            Self::Copilot => Row {
                name: "copilot",
                title: "GitHub Copilot CLI",
                dialect: &copilot::hook::DIALECT,
                settings: &copilot::settings::RULES,
                sample: &copilot::sample::MADE,
            },
            Self::OpenHands => Row {
                name: "openhands",
                title: "OpenHands",
                dialect: &openhands::hook::DIALECT,
                settings: &openhands::settings::RULES,
                sample: &openhands::sample::MADE,
            },
        }
    }

    /// The word on the wire, after `hook`, `install` and `uninstall`; also the format's where the
    /// host's transcripts have one.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The name its vendor gives it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.row().title
    }

    /// The host with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|host| host.as_str() == name)
    }

    /// What our knowledge of its hook rests on.
    #[must_use]
    pub const fn basis(self) -> Basis {
        self.dialect().basis
    }

    /// Whether its user is shown the words of [`super::HookAnswer::AllowWithNotice`].
    #[must_use]
    pub const fn shows_notices(self) -> bool {
        self.dialect().notice.is_some()
    }

    pub(crate) const fn dialect(self) -> &'static Dialect {
        self.row().dialect
    }

    /// Whether records of this host can be read; a stop of another is let go, unverified.
    #[must_use]
    pub const fn reads_records(self) -> bool {
        self.sample().record.is_some()
    }

    pub(crate) const fn sample(self) -> &'static Made {
        self.row().sample
    }

    pub(crate) const fn settings(self) -> &'static Rules {
        self.row().settings
    }
}

impl Serialize for Host {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
