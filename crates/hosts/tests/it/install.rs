//! Settings before and after, and the laws of editing what belongs to somebody else.

use std::fs;

use proptest::prelude::*;
use quittance_hosts::hook::Host;
use quittance_hosts::settings::{
    Edit, Place, Scope, SettingsError, Silenced, install, location, silenced, trust, trust_entries,
    uninstall, untrust,
};
use serde_json::{Map, Value, json};

use crate::hooks::{check, host_of};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden");

#[test]
fn every_case_is_edited_as_recorded() {
    insta::glob!(FOLDER, "install/*/before.json", |file| {
        let host = host_of(file);
        let case = fs::read(file.with_file_name("case.json")).unwrap();
        let case: Value = serde_json::from_slice(&case).unwrap();
        let (scope, place) = match case["program"].as_str() {
            Some(program) => (Scope::User { program }, Place::User),
            None => (Scope::Project, Place::Project),
        };
        let deadline = case["deadline_s"].as_u64().unwrap();
        let location = location(host, place);
        let before = fs::read(file).unwrap();
        let told = match install(host, Some(&before), scope, deadline) {
            Err(error) => format!("cannot {error}"),
            Ok(edit) => story(host, &before, &edit, scope, deadline),
        };
        check(file, "edit", &format!("{}/{}\n\n{told}", location.folder, location.file));
    });
}

/// Codex's `config.toml` before and after the user gave our hook their trust, and after they took
/// it back.
#[test]
fn every_trust_is_given_as_recorded() {
    insta::glob!(FOLDER, "install/*/config.toml", |file| {
        let before = fs::read(file).unwrap();
        let hooks = install(Host::Codex, None, Scope::Project, 420).unwrap();
        let needed = trust_entries(hooks.text.as_bytes(), "/repo/.codex/hooks.json").unwrap();
        let told = match trust(Some(&before), &needed) {
            Err(error) => format!("cannot {error}"),
            Ok(given) => {
                let again = trust(Some(given.text.as_bytes()), &needed).unwrap();
                assert_eq!((&again.text, again.changed), (&given.text, false));
                let taken = untrust(Some(given.text.as_bytes()), &needed).unwrap();
                assert_eq!(taken.text.as_bytes(), before);
                format!("{}\n\n{}", given.summary.join("\n"), shown(&given.text))
            }
        };
        check(file, "trust", &told);
    });
}

fn story(host: Host, before: &[u8], edit: &Edit, scope: Scope<'_>, deadline: u64) -> String {
    let again = install(host, Some(edit.text.as_bytes()), scope, deadline).unwrap();
    assert_eq!((&again.text, again.changed), (&edit.text, false));
    let gone = uninstall(host, Some(edit.text.as_bytes())).unwrap();
    let left = match (gone.text.as_bytes() == before, gone.empty) {
        (true, _) => "as before\n".to_owned(),
        (false, true) => "nothing of anybody's\n".to_owned(),
        (false, false) => shown(&gone.text),
    };
    format!(
        "{}\n\n{}\nwithout us again: {}\n\n{left}",
        edit.summary.join("\n"),
        shown(&edit.text),
        gone.summary.join("; "),
    )
}

/// A text with the bytes that a snapshot would lose.
fn shown(text: &str) -> String {
    text.replace('\r', "␍").replace('\u{feff}', "<BOM>").replace('\t', "→")
}

#[test]
fn what_is_left_unread_is_refused_with_its_place() {
    let refused = |bytes: &[u8]| install(Host::Codex, Some(bytes), Scope::Project, 1).unwrap_err();
    assert_eq!(refused(b"{\n\"a\": \"\xff\"}"), SettingsError::NotUtf8 { line: 2 });
    let deep = format!("{}1{}", "[".repeat(30_000), "]".repeat(30_000));
    assert!(matches!(refused(deep.as_bytes()), SettingsError::Unparsable { line: 1, .. }));
    assert!(install(Host::Codex, None, Scope::Project, u64::MAX).is_err());
}

