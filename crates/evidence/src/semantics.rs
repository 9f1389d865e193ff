//! What a tool does: whether it only reads, changes things, or verifies.
//!
//! A tool that the catalogue does not know is neither: it reads `other`, never read-only, so an
//! unknown word grants no authority. Rules as in Harn's tool annotations and judge evidence.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::clip;
use crate::transcript::Call;
use crate::value::{at, field, text};

/// What a call contributes to the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new role must be thought about everywhere"
)]
pub enum ActionRole {
    /// It shows a state.
    Observation,
    /// It changes one.
    Mutation,
    /// It checks one.
    Verification,
    /// None of these, as far as is known.
    Other,
}

impl ActionRole {
    /// Reads a declared role, in any case; `other` cannot be declared, and an unknown word is none.
    fn declared(word: &str) -> Option<Self> {
        match word.to_lowercase().as_str() {
            "observation" => Some(Self::Observation),
            "mutation" => Some(Self::Mutation),
            "verification" => Some(Self::Verification),
            _ => None,
        }
    }
}

/// A tool as the packet shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolSemantics {
    /// The tool's name, clipped to a label.
    pub name: String,
    /// Its declared kind, clipped to a label.
    pub kind: String,
    /// Its declared side effect, clipped to a label.
    pub side_effect_level: String,
    /// Whether it is known to change nothing.
    pub read_only: bool,
    /// What it contributes.
    pub evidence_role: ActionRole,
}

/// Kinds that change nothing.
const READ_ONLY_KINDS: [&str; 4] = ["read", "search", "think", "fetch"];
/// Side effects that change nothing.
const READ_ONLY_EFFECTS: [&str; 3] = ["none", "read_only", "network_read"];

impl ToolSemantics {
    /// Reads the annotations of a tool; `known` says whether the registry has it at all.
    fn of(name: &str, annotations: &Value, known: bool) -> Self {
        let kind = first(annotations, ["kind", "tool_kind", "toolKind"]);
        let effect_keys = ["side_effect_level", "sideEffectLevel", "side_effect", "sideEffect"];
        let effect = first(annotations, effect_keys);
        let read_only = known && is_read_only(annotations, &text(kind), &text(effect));
        Self {
            name: clip::LABEL.apply(name),
            kind: clip::LABEL.apply_to(kind.unwrap_or(&Value::String(String::new()))),
            side_effect_level: clip::LABEL
                .apply_to(effect.unwrap_or(&Value::String(String::new()))),
            read_only,
            evidence_role: evidence_role(annotations, read_only),
        }
    }

    /// The same tool seen as a verifier: a call that waits for a verifier's background handle.
    pub(crate) fn as_verification(&self) -> Self {
        Self { read_only: false, evidence_role: ActionRole::Verification, ..self.clone() }
    }
}

fn first<'a, const N: usize>(annotations: &'a Value, keys: [&str; N]) -> Option<&'a Value> {
    keys.into_iter().find_map(|key| field(annotations, key))
}

fn is_read_only(annotations: &Value, kind: &str, effect: &str) -> bool {
    let (kind, effect) = (kind.to_lowercase(), effect.to_lowercase());
    let hint = first(annotations, ["readOnlyHint", "read_only_hint"]);
    let reads = READ_ONLY_KINDS.contains(&kind.as_str());
    // `network` says where a call runs; only a reading kind says that it changes nothing there.
    let observes = READ_ONLY_EFFECTS.contains(&effect.as_str()) || (reads && effect == "network");
    if annotations.get("destructiveHint") == Some(&Value::Bool(true)) {
        return false;
    }
    if (!kind.is_empty() && !reads) || (!effect.is_empty() && !observes) {
        return false;
    }
    match hint {
        Some(Value::Bool(true)) => true,
        Some(_) => false,
        None => !kind.is_empty() || !effect.is_empty(),
    }
}

/// Only these two spellings make a mutation of an undeclared tool.
fn evidence_role(annotations: &Value, read_only: bool) -> ActionRole {
    let word = |key| text(field(annotations, key));
    if let Some(role) = ActionRole::declared(&word("completion_evidence_role")) {
        return role;
    }
    if word("kind").to_lowercase() == "edit"
        || word("side_effect_level").to_lowercase() == "workspace_write"
    {
        ActionRole::Mutation
    } else if read_only {
        ActionRole::Observation
    } else {
        ActionRole::Other
    }
}

/// The tools of a run, by name; looked up once per call.
#[derive(Clone, Debug, Default)]
pub struct ToolCatalogue {
    tools: BTreeMap<String, ToolSemantics>,
    policy: Map<String, Value>,
    verifying: BTreeMap<String, BTreeSet<String>>,
}

