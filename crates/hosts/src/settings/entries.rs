//! Our entries in a host's settings: added, brought up to date, removed.

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;

use super::command::Command;
use super::error::SettingsError;
use super::find::{Found, HOOKS, hooks_of, list_of, ours, root, root_of, shape};
use super::json::{self, Container, Json, parse, property, quoted};
use super::rules::{Beside, Nesting, Rules};
use super::splice::{self, Style, put, spliced, take};
use crate::hook::Host;

/// What a file says of its own format, where it says so.
const VERSION: &str = "version";
/// The only format there is.
const FORMAT: &str = "1";

/// A settings file that is being edited. Every step parses what the one before it wrote, so that
/// no place is ever stale; settings are small.
#[derive(Debug)]
pub(super) struct Entries {
    pub(super) text: String,
    pub(super) summary: Vec<String>,
}

/// A place in a file that one item can be put into or taken from.
#[derive(Debug)]
struct Slot {
    container: Container,
    index: usize,
}

impl Entries {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), summary: Vec::new() }
    }

    /// Makes sure that our hook stands once on every event it belongs to.
    pub(super) fn install(
        &mut self,
        host: Host,
        command: &Command,
        timeout: u64,
    ) -> Result<(), SettingsError> {
        let rules = host.settings();
        self.begin(rules)?;
        for event in events(host) {
            if self.count(host, event)? == 0 {
                self.add(rules, event, command, timeout)?;
            } else {
                self.renew(host, event, command, timeout)?;
            }
            // One is enough; every further one would count a refusal twice.
            while self.count(host, event)? > 1 {
                self.remove_last(host, event, Lift::Group)?;
            }
        }
        if self.summary.is_empty() {
            self.summary.push("our hook is there and up to date".to_owned());
        }
        Ok(())
    }

    /// Removes every entry of ours, on whatever event it stands.
    pub(super) fn uninstall(&mut self, host: Host) -> Result<(), SettingsError> {
        for event in host.dialect().events {
            while self.count(host, event.name)? > 0 {
                self.remove_last(host, event.name, Lift::All)?;
            }
        }
        if self.summary.is_empty() {
            self.summary.push("our hook is not there".to_owned());
        }
        Ok(())
    }

    /// Whether nothing but what we put into every file is left.
    pub(super) fn is_empty(&self) -> bool {
        match parse(&self.text) {
            Ok(None) => self.text.trim().is_empty(),
            Ok(Some(Value::Object(root))) => {
                let bare = match root.properties.as_slice() {
                    [] => "{}",
                    [only] if is_format(only) => "{\"version\":1}",
                    _ => return false,
                };
                // Longer than that, it holds remarks.
                self.text.split_whitespace().collect::<String>() == bare
            }
            _ => false,
        }
    }

    /// Makes an object of an empty file, and says its format where the host asks for it.
    fn begin(&mut self, rules: &Rules) -> Result<(), SettingsError> {
        if parse(&self.text)?.is_none() {
            let newline = Style::of(&self.text, None).newline();
            let remarks = self.text.trim_end();
            let gap = if remarks.is_empty() { "" } else { newline };
            self.text = [remarks, gap, "{}", newline].concat();
        }
        if !rules.versioned {
            return Ok(());
        }
        let root = root(&self.text)?;
        let Some(said) = property(&self.text, &root, VERSION, VERSION)? else {
            let container = Container::of_object(&root);
            let style = Style::of(&self.text, Some(&container));
            self.text = put(&self.text, &container, &style, |layout, indent| {
                json::rendered(VERSION, &Json::Number(1), layout, indent)
            });
            return Ok(());
        };
        if is_format(said) { Ok(()) } else { Err(shape(&self.text, said, VERSION, FORMAT)) }
    }

    /// How many entries of ours stand on an event.
    fn count(&self, host: Host, event: &str) -> Result<usize, SettingsError> {
        let Some(root) = root_of(&self.text)? else { return Ok(0) };
        let list = list_of(&self.text, &root, event)?;
        Ok(list.map_or(0, |list| ours(list, host).len()))
    }

    /// Adds our entry behind all others.
    fn add(
        &mut self,
        rules: &Rules,
        event: &'static str,
        command: &Command,
        timeout: u64,
    ) -> Result<(), SettingsError> {
        let entry = entry(rules, command, timeout);
        let item = match rules.nesting {
            Nesting::Flat => entry,
            Nesting::Grouped => Json::Object(vec![(HOOKS, Json::List(vec![entry]))]),
        };
        let root = root(&self.text)?;
        let style = Style::of(&self.text, Some(&Container::of_object(&root)));
        let hooks = hooks_of(&self.text, &root)?;
        let text = if let Some(list) = list_of(&self.text, &root, event)? {
            let container = Container::of_list(list);
            put(&self.text, &container, &style, |layout, indent| item.render(layout, indent))
        } else {
            let list = Json::List(vec![item]);
            let (object, key, value) = match hooks {
                Some(hooks) => (hooks, event, list),
                None => (&root, HOOKS, Json::Object(vec![(event, list)])),
            };
            put(&self.text, &Container::of_object(object), &style, |layout, indent| {
                json::rendered(key, &value, layout, indent)
            })
        };
        self.text = text;
        let (key, said) = (rules.timeout.key, command_text(rules, command));
        self.summary.push(format!("add `{said}` to `{HOOKS}.{event}`, `{key}` {timeout}"));
        Ok(())
    }

    /// Brings our first entry up to date.
    fn renew(
        &mut self,
        host: Host,
        event: &str,
        command: &Command,
        timeout: u64,
    ) -> Result<(), SettingsError> {
        let rules = host.settings();
        let root = root(&self.text)?;
        let Some(list) = list_of(&self.text, &root, event)? else { return Ok(()) };
        let Some(entry) = ours(list, host).first().and_then(|found| found.entry(list)) else {
            return Ok(());
        };
        let mut splices = Vec::new();
        for (key, shell) in rules.commands {
            let value = entry.properties.iter().find(|property| property.name.as_str() == *key);
            let Some(Value::StringLit(old)) = value.map(|property| &property.value) else {
                continue;
            };
            if let Some(new) = command.renewed(&old.value, *shell).filter(|new| *new != old.value) {
                self.summary.push(format!("name `{new}` in `{HOOKS}.{event}`"));
                splices.push((json::of(old.range), quoted(&new)));
            }
        }
        let key = rules.timeout.key;
        let old = property(&self.text, entry, key, &format!("{HOOKS}.{event}.{key}"))?;
        let wanted = timeout.to_string();
        let is_right =
            |old: &ObjectProp<'_>| old.value.as_number_lit().is_some_and(|old| old.value == wanted);
        if !old.is_some_and(is_right) {
            self.summary.push(format!("set `{key}` {timeout} in `{HOOKS}.{event}`"));
        }
        match old {
            Some(old) if is_right(old) => {}
            Some(old) => splices.push((json::of(old.value.range()), wanted)),
            None => {
                let container = Container::of_object(entry);
                let style = Style::of(&self.text, Some(&Container::of_object(&root)));
                self.text = put(&self.text, &container, &style, |layout, indent| {
                    json::rendered(key, &Json::Number(timeout), layout, indent)
                });
                // The places of the commands are those of the text before.
                return self.renew(host, event, command, timeout);
            }
        }
        splices.sort_by_key(|(range, _)| range.start);
        self.text = spliced(&self.text, &splices);
        Ok(())
    }

    /// Removes our last entry on an event.
    fn remove_last(&mut self, host: Host, event: &str, lift: Lift) -> Result<(), SettingsError> {
        let root = root(&self.text)?;
        let Some(list) = list_of(&self.text, &root, event)? else { return Ok(()) };
        let Some(found) = ours(list, host).pop() else { return Ok(()) };
        if host.settings().nesting == Nesting::Grouped && found.group + 1 < list.elements.len() {
            self.summary
                .push(format!("the groups of `{HOOKS}.{event}` behind ours move up by one"));
        }
        let slot = self.slot(&root, event, list, found, lift)?;
        self.text = take(&self.text, &slot.container, slot.index);
        self.summary.push(format!("remove our hook from `{HOOKS}.{event}`"));
        Ok(())
    }

    /// The outermost thing that holds nothing but our entry.
    fn slot(
        &self,
        root: &Object<'_>,
        event: &str,
        list: &Array<'_>,
        found: Found,
        lift: Lift,
    ) -> Result<Slot, SettingsError> {
        let text = &self.text;
        let outer = Container::of_list(list);
        if let Some((group, hooks)) = found.in_group(list) {
            let inner = Container::of_list(hooks);
            let whole = Container::of_object(group);
            // A group with a field that we do not write is somebody's.
            if !splice::is_alone(text, &inner) || !splice::is_alone(text, &whole) {
                return Ok(Slot { container: inner, index: found.entry });
            }
        }
        let in_list = Slot { index: found.group, container: outer };
        if lift == Lift::Group || !splice::is_alone(text, &in_list.container) {
            return Ok(in_list);
        }
        let Some(hooks) = hooks_of(text, root)? else { return Ok(in_list) };
        let of_event =
            Slot { index: position(hooks, event), container: Container::of_object(hooks) };
        if !splice::is_alone(text, &of_event.container) {
            return Ok(of_event);
        }
        Ok(Slot { index: position(root, HOOKS), container: Container::of_object(root) })
    }
}

