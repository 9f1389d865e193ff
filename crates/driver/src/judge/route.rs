//! Which server a judge's question goes to, and in whose form it is put.
//!
//! A route says nothing of keys: which key goes to which server is the user's own configuration's
//! to say ([`crate::user`]), never a project's.

mod known;
mod url;

pub use url::{ServerUrl, UrlProblem};

use known::PROVIDERS;

/// A provider the client library knows by name.
///
/// INVARIANT: one of [`ProviderName::all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProviderName(&'static str);

impl ProviderName {
    /// Whose form a compatible server speaks when nothing else is said.
    pub const OPENAI: Self = Self("openai");

    /// Reads a name.
    ///
    /// # Errors
    /// When no provider goes by it.
    pub fn parse(name: &str) -> Result<Self, RouteError> {
        let found = PROVIDERS.into_iter().find(|known| *known == name);
        found.map(Self).ok_or_else(|| RouteError::UnknownProvider {
            name: name.to_owned(),
            nearest: crate::policy::table::nearest(name, &PROVIDERS),
        })
    }

    /// Every name.
    pub fn all() -> impl Iterator<Item = Self> {
        PROVIDERS.into_iter().map(Self)
    }

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Where a question goes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a key is looked up for each")]
pub enum Route {
    /// To a provider's own server.
    Provider(ProviderName),
    /// To a compatible server.
    Server {
        /// The server.
        url: ServerUrl,
        /// Whose form it speaks.
        form: ProviderName,
    },
}

impl Route {
    /// The route that a policy's two keys name. With a `base_url` the provider says only whose
    /// form the server speaks, `openai`'s if none is given.
    ///
    /// # Errors
    /// When neither is given, the provider is unknown or the address is none.
    pub fn new(provider: Option<&str>, base_url: Option<&str>) -> Result<Self, RouteError> {
        let name = provider.map(ProviderName::parse).transpose()?;
        match (name, base_url) {
            (name, Some(url)) => {
                Ok(Self::Server { url: url.parse()?, form: name.unwrap_or(ProviderName::OPENAI) })
            }
            (Some(name), None) => Ok(Self::Provider(name)),
            (None, None) => Err(RouteError::Nowhere),
        }
    }

    /// Whose form the question is put in.
    #[must_use]
    pub const fn form(&self) -> ProviderName {
        match self {
            Self::Provider(name) | Self::Server { form: name, .. } => *name,
        }
    }
}

impl std::fmt::Display for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Provider(name) => write!(f, "provider `{}`", name.as_str()),
            Self::Server { url, .. } => write!(f, "server `{url}`"),
        }
    }
}

/// Why a question can go nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RouteError {
    /// No provider goes by the name.
    #[error(
        "unknown provider `{name}`{}; known are {}",
        nearest.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default(),
        PROVIDERS.join(", ")
    )]
    UnknownProvider {
        /// The name.
        name: String,
        /// The nearest known one, where one is near.
        nearest: Option<String>,
    },
    /// The address of a server is none.
    #[error("not the address of a server: {0}")]
    Url(#[from] UrlProblem),
    /// Neither a provider nor a server.
    #[error("neither a provider nor a server is named")]
    Nowhere,
}
