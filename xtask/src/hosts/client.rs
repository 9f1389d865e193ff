//! The clients that are driven: where each comes from, and what each part of the work calls it.
//!
//! The versions are those whose behaviour was measured; a newer client is another client until it
//! was measured too.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::Deserialize;

/// A client, and for Codex which kind of model it is told to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Client {
    /// Claude Code
    ClaudeCode,
    /// Codex with a model that is handed its tools as functions
    Codex,
    /// Codex with a model that writes programs which call the tools
    CodexCodeMode,
    /// Gemini CLI
    GeminiCli,
}

/// A package of the npm registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: &'static str,
    /// The one version that was measured.
    pub(crate) version: &'static str,
    /// A file that is there once it is installed: the program that is driven.
    program: &'static str,
}

const CLAUDE_CODE: Package = Package {
    name: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "@anthropic-ai/claude-code-linux-x64/claude",
};
const CODEX: Package = Package { name: "@openai/codex", version: "0.171.0", program: ".bin/codex" };
const GEMINI: Package =
    Package { name: "@google/gemini-cli", version: "0.61.0", program: ".bin/gemini" };

impl Client {
    /// Every client, in the order in which they are driven.
    pub(crate) const ALL: [Self; 4] =
        [Self::ClaudeCode, Self::Codex, Self::CodexCodeMode, Self::GeminiCli];

    /// What we call it, on the command line, in the table and in the folders.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::CodexCodeMode => "codex-code-mode",
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// What `quittance install` and `quittance hook` call it.
    pub(crate) const fn host(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex | Self::CodexCodeMode => "codex",
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// What `hosts.py` calls it.
    pub(crate) const fn driver_name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex | Self::CodexCodeMode => "codex",
            Self::GeminiCli => "gemini",
        }
    }

    /// The model it is told to have, which decides how Codex hands out its tools.
    pub(crate) const fn model(self) -> Option<&'static str> {
        match self {
            Self::Codex => Some("gpt-5.5"),
            Self::CodexCodeMode => Some("gpt-6.2-sol"),
            Self::ClaudeCode | Self::GeminiCli => None,
        }
    }

    /// Whether it runs a hook only once its user trusts it.
    pub(crate) const fn asks_for_trust(self) -> bool {
        matches!(self, Self::Codex | Self::CodexCodeMode)
    }

    /// Where it comes from.
    pub(crate) const fn package(self) -> Package {
        match self {
            Self::ClaudeCode => CLAUDE_CODE,
            Self::Codex | Self::CodexCodeMode => CODEX,
            Self::GeminiCli => GEMINI,
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Package {
    /// How npm is asked for it.
    pub(crate) fn wanted(self) -> String {
        format!("{}@{}", self.name, self.version)
    }

    /// The folder it is kept in, by a name that holds its version.
    pub(crate) fn folder(self) -> String {
        let name = self.name.trim_start_matches('@').replace('/', "-");
        format!("hosts-{name}-{}", self.version)
    }

    /// The program that is driven, below a folder of modules.
    pub(crate) fn program(self, modules: &Path) -> PathBuf {
        modules.join(self.program)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::ValueEnum;

    use super::Client;
    use crate::files;

    #[test]
    fn a_client_has_one_name_everywhere() {
        for client in Client::ALL {
            assert_eq!(client.to_possible_value().unwrap().get_name(), client.name());
            let read: Client = serde_json::from_value(client.name().into()).unwrap();
            assert_eq!(read, client);
        }
        assert_eq!(Client::value_variants(), Client::ALL);
    }

    #[test]
    fn the_versions_are_those_that_were_measured() {
        let Ok(told) = fs::read_to_string(files::root().join("../shared/hosts/README.md")) else {
            println!("skipped: there is no driver of clients beside this checkout");
            return;
        };
        for client in Client::ALL {
            assert!(told.contains(&client.package().wanted()), "{client}");
        }
    }

    #[test]
    fn a_folder_is_told_by_its_version() {
        let folder = Client::GeminiCli.package().folder();
        assert_eq!(folder, "hosts-google-gemini-cli-0.61.0");
    }
}
