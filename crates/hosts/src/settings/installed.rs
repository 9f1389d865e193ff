//! What a host's settings say of our hook, for whoever has to tell a working one from another.

use jsonc_parser::ast::Object;

use super::command::program;
use super::error::SettingsError;
use super::find::{root_of, visit};
use super::rules::Rules;
use crate::hook::Host;

/// An entry of ours in a host's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Installed {
    /// The event, as the host spells it.
    pub event: &'static str,
    /// The whole command, as the host runs it.
    pub command: String,
    /// The program it names, without quotes: a bare name, or a path.
    pub program: String,
    /// How long the host waits for it, in whole seconds; none where the entry does not say.
    pub timeout_s: Option<u64>,
}

/// The events that [`super::install`] puts the hook on, in the host's order.
#[must_use]
pub fn events(host: Host) -> Vec<&'static str> {
    let events = host.dialect().events.iter();
    events.filter(|event| event.installed).map(|event| event.name).collect()
}

/// The entries of ours in a host's settings, event by event in the host's order.
///
/// # Errors
/// When the file cannot be read as the host's settings.
pub fn installed(host: Host, settings: &[u8]) -> Result<Vec<Installed>, SettingsError> {
    let rules = host.settings();
    let mut entries = Vec::new();
    for event in host.dialect().events {
        visit(host, settings, event.name, |found| {
            if let Some((command, program)) = named(rules, found.entry, host) {
                let timeout_s = timeout(rules, found.entry);
                entries.push(Installed { event: event.name, command, program, timeout_s });
            }
        })?;
    }
    Ok(entries)
}

/// The field of a host's settings that keeps it from running any hook, where it is set.
///
/// # Errors
/// When the file cannot be read as the host's settings.
pub fn switched_off(host: Host, settings: &[u8]) -> Result<Option<&'static str>, SettingsError> {
    let Some(field) = host.settings().off else { return Ok(None) };
    let text = super::body(super::text(settings)?);
    let root = root_of(text)?;
    let is_off = root.and_then(|root| root.get_boolean(field).map(|flag| flag.value));
    Ok(is_off.unwrap_or_default().then_some(field))
}

/// The first command that runs our hook, and the program in it.
fn named(rules: &Rules, entry: &Object<'_>, host: Host) -> Option<(String, String)> {
    let mut commands = rules.commands.iter().filter_map(|(key, _)| entry.get_string(key));
    commands.find_map(|command| {
        let program = program(&command.value, host)?;
        Some((command.value.to_string(), program))
    })
}

fn timeout(rules: &Rules, entry: &Object<'_>) -> Option<u64> {
    let said: u64 = entry.get_number(rules.timeout.key)?.value.parse().ok()?;
    said.checked_div(rules.timeout.per_second)
}

#[cfg(test)]
mod tests {
    use super::super::{HEADROOM_S, Scope, install};
    use super::*;

    #[test]
    fn what_is_installed_is_read_back() {
        let program = "/opt/my tools/quittance";
        for host in Host::ALL {
            let edit = install(host, None, Scope::User { program }, 420).unwrap();
            let entries = installed(host, edit.text.as_bytes()).unwrap();
            assert!(!entries.is_empty(), "{host:?}");
            for entry in entries {
                assert_eq!(entry.program, program);
                assert_eq!(entry.timeout_s, Some(420 + HEADROOM_S));
            }
        }
    }

    #[test]
    fn a_switch_is_off_only_where_it_says_so() {
        let off = |host, text: &str| switched_off(host, text.as_bytes()).unwrap();
        let claude_code = |text| off(Host::ClaudeCode, text);
        assert_eq!(claude_code("{\"disableAllHooks\": true} // mine"), Some("disableAllHooks"));
        for text in ["", "{}", "{\"disableAllHooks\": false}", "{\"disableAllHooks\": \"true\"}"] {
            assert_eq!(claude_code(text), None, "{text}");
        }
        assert_eq!(off(Host::Cursor, "{\"disableAllHooks\": true}"), None);
    }

    #[test]
    fn somebody_elses_hook_is_none_of_ours() {
        let settings = br#"{"hooks": {"Stop": [
            {"hooks": [{"type": "command", "command": "make lint", "timeout": 5}]},
            {"hooks": [{"type": "command", "command": "X=1 quittance hook claude-code 2>>log"}]}
        ]}}"#;
        let entries = installed(Host::ClaudeCode, settings).unwrap();
        let ours = Installed {
            event: "Stop",
            command: "X=1 quittance hook claude-code 2>>log".to_owned(),
            program: "quittance".to_owned(),
            timeout_s: None,
        };
        assert_eq!(entries, [ours]);
        assert_eq!(installed(Host::Codex, b"").unwrap(), []);
        assert!(installed(Host::Codex, b"[]").is_err());
    }
}
