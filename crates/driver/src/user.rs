//! The user's own configuration, `config.toml`: which key goes to which server.
//!
//! It lies in the user's configuration folder and never in a project. A project's policy can name
//! a server; what a key is read from, and to whom it is shown, is said here alone:
//!
//! ```toml
//! version = 1
//!
//! [keys]                                        # a server or a provider, and a variable's NAME
//! anthropic = "ANTHROPIC_API_KEY"
//! "https://llm.example.com/v1" = "EXAMPLE_KEY"  # this path and what is under it
//!
//! [redact]
//! key_env = "QUITTANCE_REDACT_KEY"              # signs what is left out of a receipt
//! ```
//!
//! No key stands in the file, and none is printed, whatever goes wrong.

mod keys;
mod secret;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::judge::route::Route;
use crate::policy::table::Table;
use crate::policy::{self, PolicyError};
use keys::{Keys, Variable};
pub use secret::{KeyError, Secret};

/// The file's name.
pub const FILE_NAME: &str = "config.toml";
/// A configuration of a few servers is a few hundred bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// The user's configuration folder: `quittance` under `XDG_CONFIG_HOME`, or under `.config` of the
/// home folder where that variable is not set or not absolute (the XDG rule). None without either.
#[must_use]
pub fn folder(xdg_config_home: Option<&OsStr>, home: Option<&Path>) -> Option<PathBuf> {
    let given = xdg_config_home.map(Path::new).filter(|path| path.is_absolute());
    let base = given.map(Path::to_owned).or_else(|| Some(home?.join(".config")));
    Some(base?.join("quittance"))
}

/// The user's own configuration. The default names no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserConfig {
    keys: Keys,
    redaction_key: Option<Variable>,
}

impl UserConfig {
    /// Reads the file in the user's configuration folder. Where there is none, no key is named.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    pub fn load(folder: &Path) -> Result<Self, UserConfigError> {
        let file = folder.join(FILE_NAME);
        match read_text(&file) {
            Ok(text) => {
                Self::parse(&text).map_err(|problem| UserConfigError::Text { file, problem })
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(cause) => Err(UserConfigError::Unreadable { file, cause }),
        }
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// On the first thing in it that cannot be read or is not known.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let root = policy::document(text)?;
        let root = Table::root(text, &root).only(&["version", "keys", "redact"])?;
        policy::version_known(&root)?;
        let keys = root.table("keys")?.map(|table| Keys::read(&table)).transpose()?;
        let redact = root.table("redact")?.map(|table| table.only(&["key_env"])).transpose()?;
        let key_env = redact.and_then(|table| table.item("key_env"));
        Ok(Self {
            keys: keys.unwrap_or_default(),
            redaction_key: key_env.map(|item| Variable::read(&item)).transpose()?,
        })
    }

    /// The key that goes to a server; none where the user named none for it.
    ///
    /// # Errors
    /// When a variable is named and holds no key.
    pub fn key_for(
        &self,
        route: &Route,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Secret>, KeyError> {
        let variable = self.keys.variable(route);
        variable.map(|variable| secret::read(variable.as_str(), environment)).transpose()
    }

    /// The key that signs what is left out of a receipt; none where the user named none.
    ///
    /// # Errors
    /// When a variable is named and holds no key.
    pub fn redaction_key(
        &self,
        environment: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Secret>, KeyError> {
        let variable = self.redaction_key.as_ref();
        variable.map(|variable| secret::read(variable.as_str(), environment)).transpose()
    }

    /// Every variable that holds a key: what no verifier and no child process may see.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.keys.variables().chain(&self.redaction_key).map(Variable::as_str)
    }
}

/// The text of a file that is a file: a pipe in its place would wait for ever.
fn read_text(path: &Path) -> io::Result<String> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut text = String::new();
    File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > BYTES_MAX {
        return Err(io::Error::other("it is longer than a mebibyte"));
    }
    Ok(text)
}

/// Why the user's own configuration cannot be obeyed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UserConfigError {
    /// The file cannot be read.
    #[error("read `{}`: {cause}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// Something in it is not known or malformed.
    #[error("obey `{}`: {problem}", file.display())]
    Text {
        /// The file.
        file: PathBuf,
        /// What.
        problem: PolicyError,
    },
}
