//! Codex's trust in a hook. Measured with 0.171.0.
//!
//! It runs no hook whose entry in `config.toml` does not hold the digest of its definition, and
//! says nothing about that. The key names the file and the place in it, the digest the definition:
//! whoever changes command or timeout, or moves the entry, has to be asked again.

use jsonc_parser::ast::Object;
use quittance_evidence::Digest;
use serde::Serialize;
use toml_edit::{DocumentMut, Item, Table, value};

use super::hook::DIALECT;
use crate::hook::{Event, Host, Stopping};
use crate::settings::{Edit, SettingsError, line_ends, text, visit};

/// Where the trust stands in `config.toml`.
const PATH: [&str; 2] = ["hooks", "state"];
/// The field that holds the digest.
const HASH: &str = "trusted_hash";
/// How long a hook may take that does not say, in seconds.
const DEFAULT_TIMEOUT: u64 = 600;

/// What Codex must be told to run one entry of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustEntry {
    /// The hook's file, event, group and place in it.
    pub key: String,
    /// The digest of its definition.
    pub hash: Digest,
}

/// The trust that the entries of ours in a `hooks.json` need. `path` is that file's absolute path,
/// as Codex will write it.
///
/// # Errors
/// When the file cannot be read as Codex's hooks.
pub fn trust_entries(hooks: &[u8], path: &str) -> Result<Vec<TrustEntry>, SettingsError> {
    let mut needed = Vec::new();
    for event in DIALECT.events {
        visit(Host::Codex, hooks, event.name, |found| {
            let (name, group, index) = (snake(event.name), found.group, found.index);
            let key = format!("{path}:{name}:{group}:{index}");
            let matcher = found.within.and_then(|group| group.get_string("matcher"));
            let matcher = matcher.map(|matcher| matcher.value.as_ref());
            needed.push(TrustEntry { key, hash: digest(event, matcher, found.entry) });
        })?;
    }
    Ok(needed)
}

/// Adds that trust to a `config.toml`. Only ever at the user's word.
///
/// # Errors
/// When the file is no TOML, or keeps something else where the trust belongs.
pub fn trust(config: Option<&[u8]>, needed: &[TrustEntry]) -> Result<Edit, SettingsError> {
    edit(config, |document, summary| {
        for entry in needed {
            let hash = entry.hash.to_string();
            let trusted = step(state(document)?, &entry.key)?;
            if trusted.get(HASH).and_then(Item::as_str) != Some(&hash) {
                trusted.insert(HASH, value(&hash));
                summary.push(format!("trust `{}`", entry.key));
            }
        }
        Ok(())
    })
}

/// Takes that trust away again; a digest that is another's by now stays.
///
/// # Errors
/// When the file is no TOML, or keeps something else where the trust belongs.
pub fn untrust(config: Option<&[u8]>, given: &[TrustEntry]) -> Result<Edit, SettingsError> {
    edit(config, |document, summary| {
        for entry in given {
            if forget(document.as_table_mut(), &PATH, entry) {
                summary.push(format!("trust `{}` no more", entry.key));
            }
        }
        Ok(())
    })
}

/// Why Codex runs none of our hooks in silence, whatever trust it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Silenced {
    /// An entry says `enabled = false`.
    SwitchedOff,
    /// The project says `trust_level = "untrusted"`.
    ProjectUntrusted,
}

/// Whether a `config.toml` silences hooks that are trusted. `project` is the absolute path of the
/// project whose settings hold them; none where they are the user's own.
///
/// # Errors
/// When the file is no TOML.
pub fn silenced(
    config: Option<&[u8]>,
    needed: &[TrustEntry],
    project: Option<&str>,
) -> Result<Option<Silenced>, SettingsError> {
    let text = text(config.unwrap_or_default())?;
    let document: DocumentMut = text.parse().map_err(|error| unparsable(text, &error))?;
    let at = |path: &[&str]| path.iter().try_fold(document.as_item(), |item, key| item.get(*key));
    let [hooks, state] = PATH;
    let is_off = |entry: &TrustEntry| {
        at(&[hooks, state, &entry.key, "enabled"]).and_then(Item::as_bool) == Some(false)
    };
    let level = project.and_then(|project| at(&["projects", project, "trust_level"]));
    Ok(if needed.iter().any(is_off) {
        Some(Silenced::SwitchedOff)
    } else if level.and_then(Item::as_str) == Some("untrusted") {
        Some(Silenced::ProjectUntrusted)
    } else {
        None
    })
}