#[test]
fn trust_is_the_digest_of_what_will_run() {
    let edit = install(Host::Codex, None, Scope::Project, 570).unwrap();
    let needed = trust_entries(edit.text.as_bytes(), "/h/.codex/hooks.json").unwrap();
    let told: Vec<_> = needed.iter().map(|entry| format!("{} {}", entry.key, entry.hash)).collect();
    // printf '%s' '{"event_name":"stop","hooks":[{"async":false,"command":"quittance hook codex",
    // "timeout":600,"type":"command"}]}' | sha256sum, and the same with `subagent_stop`.
    insta::assert_snapshot!(told.join("\n"), @r"
    /h/.codex/hooks.json:stop:0:0 sha256:2d71b87dcf1180ba8ab416136a8130f1fa4b6c2081b923704652dbb5de6e324b
    /h/.codex/hooks.json:subagent_stop:0:0 sha256:37838ab5edce6ef41043d2c4e80da2a75b6b49c26e28764a55c716e529cac3c6
    ");
}

#[test]
fn trust_names_the_place_and_what_the_user_added() {
    let hooks = br#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"notify"}]},
        {"matcher":"x","hooks":[7,{"type":"command","command":"quittance hook codex"}]}],
        "SubagentStop":[{"matcher":"\u00e9*","hooks":[{"type":"command",
        "command":"quittance hook codex","async":true,"statusMessage":"w\u00e4gt"}]}]}}"#;
    let told: Vec<_> = trust_entries(hooks, "/h")
        .unwrap()
        .iter()
        .map(|entry| format!("{} {}", entry.key, entry.hash))
        .collect();
    // The run's own stop drops its matcher; where no timeout is said it is 600. By hand:
    // {"event_name":"stop","hooks":[{"async":false,"command":"quittance hook codex","timeout":600,
    // "type":"command"}]} and {"event_name":"subagent_stop","hooks":[{"async":true,"command":
    // "quittance hook codex","statusMessage":"wägt","timeout":600,"type":"command"}],"matcher":"é*"}
    insta::assert_snapshot!(told.join("\n"), @r"
    /h:stop:1:1 sha256:2d71b87dcf1180ba8ab416136a8130f1fa4b6c2081b923704652dbb5de6e324b
    /h:subagent_stop:0:0 sha256:d5ae132d392592f86a34ed6998fe0b17afd8b90cb097cd7b9dd765263a1c5793
    ");
}

