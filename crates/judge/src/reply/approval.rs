//! When an approval is beyond doubt: by its own fields and by what stands around it.
//!
//! Only ever takes an approval away. A refusal needs none of this.

use serde_json::Value;

/// The fields that the reply schema offers, with or without a contract.
const FIELDS: [&str; 6] =
    ["verdict", "detail", "gap_class", "gaps", "goal_assessment", "requirement_report"];
/// What may carry another verdict, whole or broken, and so stands in no harmless prose.
const MARKS: [char; 6] = ['{', '}', '[', ']', '\\', '`'];
/// What may take the approval back. Looked for inside words too: `cannot`, `continued`.
const RETRACTIONS: [&str; 5] = ["verdict", "continue", "not", "n't", "n’t"];
const FENCE: &str = "```";
const FENCE_TAG: &str = "json";

/// Whether an approval says only what the schema offers and holds no second verdict.
pub(super) fn is_plain(reply: &Value) -> bool {
    reply.as_object().is_some_and(|fields| {
        fields.keys().all(|key| FIELDS.contains(&key.as_str()))
            && !fields.values().any(holds_verdict)
    })
}

/// Depth is bounded by the parser's limit.
fn holds_verdict(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_verdict),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| key.trim().to_lowercase() == "verdict" || holds_verdict(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Whether the text before and after an object leaves its approval standing: space, one fence
/// around the object, harmless prose.
pub(super) fn stands_clear(before: &str, after: &str) -> bool {
    let (before, after) = unfenced(before, after).unwrap_or((before, after));
    is_harmless(before) && is_harmless(after)
}

/// What is left around an object when its fence is taken off.
fn unfenced<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let before = before.trim_end();
    let tag = before.len().checked_sub(FENCE_TAG.len());
    let untagged = tag
        .and_then(|at| before.split_at_checked(at))
        .filter(|(_, tag)| tag.eq_ignore_ascii_case(FENCE_TAG))
        .map_or(before, |(untagged, _)| untagged);
    Some((untagged.strip_suffix(FENCE)?, after.trim_start().strip_prefix(FENCE)?))
}

fn is_harmless(prose: &str) -> bool {
    let bare = bare(prose);
    !prose.contains(MARKS) && !RETRACTIONS.iter().any(|word| bare.contains(word))
}

/// The words alone: marks and invisible characters would split one from view.
fn bare(prose: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '’');
    prose.to_lowercase().chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quittance_evidence::contract::Contract;
    use serde_json::json;

    use super::*;
    use crate::ledger::PacketIndex;
    use crate::reply::verdict_schema;

    #[test]
    fn the_fields_are_those_of_the_schema() {
        let rows = json!({"requirements": [{"requirement_id": "a", "name": "A."}]});
        let contract = Contract::from_value(&rows).expect("a contract");
        let mut offered = BTreeSet::new();
        for contract in [None, contract.as_ref()] {
            let schema = verdict_schema(contract, &PacketIndex::default());
            let fields = schema["properties"].as_object().expect("fields");
            offered.extend(fields.keys().cloned());
        }
        assert_eq!(offered, FIELDS.map(str::to_owned).into());
    }

    #[test]
    fn one_fence_is_taken_off() {
        for (before, after, is_clear) in [
            ("", "", true),
            ("```json\n", "\n```\n", true),
            ("```JSON\n", "\n```", true),
            ("Here:\n```\n", "```\nThe tests ran.", true),
            ("```json\n", "", false),
            ("```text\n", "\n```", false),
            ("```\n```json\n", "\n```\n```", false),
            ("`", "`", false),
            ("Can", "not.", false),
            ("ｎ", "It wasn’t run.", false),
            ("v\u{200b}erdict", "", false),
            ("con**tin**ue", "", false),
            ("é", "", true),
        ] {
            assert_eq!(stands_clear(before, after), is_clear, "{before:?} {after:?}");
        }
    }
}
