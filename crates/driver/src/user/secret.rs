//! A key, in a type that shows it to nobody.

use std::ffi::OsString;
use std::fmt;

/// A key shorter than this guards nothing, and taking it out of what is printed would take ordinary
/// words out too.
const CHARS_MIN: usize = 8;
/// What stands where a key was taken out.
const MARK: &str = "[key]";

/// A key. It is printed, compared and stored by nobody; only a request carries it.
///
/// INVARIANT: at least eight characters of visible ASCII, which any header can carry.
pub struct Secret(String);

impl Secret {
    /// Takes a key, or nothing where the text is none.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        let is_visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        (is_visible && text.len() >= CHARS_MIN).then_some(Self(text))
    }

    /// The key itself, for the one who sends it or signs with it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A text without the key: a server may repeat in its answer what it was sent.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, MARK)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Why a variable gives no key. What it holds is never repeated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// It is not set.
    #[error("the variable `{variable}`, which your own configuration names for it, is not set")]
    Unset {
        /// The variable.
        variable: String,
    },
    /// It holds no key.
    #[error(
        "the variable `{variable}` holds no key: that is at least {CHARS_MIN} visible ASCII \
         characters without space"
    )]
    NoKey {
        /// The variable.
        variable: String,
    },
}

/// Takes the key out of a variable.
pub(super) fn read(
    variable: &str,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Secret, KeyError> {
    let named = || variable.to_owned();
    let value = environment(variable).ok_or_else(|| KeyError::Unset { variable: named() })?;
    let text = value.into_string().ok().and_then(Secret::new);
    text.ok_or_else(|| KeyError::NoKey { variable: named() })
}