/// Removes an entry, and the tables it leaves empty where nobody wrote their headings.
fn forget(table: &mut Table, path: &[&str], entry: &TrustEntry) -> bool {
    let Some((name, rest)) = path.split_first() else {
        let trusted = table.get_mut(&entry.key).and_then(Item::as_table_mut);
        let hash = entry.hash.to_string();
        let Some(trusted) = trusted else { return false };
        if trusted.get(HASH).and_then(Item::as_str) != Some(&hash) {
            return false;
        }
        trusted.remove(HASH);
        if trusted.is_empty() {
            table.remove(&entry.key);
        }
        return true;
    };
    let Some(inner) = table.get_mut(name).and_then(Item::as_table_mut) else { return false };
    let found = forget(inner, rest, entry);
    if inner.is_empty() && inner.is_implicit() {
        table.remove(name);
    }
    found
}

fn edit(
    config: Option<&[u8]>,
    change: impl FnOnce(&mut DocumentMut, &mut Vec<String>) -> Result<(), SettingsError>,
) -> Result<Edit, SettingsError> {
    let before = text(config.unwrap_or_default())?;
    let mut document: DocumentMut = before.parse().map_err(|error| unparsable(before, &error))?;
    let mut summary = Vec::new();
    change(&mut document, &mut summary)?;
    let changed = !summary.is_empty();
    let text =
        if changed { line_ends::kept(before, &document.to_string()) } else { before.to_owned() };
    let empty = text.is_empty();
    Ok(Edit { text, changed, empty, summary })
}

fn unparsable(text: &str, error: &toml_edit::TomlError) -> SettingsError {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let why = error.message().lines().collect::<Vec<_>>().join("; ");
    SettingsError::Unparsable { line, column, why }
}

fn state(document: &mut DocumentMut) -> Result<&mut Table, SettingsError> {
    let [hooks, state] = PATH;
    step(step(document.as_table_mut(), hooks)?, state)
}

/// The table under a name, made where there is none.
fn step<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Table, SettingsError> {
    let item = table.entry(name).or_insert_with(|| {
        let mut made = Table::new();
        made.set_implicit(true);
        Item::Table(made)
    });
    let found = item.type_name();
    item.as_table_mut().ok_or_else(|| SettingsError::Kept { at: name.to_owned(), found })
}

/// The definition as Codex digests it: compact, its names in order.
#[derive(Serialize)]
struct Definition<'a> {
    event_name: String,
    hooks: [Hook<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
}

#[derive(Serialize)]
struct Hook<'a> {
    r#async: bool,
    command: &'a str,
    #[serde(rename = "statusMessage", skip_serializing_if = "Option::is_none")]
    status_message: Option<&'a str>,
    timeout: u64,
    r#type: &'static str,
}

fn digest(event: &Event, matcher: Option<&str>, entry: &Object<'_>) -> Digest {
    let text = |name| entry.get_string(name).map(|text| text.value.as_ref());
    let timeout = entry.get_number("timeout").and_then(|number| number.value.parse().ok());
    let is_async = entry.get_boolean("async").is_some_and(|flag| flag.value);
    let hook = Hook {
        r#async: is_async,
        command: text("command").unwrap_or_default(),
        status_message: text("statusMessage"),
        timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
        r#type: "command",
    };
    // At the run's own stop there is nothing to match.
    let matcher = matcher.filter(|_| event.stopping == Stopping::SubAgent);
    let definition = Definition { event_name: snake(event.name), hooks: [hook], matcher };
    // Texts, flags and numbers alone cannot fail to be written.
    Digest::of_bytes(serde_json::to_string(&definition).unwrap_or_default().as_bytes())
}

/// `SubagentStop` as `subagent_stop`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