#[test]
fn trust_is_added_beside_the_users_own_and_taken_away_again() {
    let hooks = install(Host::Codex, None, Scope::Project, 420).unwrap();
    let needed = trust_entries(hooks.text.as_bytes(), "/w/a \"b\"/.codex/hooks.json").unwrap();
    let config = "# mine\nmodel = \"gpt-5.5\" # fast\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n\
        type = \"command\"\ncommand = \"notify\"\n\n[hooks.state.\"/x:stop:0:0\"]\n\
        trusted_hash = \"sha256:00\"\nenabled = false\n# the end\n";
    for before in [config, "", "model = \"x\"\n"] {
        let edit = trust(Some(before.as_bytes()), &needed).unwrap();
        assert!(edit.changed && edit.summary.len() == 2);
        let again = trust(Some(edit.text.as_bytes()), &needed).unwrap();
        assert_eq!((again.changed, &again.text), (false, &edit.text));
        let gone = untrust(Some(edit.text.as_bytes()), &needed).unwrap();
        assert_eq!(gone.text, before);
        if before == config {
            insta::assert_snapshot!(edit.text, @r#"
            # mine
            model = "gpt-5.5" # fast

            [[hooks.Stop]]
            [[hooks.Stop.hooks]]
            type = "command"
            command = "notify"

            [hooks.state."/x:stop:0:0"]
            trusted_hash = "sha256:00"
            enabled = false

            [hooks.state.'/w/a "b"/.codex/hooks.json:stop:0:0']
            trusted_hash = "sha256:93ce62e98b38dc721719a8b347b67151d0f60c49055a87a218434c675b27c27e"

            [hooks.state.'/w/a "b"/.codex/hooks.json:subagent_stop:0:0']
            trusted_hash = "sha256:526ccc5a3800ee3bf5473b880b0e530adb0a063b11428ac742ca2e20bf5ed594"
            # the end
            "#);
        }
    }
    let other = trust(Some(b"hooks = 3\n"), &needed).unwrap_err();
    assert_eq!(other.to_string(), "edit the settings: `hooks` is integer, not a table");
    let broken = trust(Some(b"[a\n"), &needed).unwrap_err();
    assert!(matches!(broken, SettingsError::Unparsable { line: 1, .. }), "{broken}");
}

#[test]
fn a_trusted_hook_may_be_silenced_all_the_same() {
    let hooks = install(Host::Codex, None, Scope::Project, 420).unwrap();
    let needed = trust_entries(hooks.text.as_bytes(), "/repo/.codex/hooks.json").unwrap();
    let why = |config: &str, project| silenced(Some(config.as_bytes()), &needed, project).unwrap();
    let off = "[hooks.state.\"/repo/.codex/hooks.json:subagent_stop:0:0\"]\nenabled = false\n";
    assert_eq!(why(off, None), Some(Silenced::SwitchedOff));
    assert_eq!(why(&off.replace("false", "true"), None), None);
    assert_eq!(why("hooks = {state = {\"/x:stop:0:0\" = {enabled = false}}}", None), None);
    let untrusted = "projects.\"/repo\".trust_level = \"untrusted\"\n";
    assert_eq!(why(untrusted, Some("/repo")), Some(Silenced::ProjectUntrusted));
    assert_eq!(why(untrusted, None), None);
    assert_eq!(why(untrusted, Some("/other")), None);
    assert_eq!(why("hooks = 3\nprojects = []\n", Some("/repo")), None);
    assert_eq!(silenced(None, &needed, Some("/repo")), Ok(None));
    assert!(silenced(Some(b"[a\n"), &needed, None).is_err());
}

/// JSON as a user might have it: any value, and now and then what hosts read.
fn settings() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-zé\"\\\\/\n]{0,6}".prop_map(Value::from),
    ];
    let any = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-z]{1,4}", inner), 0..4)
                .prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    });
    let group = prop_oneof![
        Just(json!({"hooks": [{"type": "command", "command": "say done", "timeout": 5}]})),
        Just(json!({"matcher": "x", "hooks": [{"command": "lint"}, 7]})),
        Just(json!({"command": "./notify.sh"})),
        Just(json!({"bash": "./notify.sh", "timeoutSec": 3})),
        any.clone(),
    ];
    let list = proptest::collection::vec(group, 1..3).prop_map(Value::from);
    let event = prop_oneof![
        Just("Stop"),
        Just("SubagentStop"),
        Just("AfterAgent"),
        Just("stop"),
        Just("agentStop"),
        Just("PreToolUse"),
    ];
    let hooks = proptest::collection::btree_map(event, list, 1..4);
    let fields = proptest::collection::btree_map("[a-z]{1,5}", any, 1..4);
    (fields, proptest::option::of(hooks)).prop_map(|(fields, hooks)| {
        let mut root = Map::from_iter(fields);
        root.remove("hooks");
        root.insert("version".to_owned(), json!(1));
        if let Some(hooks) = hooks {
            let hooks = hooks.into_iter().map(|(event, list)| (event.to_owned(), list));
            root.insert("hooks".to_owned(), Value::Object(Map::from_iter(hooks)));
        }
        Value::Object(root)
    })
}

/// The same settings in different hands.
fn written(settings: &Value, style: usize) -> String {
    let pretty = serde_json::to_string_pretty(settings).unwrap();
    match style {
        0 => pretty,
        1 => settings.to_string(),
        2 => pretty.replace('\n', "\r\n") + "\r\n",
        3 => pretty.replace("  ", "\t") + "\n",
        4 => format!("// mine\n{}\n/* end */\n", pretty.replacen('{', "{ // first", 1)),
        _ => format!("\u{feff}{pretty}\n\n"),
    }
}

/// Settings with a remark, a blank line or a trailing comma wherever a line may have one.
fn remarked(settings: &Value, mut seed: u64) -> String {
    let mut text = String::new();
    let pretty = serde_json::to_string_pretty(settings).unwrap();
    for line in pretty.lines() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let ends_list =
            line.ends_with(['"', ']', '}', 'l', 'e']) || line.ends_with(char::is_numeric);
        let extra = match seed >> 60 {
            0..3 => " // c, d",
            3..5 => " /* c */",
            5..7 => "\n\n  /* a\n b */",
            7 if ends_list && line.starts_with(' ') => ",",
            8 if ends_list && line.starts_with(' ') => ", // c",
            9 if ends_list && line.starts_with(' ') => " /* { */ ,",
            10 => "   ",
            _ => "",
        };
        text = [&text, line, extra, "\n"].concat();
    }
    text
}

fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()
}

