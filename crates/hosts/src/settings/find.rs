//! Where our entries stand in a host's settings, and what is refused on the way to them.

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use super::command::is_ours;
use super::error::SettingsError;
use super::json::{self, kind, parse, property};
use super::rules::Nesting;
use crate::hook::Host;

/// Where all hooks stand.
pub(super) const HOOKS: &str = "hooks";

/// Where an entry of ours stands in the list of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The element of the list: the group, or the entry itself.
    pub(super) group: usize,
    /// The element of the group's own list.
    pub(super) entry: usize,
    grouped: bool,
}

impl Found {
    pub(super) fn in_group<'a, 'b>(
        &self,
        list: &'b Array<'a>,
    ) -> Option<(&'b Object<'a>, &'b Array<'a>)> {
        let group = list.elements.get(self.group)?.as_object().filter(|_| self.grouped)?;
        Some((group, group.get_array(HOOKS)?))
    }

    pub(super) fn entry<'a, 'b>(&self, list: &'b Array<'a>) -> Option<&'b Object<'a>> {
        match self.in_group(list) {
            Some((_, hooks)) => hooks.elements.get(self.entry)?.as_object(),
            None => list.elements.get(self.group)?.as_object(),
        }
    }
}

/// Our entries among those of an event.
pub(super) fn ours(list: &Array<'_>, host: Host) -> Vec<Found> {
    let is_ours = |value: &Value<'_>| value.as_object().is_some_and(|entry| runs_us(entry, host));
    let mut found = Vec::new();
    for (group, element) in list.elements.iter().enumerate() {
        match host.settings().nesting {
            Nesting::Flat if is_ours(element) => {
                found.push(Found { group, entry: 0, grouped: false });
            }
            Nesting::Flat => {}
            Nesting::Grouped => {
                let hooks = element.as_object().and_then(|group| group.get_array(HOOKS));
                let hooks = hooks.map(|hooks| hooks.elements.as_slice()).unwrap_or_default();
                let entries = hooks.iter().enumerate().filter(|(_, entry)| is_ours(entry));
                found.extend(entries.map(|(entry, _)| Found { group, entry, grouped: true }));
            }
        }
    }
    found
}

fn runs_us(entry: &Object<'_>, host: Host) -> bool {
    host.settings()
        .commands
        .iter()
        .any(|(key, _)| entry.get_string(key).is_some_and(|command| is_ours(&command.value, host)))
}

/// An entry of ours, for whoever looks at it.
#[derive(Debug)]
pub(crate) struct Visited<'a, 'b> {
    /// Which element of the event's list it stands in, from 0.
    pub(crate) group: usize,
    /// Which element of that group's list it is, from 0.
    pub(crate) index: usize,
    /// The group, where the host has groups.
    pub(crate) within: Option<&'b Object<'a>>,
    pub(crate) entry: &'b Object<'a>,
}

/// Shows the entries of ours on an event.
pub(crate) fn visit(
    host: Host,
    settings: &[u8],
    event: &str,
    mut see: impl FnMut(Visited<'_, '_>),
) -> Result<(), SettingsError> {
    let text = super::body(super::text(settings)?);
    let Some(root) = root_of(text)? else { return Ok(()) };
    let Some(list) = list_of(text, &root, event)? else { return Ok(()) };
    for found in ours(list, host) {
        let within = found.in_group(list).map(|(group, _)| group);
        if let Some(entry) = found.entry(list) {
            see(Visited { group: found.group, index: found.entry, within, entry });
        }
    }
    Ok(())
}

/// The file's one object.
pub(super) fn root(text: &str) -> Result<Object<'_>, SettingsError> {
    root_of(text)?.ok_or(SettingsError::Unparsable {
        line: 1,
        column: 1,
        why: "expected an object".to_owned(),
    })
}

pub(super) fn root_of(text: &str) -> Result<Option<Object<'_>>, SettingsError> {
    match parse(text)? {
        None => Ok(None),
        Some(Value::Object(root)) => Ok(Some(root)),
        Some(other) => Err(SettingsError::Shape {
            at: "the file".to_owned(),
            line: json::line(text, other.range().start),
            found: kind(&other),
            wanted: "an object",
        }),
    }
}

/// The object of all hooks.
pub(super) fn hooks_of<'a, 'b>(
    text: &str,
    root: &'b Object<'a>,
) -> Result<Option<&'b Object<'a>>, SettingsError> {
    match property(text, root, HOOKS, HOOKS)? {
        None => Ok(None),
        Some(ObjectProp { value: Value::Object(hooks), .. }) => Ok(Some(hooks)),
        Some(other) => Err(shape(text, other, HOOKS, "an object")),
    }
}

/// The list of an event.
pub(super) fn list_of<'a, 'b>(
    text: &str,
    root: &'b Object<'a>,
    event: &str,
) -> Result<Option<&'b Array<'a>>, SettingsError> {
    let at = [HOOKS, ".", event].concat();
    let Some(hooks) = hooks_of(text, root)? else { return Ok(None) };
    match property(text, hooks, event, &at)? {
        None => Ok(None),
        Some(ObjectProp { value: Value::Array(list), .. }) => Ok(Some(list)),
        Some(other) => Err(shape(text, other, &at, "a list")),
    }
}

pub(super) fn shape(
    text: &str,
    found: &ObjectProp<'_>,
    at: &str,
    wanted: &'static str,
) -> SettingsError {
    let line = json::line(text, found.range.start);
    SettingsError::Shape { at: at.to_owned(), line, found: kind(&found.value), wanted }
}
