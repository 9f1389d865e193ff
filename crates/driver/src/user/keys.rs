//! `[keys]`: which variable holds the key of which server.

use crate::judge::route::{ProviderName, Route, ServerUrl};
use crate::policy::table::{Item, Table};
use crate::policy::{PolicyError, PolicyProblem};

/// No program's environment has longer names; a longer text is a key in the wrong place.
const NAME_CHARS_MAX: usize = 64;

/// The name of an environment variable.
///
/// INVARIANT: `A` to `Z`, digits and `_`, not a digit first. Small letters are left out, since
/// the usual mistake is the key itself in this place, and then it would be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable(String);

impl Variable {
    pub(super) fn read(item: &Item<'_>) -> Result<Self, PolicyError> {
        let text = item.text()?;
        let is_part = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let is_name = text.bytes().all(is_part)
            && !text.starts_with(|first: char| first.is_ascii_digit())
            && text.len() <= NAME_CHARS_MAX;
        is_name.then_some(Self(text)).ok_or_else(|| item.problem(PolicyProblem::VariableName))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which variable for which server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Keys(Vec<(Owner, Variable)>);

/// Whose key it is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Owner {
    Provider(ProviderName),
    Server(ServerUrl),
}

impl Keys {
    pub(super) fn read(table: &Table<'_>) -> Result<Self, PolicyError> {
        let mut keys: Vec<(Owner, Variable)> = Vec::new();
        for (name, item) in table.named() {
            let owner = Owner::read(name, &item)?;
            if keys.iter().any(|(earlier, _)| *earlier == owner) {
                return Err(item.problem(PolicyProblem::SameServer(owner.to_string())));
            }
            keys.push((owner, Variable::read(&item)?));
        }
        Ok(Self(keys))
    }

    /// The variable for a route: of a provider its own, of a server the nearest that covers it. A
    /// provider's key never goes to a server that only speaks its form.
    pub(super) fn variable(&self, route: &Route) -> Option<&Variable> {
        let depth = |owner: &Owner| match (owner, route) {
            (Owner::Provider(known), Route::Provider(asked)) => (known == asked).then_some(0),
            (Owner::Server(known), Route::Server { url, .. }) => {
                known.covers(url).then(|| known.depth())
            }
            (Owner::Provider(_), Route::Server { .. }) | (Owner::Server(_), Route::Provider(_)) => {
                None
            }
        };
        let fitting = self.0.iter().filter_map(|(owner, key)| depth(owner).map(|at| (at, key)));
        fitting.max_by_key(|(depth, _)| *depth).map(|(_, variable)| variable)
    }

    pub(super) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.0.iter().map(|(_, variable)| variable)
    }
}

impl Owner {
    fn read(name: &str, item: &Item<'_>) -> Result<Self, PolicyError> {
        let owner = if name.contains("://") {
            name.parse().map(Self::Server).map_err(Into::into)
        } else {
            ProviderName::parse(name).map(Self::Provider)
        };
        owner.map_err(|error| item.problem(PolicyProblem::Route(error)))
    }
}

impl std::fmt::Display for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Provider(name) => f.write_str(name.as_str()),
            Self::Server(url) => url.fmt(f),
        }
    }
}
