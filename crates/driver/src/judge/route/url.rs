//! The address of a compatible server, in one spelling.
//!
//! A key is sent where an address says, so an address that two readers could take for two servers
//! is none: no user before an `@`, no escapes, no dot segments, no number that a resolver would
//! complete. What is left compares byte for byte.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// No address of a server comes near this; what is longer was not written by a person.
const CHARS_MAX: usize = 2048;
/// What a host's name may hold in all, as names are resolved.
const HOST_CHARS_MAX: usize = 253;
/// Readers disagree about what these mean in an address, or it ends there.
const UNCLEAR: &str = "\\\"<>^`{|}%?#@";

/// The address of a server: scheme, host, port and the path before a form's own.
///
/// INVARIANT: host in lower case, an IPv6 address in brackets; the path begins and ends with `/`
/// and holds no empty segment and no dots alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerUrl {
    scheme: Scheme,
    host: String,
    port: u16,
    path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scheme {
    Http,
    Https,
}

impl Scheme {
    const ALL: [Self; 2] = [Self::Http, Self::Https];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// Why a text is no address of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlProblem {
    /// Neither `http://` nor `https://`.
    #[error("it begins with neither `http://` nor `https://`")]
    Scheme,
    /// Too long.
    #[error("it is longer than {CHARS_MAX} characters")]
    TooLong,
    /// A character that has no place there.
    #[error("`{}` has no place in it", .0.escape_default())]
    Character(char),
    /// The host is none.
    #[error("its host is no name and no address in full")]
    Host,
    /// The port is none.
    #[error("its port is no number from 1 to 65535")]
    Port,
    /// The path is not plain.
    #[error("its path holds an empty or a dotted segment")]
    Path,
}

impl ServerUrl {
    /// The host, an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The address with a closing `/`, to which a form adds its own path.
    #[must_use]
    pub fn base(&self) -> String {
        format!("{self}/")
    }

    /// Whether another address is this server's: same scheme, host and port, and a path that
    /// begins with this one's, whole segments counted.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        (self.scheme, &self.host, self.port) == (other.scheme, &other.host, other.port)
            && other.path.starts_with(&self.path)
    }

    /// How much of the path is given, by which the nearest of two covering addresses is known.
    pub(crate) const fn depth(&self) -> usize {
        self.path.len()
    }
}

impl FromStr for ServerUrl {
    type Err = UrlProblem;

    fn from_str(text: &str) -> Result<Self, UrlProblem> {
        if text.chars().count() > CHARS_MAX {
            return Err(UrlProblem::TooLong);
        }
        let is_unclear = |c: &char| !c.is_ascii_graphic() || UNCLEAR.contains(*c);
        if let Some(unclear) = text.chars().find(is_unclear) {
            return Err(UrlProblem::Character(unclear));
        }
        let (scheme, rest) = text.split_once("://").ok_or(UrlProblem::Scheme)?;
        let scheme = Scheme::ALL.into_iter().find(|known| known.as_str() == scheme);
        let scheme = scheme.ok_or(UrlProblem::Scheme)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = host_and_port(authority)?;
        let port = port.map_or(Ok(scheme.port()), read_port)?;
        Ok(Self { scheme, host: read_host(host)?, port, path: read_path(path)? })
    }
}

impl fmt::Display for ServerUrl {
    /// Without a closing `/` and without the port that the scheme stands for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host)?;
        if self.port != self.scheme.port() {
            write!(f, ":{}", self.port)?;
        }
        f.write_str(self.path.trim_end_matches('/'))
    }
}

fn host_and_port(authority: &str) -> Result<(&str, Option<&str>), UrlProblem> {
    if !authority.starts_with('[') {
        return Ok(match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        });
    }
    let (address, rest) = authority.split_once(']').ok_or(UrlProblem::Host)?;
    let host = authority.get(..=address.len()).ok_or(UrlProblem::Host)?;
    match rest.strip_prefix(':') {
        Some(port) => Ok((host, Some(port))),
        None if rest.is_empty() => Ok((host, None)),
        None => Err(UrlProblem::Port),
    }
}

fn read_port(port: &str) -> Result<u16, UrlProblem> {
    let is_plain = port.bytes().all(|byte| byte.is_ascii_digit());
    let number = port.parse::<u16>().ok().filter(|number| is_plain && *number > 0);
    number.ok_or(UrlProblem::Port)
}

fn read_host(host: &str) -> Result<String, UrlProblem> {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let address = address.parse::<Ipv6Addr>().map_err(|_| UrlProblem::Host)?;
        return Ok(format!("[{address}]"));
    }
    let host = host.to_ascii_lowercase();
    let is_label = |label: &str| {
        let mut bytes = label.bytes();
        !label.is_empty()
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    if host.len() > HOST_CHARS_MAX || !host.split('.').all(is_label) {
        return Err(UrlProblem::Host);
    }
    // A name that ends in a number is an address to every resolver: then it is one in full.
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.starts_with("0x") || last.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && host.parse::<Ipv4Addr>().is_err() {
        return Err(UrlProblem::Host);
    }
    Ok(host)
}

fn read_path(path: &str) -> Result<String, UrlProblem> {
    if path.is_empty() {
        return Ok("/".to_owned());
    }
    let path = path.strip_suffix('/').unwrap_or(path);
    let is_plain = |segment: &str| !matches!(segment, "" | "." | "..");
    if path.split('/').all(is_plain) { Ok(format!("/{path}/")) } else { Err(UrlProblem::Path) }
}