/// What is there less our own entries.
fn without_us(host: Host, text: &str) -> Option<Value> {
    fn prune(value: &mut Value, ours: &str) {
        if let Value::Array(items) = value {
            items.iter_mut().for_each(|item| prune(item, ours));
            items.retain(|item| !item.to_string().contains(ours) && *item != json!({"hooks": []}));
        } else if let Value::Object(fields) = value {
            fields.values_mut().for_each(|field| prune(field, ours));
            fields.retain(|name, field| {
                name == "hooks" && *field == json!([]) || *field != json!([]) && *field != json!({})
            });
        }
    }
    let mut value = parsed(text)?;
    let hooks = value.as_object_mut()?.get_mut("hooks");
    if let Some(hooks) = hooks {
        prune(hooks, &format!("quittance hook {}", host.as_str()));
    }
    value.as_object_mut()?.retain(|name, field| name != "hooks" || *field != json!({}));
    Some(value)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn to_install_twice_is_to_install_once(settings in settings(), style in 0..6_usize) {
        let text = written(&settings, style);
        for host in Host::ALL {
            let once = install(host, Some(text.as_bytes()), Scope::Project, 420).unwrap();
            let twice = install(host, Some(once.text.as_bytes()), Scope::Project, 420).unwrap();
            prop_assert!(once.changed && !twice.changed);
            prop_assert_eq!(&once.text, &twice.text);
            // Another deadline changes the entry that is there, and back again.
            let longer = install(host, Some(once.text.as_bytes()), Scope::Project, 500).unwrap();
            prop_assert_ne!(&longer.text, &once.text);
            let back = install(host, Some(longer.text.as_bytes()), Scope::Project, 420).unwrap();
            prop_assert_eq!(&back.text, &once.text);
        }
    }

    #[test]
    fn to_uninstall_gives_the_bytes_before(settings in settings(), style in 0..6_usize) {
        let text = written(&settings, style);
        for host in Host::ALL {
            let with = install(host, Some(text.as_bytes()), Scope::Project, 420).unwrap();
            let gone = uninstall(host, Some(with.text.as_bytes())).unwrap();
            prop_assert_eq!(&gone.text, &text, "{}", with.text);
            let again = uninstall(host, Some(gone.text.as_bytes())).unwrap();
            prop_assert!(!again.changed);
        }
    }

    #[test]
    fn remarks_and_trailing_commas_stay(settings in settings(), seed in any::<u64>()) {
        let text = remarked(&settings, seed);
        for host in Host::ALL {
            let with = install(host, Some(text.as_bytes()), Scope::Project, 420).unwrap();
            let again = install(host, Some(with.text.as_bytes()), Scope::Project, 420).unwrap();
            prop_assert!(!again.changed, "{}", with.text);
            let gone = uninstall(host, Some(with.text.as_bytes())).unwrap();
            prop_assert_eq!(&gone.text, &text, "{}", with.text);
        }
    }

    #[test]
    fn what_is_not_ours_stays(settings in settings(), style in 0..4_usize) {
        let text = written(&settings, style);
        for host in Host::ALL {
            let with = install(host, Some(text.as_bytes()), Scope::Project, 420).unwrap();
            prop_assert!(parsed(&with.text).is_some(), "{}", with.text);
            prop_assert_eq!(without_us(host, &with.text), without_us(host, &text), "{}", with.text);
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        for host in Host::ALL {
            let _ = install(host, Some(&bytes), Scope::Project, 420);
            let _ = uninstall(host, Some(&bytes));
        }
        let _ = trust_entries(&bytes, "/x");
        let _ = trust(Some(&bytes), &[]);
    }

    #[test]
    fn no_near_settings_panic_and_none_is_damaged(
        pieces in proptest::collection::vec(0..PIECES.len(), 0..25)
    ) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        for host in Host::ALL {
            if let Ok(edit) = install(host, Some(text.as_bytes()), Scope::Project, 420) {
                // What we wrote, we can read, and it holds us once on each event.
                let again = install(host, Some(edit.text.as_bytes()), Scope::Project, 420);
                prop_assert!(!again.unwrap().changed, "{}", edit.text);
                let gone = uninstall(host, Some(edit.text.as_bytes())).unwrap();
                prop_assert!(!uninstall(host, Some(gone.text.as_bytes())).unwrap().changed);
            }
        }
    }
}

const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\r\n",
    "  ",
    "\t",
    "// c\n",
    "/* c */",
    "1",
    "\"a\"",
    "\"hooks\":",
    "\"Stop\":",
    "\"stop\":",
    "\"AfterAgent\":",
    "\"version\":1",
    "{\"hooks\":[{\"type\":\"command\",\"command\":\"quittance hook codex\"}]}",
    "{\"command\":\"quittance hook cursor\",\"timeout\":3}",
    "{\"hooks\":{\"Stop\":[",
    "]}}",
    "é",
];
