//! The arguments of a call, with its command as one text.
//!
//! The host spells a command in three ways: `cmd`, a list that names a shell and its script, and a
//! list of words. A row holds it as `command`, which is what a policy declares.

use serde_json::{Map, Value};

use crate::chat;

/// Tools that run the command among their arguments.
const RUN: [&str; 5] = ["exec_command", "local_shell", "shell", "shell_command", "container.exec"];
/// How a shell is told that its script follows.
const SCRIPT_FLAGS: [&str; 3] = ["-c", "-lc", "-Command"];

/// Reads the arguments of a call.
pub(super) fn of_call(name: &str, arguments: Option<&Value>) -> Map<String, Value> {
    let mut args = chat::arguments(arguments);
    if RUN.contains(&name) {
        let command = args.remove("cmd").or_else(|| args.remove("command"));
        if let Some(command) = command {
            let whole = whole_command(&command).map_or(command, Value::String);
            args.insert("command".to_owned(), whole);
        }
    }
    args
}

/// Reads the input of a call that takes a text: itself, unless it is an object in JSON.
pub(super) fn of_input(name: &str, input: Option<&Value>) -> Map<String, Value> {
    let mut args = of_call(name, input);
    if let Some(text) = args.remove("_raw") {
        args.insert("input".to_owned(), text);
    }
    args
}

/// A command as one text; none of a list of which a word is no plain word, since nobody knows how it
/// would be quoted.
pub(super) fn whole_command(command: &Value) -> Option<String> {
    let Value::Array(words) = command else { return command.as_str().map(str::to_owned) };
    let words: Vec<&str> = words.iter().map(Value::as_str).collect::<Option<_>>()?;
    match words.as_slice() {
        [_, flag, script] if SCRIPT_FLAGS.contains(flag) => Some((*script).to_owned()),
        words if words.iter().all(|word| is_plain(word)) => Some(words.join(" ")),
        _ => None,
    }
}

fn is_plain(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "./-_,:@+%=".contains(c);
    !word.is_empty() && word.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_command_is_one_text() {
        let command = |name: &str, args: Value| of_call(name, Some(&args)).remove("command");
        for args in [
            json!({"cmd": "cargo test"}),
            json!({"command": "cargo test"}),
            json!({"command": ["bash", "-lc", "cargo test"]}),
            json!({"command": ["cargo", "test"]}),
            json!("{\"cmd\":\"cargo test\"}"),
        ] {
            assert_eq!(command("shell", args.clone()), Some(json!("cargo test")), "{args}");
        }
        let quoted = json!({"command": ["touch", "a b"]});
        assert_eq!(command("shell", quoted.clone()), quoted.get("command").cloned());
        assert_eq!(command("other", json!({"cmd": "x"})), None);
        let input = of_input("apply_patch", Some(&json!("*** Begin Patch")));
        assert_eq!(Value::Object(input), json!({"input": "*** Begin Patch"}));
    }
}
