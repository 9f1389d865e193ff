//! Projects with a `package.json`: its scripts say how they are checked.

use serde_json::Value;

use super::{Check, Found};
use crate::init::facts::Facts;

const FILE: &str = "package.json";
/// What `npm init` writes where there is no test; it fails whatever the project does.
const PLACEHOLDER: &str = "no test specified";

/// Scripts that check something, the best first.
const SCRIPTS: [&str; 5] = ["test", "check", "typecheck", "lint", "build"];

pub(super) fn found(facts: &Facts) -> Option<Found> {
    let from = facts.first(&[FILE])?;
    let (package, amiss) = match serde_json::from_str(facts.text(FILE)) {
        Ok(package) => (package, None),
        Err(error) => (Value::Null, Some(format!("`{FILE}` cannot be read: {error}"))),
    };
    let manager = manager(facts, &package);
    let has = |name: &str| {
        let script = package.pointer("/scripts").and_then(|scripts| scripts.get(name));
        script.and_then(Value::as_str).is_some_and(|line| !line.contains(PLACEHOLDER))
    };
    let scripts = SCRIPTS.into_iter().filter(|name| has(name));
    let checks = scripts.map(|name| Check::of([manager, "run", name])).collect();
    Some(Found { amiss, ..Found::of("npm", from, checks) })
}

/// Who runs the scripts: whom the project names, else whose lock file is there.
fn manager(facts: &Facts, package: &Value) -> &'static str {
    const KNOWN: [(&str, &[&str]); 4] = [
        ("pnpm", &["pnpm-lock.yaml"]),
        ("yarn", &["yarn.lock"]),
        ("bun", &["bun.lock", "bun.lockb"]),
        ("npm", &["package-lock.json"]),
    ];
    let named = package.get("packageManager").and_then(Value::as_str).unwrap_or_default();
    let named = named.split('@').next().unwrap_or_default();
    let by_name = KNOWN.into_iter().find(|(manager, _)| *manager == named);
    let by_lock = || KNOWN.into_iter().find(|(_, locks)| facts.first(locks).is_some());
    by_name.or_else(by_lock).map_or("npm", |(manager, _)| manager)
}