/// How far up an emptied container goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lift {
    /// As far as our own group.
    Group,
    /// As far as the key of all hooks.
    All,
}

/// The events that `install` puts our hook on.
fn events(host: Host) -> impl Iterator<Item = &'static str> {
    host.dialect().events.iter().filter(|event| event.installed).map(|event| event.name)
}

/// Our entry as it is made.
fn entry(rules: &Rules, command: &Command, timeout: u64) -> Json {
    let mut fields = vec![];
    if rules.nesting == Nesting::Grouped || rules.commands.len() > 1 {
        fields.push(("type", Json::Text("command".to_owned())));
    }
    let commands = rules.commands.iter();
    fields.extend(commands.map(|(key, shell)| (*key, Json::Text(command.text(*shell)))));
    fields.push((rules.timeout.key, Json::Number(timeout)));
    fields.extend(rules.beside.iter().map(|(key, value)| match value {
        Beside::Text(text) => (*key, Json::Text((*text).to_owned())),
        Beside::Number(number) => (*key, Json::Number(*number)),
    }));
    Json::Object(fields)
}

fn command_text(rules: &Rules, command: &Command) -> String {
    rules.commands.first().map(|(_, shell)| command.text(*shell)).unwrap_or_default()
}

fn is_format(property: &ObjectProp<'_>) -> bool {
    let is_version = property.name.as_str() == VERSION;
    is_version && property.value.as_number_lit().is_some_and(|said| said.value == FORMAT)
}

fn position(object: &Object<'_>, name: &str) -> usize {
    let mut names = object.properties.iter().map(|property| property.name.as_str());
    names.position(|found| found == name).unwrap_or(usize::MAX)
}
