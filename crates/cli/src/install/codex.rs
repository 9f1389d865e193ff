//! Codex's trust in our hook, without which it skips the hook and says nothing.
//!
//! It is given at the user's word only. The entry names the settings file by the path that Codex
//! finds it under, and the hook by its place in it, so it is made from the file as it was written.

use std::path::{Path, PathBuf};

use quittance_hosts::hook::Host;
use quittance_hosts::settings::{self, Silenced, TrustEntry};

use super::failure::Failure;
use super::file::{Change, SettingsFile};
use super::place;
use crate::exit;

/// Codex's own configuration, in the user's folder whatever the hook's settings are.
const CONFIG: &str = "config.toml";

/// The trust that the hook in one settings file needs.
#[derive(Debug)]
pub(crate) struct HookTrust {
    config: SettingsFile,
    needed: Vec<TrustEntry>,
}

impl HookTrust {
    /// What the hooks in `settings`, with this content, need.
    pub(crate) fn of(hooks: &Path, content: &[u8]) -> Result<Self, exit::Failure> {
        let config = SettingsFile::at(place::user(Host::Codex)?.join(CONFIG))?;
        let path = as_codex_finds(hooks);
        let needed = settings::trust_entries(content, &path.to_string_lossy())
            .map_err(Failure::settings(hooks))?;
        Ok(Self { config, needed })
    }

    pub(super) fn path(&self) -> &Path {
        self.config.path()
    }

    /// Whether Codex trusts these hooks as they stand.
    pub(crate) fn is_given(&self) -> Result<bool, Failure> {
        self.config
            .preview(&|bytes| settings::trust(bytes, &self.needed))
            .map(|change| !change.is_changed)
    }

    /// Why Codex runs them in no case, where it does. `project` is the project whose settings hold
    /// them.
    pub(crate) fn silenced(&self, project: Option<&Path>) -> Result<Option<Silenced>, Failure> {
        let config = self.config.read()?;
        let project = project.map(|project| project.to_string_lossy());
        settings::silenced(config.as_deref(), &self.needed, project.as_deref())
            .map_err(Failure::settings(self.config.path()))
    }

    /// Gives it, or shows what that would change.
    pub(super) fn give(&self, is_dry: bool) -> Result<Change, Failure> {
        let edit = |bytes: Option<&[u8]>| settings::trust(bytes, &self.needed);
        if is_dry { self.config.preview(&edit) } else { self.config.change(&edit) }
    }

    /// Takes it back, or shows what that would change.
    pub(super) fn take(&self, is_dry: bool) -> Result<Change, Failure> {
        let edit = |bytes: Option<&[u8]>| settings::untrust(bytes, &self.needed);
        if is_dry { self.config.preview(&edit) } else { self.config.change(&edit) }
    }
}

/// The path by which Codex knows the file. It resolves the folder that its variable names, and
/// takes the home folder as it is.
fn as_codex_finds(hooks: &Path) -> PathBuf {
    let is_named = std::env::var_os("CODEX_HOME").is_some_and(|folder| !folder.is_empty());
    let (Some(folder), Some(name)) = (hooks.parent(), hooks.file_name()) else {
        return hooks.to_owned();
    };
    let resolved = if is_named { folder.canonicalize().ok() } else { None };
    resolved.map_or_else(|| hooks.to_owned(), |folder| folder.join(name))
}