impl ToolCatalogue {
    /// Reads a registry: a list of entries, or an object that holds one under `tools`. `policy` may
    /// annotate tools by name under `tool_annotations`; an entry's own annotations win.
    #[must_use]
    pub fn from_value(registry: &Value, policy: &Value) -> Self {
        let entries = match registry {
            Value::Array(entries) => entries.as_slice(),
            other => field(other, "tools").and_then(Value::as_array).map_or(&[][..], Vec::as_slice),
        };
        let policy = first(policy, ["tool_annotations", "toolAnnotations"])
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        let mut tools = BTreeMap::new();
        for entry in entries {
            let name = text(field(entry, "name").or_else(|| at(entry, &["function", "name"])));
            let annotations = annotations(policy.get(&name), entry);
            // The first entry of a name is the one that counts.
            tools
                .entry(name.clone())
                .or_insert_with(|| ToolSemantics::of(&name, &annotations, true));
        }
        Self { tools, policy, verifying: BTreeMap::new() }
    }

    /// Declares whole commands of one tool as verification: a call counts when its `command`
    /// argument, trimmed, equals one of them. A pipe, a list, a redirection or a further argument
    /// makes another command.
    #[must_use]
    pub fn with_verifying(
        mut self,
        tool: &str,
        commands: impl IntoIterator<Item = String>,
    ) -> Self {
        let commands = commands.into_iter().map(|command| command.trim().to_owned());
        self.verifying.entry(tool.to_owned()).or_default().extend(commands);
        self
    }

    /// What one call does.
    #[must_use]
    pub fn semantics(&self, call: &Call) -> ToolSemantics {
        let known = self.tools.get(&call.name).cloned();
        let semantics = known.unwrap_or_else(|| {
            let annotations = annotations(self.policy.get(&call.name), &Value::Null);
            ToolSemantics::of(&call.name, &annotations, false)
        });
        if self.verifies(call) { semantics.as_verification() } else { semantics }
    }

    /// Whether a call runs exactly one of the declared verifying commands.
    #[must_use]
    pub fn verifies(&self, call: &Call) -> bool {
        let command = call.args.get("command").and_then(Value::as_str).map(str::trim);
        let declared = self.verifying.get(&call.name);
        declared.zip(command).is_some_and(|(declared, command)| declared.contains(command))
    }
}

fn annotations(from_policy: Option<&Value>, entry: &Value) -> Value {
    let layers = [
        from_policy,
        field(entry, "policy"),
        field(entry, "annotations"),
        at(entry, &["function", "policy"]),
        at(entry, &["function", "annotations"]),
    ];
    let mut merged = Map::new();
    for layer in layers.into_iter().flatten().filter_map(Value::as_object) {
        merged.extend(layer.clone());
    }
    Value::Object(merged)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, args: &Value) -> Call {
        let args = args.as_object().cloned().unwrap_or_default();
        Call { id: "c".into(), name: name.into(), args }
    }

    #[test]
    fn an_unknown_tool_is_other_and_never_read_only() {
        let semantics = ToolCatalogue::default().semantics(&call("x", &json!({})));
        assert_eq!((semantics.read_only, semantics.evidence_role), (false, ActionRole::Other));
    }

    #[test]
    fn only_the_whole_command_verifies() {
        let catalogue = ToolCatalogue::default().with_verifying("Bash", ["cargo test".to_owned()]);
        let role = |command: &str| {
            catalogue.semantics(&call("Bash", &json!({"command": command}))).evidence_role
        };
        assert_eq!(role(" cargo test\n"), ActionRole::Verification);
        for other in ["cargo test | tail", "cargo test --lib", "cargo test; true", "cargo  test"] {
            assert_eq!(role(other), ActionRole::Other, "{other}");
        }
    }

    #[test]
    fn read_only_needs_a_positive_word() {
        for (annotations, expected) in [
            (json!({}), false),
            (json!({"kind": "Read"}), true),
            (json!({"kind": "fetch", "side_effect_level": "network"}), true),
            (json!({"kind": "execute", "side_effect_level": "network"}), false),
            (json!({"sideEffect": "none"}), true),
            (json!({"readOnlyHint": true}), true),
            (json!({"readOnlyHint": "true"}), false),
            (json!({"kind": "read", "readOnlyHint": false}), false),
            (json!({"readOnlyHint": true, "destructiveHint": true}), false),
        ] {
            let registry = json!([{"name": "t", "annotations": annotations}]);
            let catalogue = ToolCatalogue::from_value(&registry, &Value::Null);
            assert_eq!(
                catalogue.semantics(&call("t", &json!({}))).read_only,
                expected,
                "{registry}"
            );
        }
    }
}
