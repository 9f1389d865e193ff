//! Whether the asked-for outcome was reached: a reading beside the verdict that never changes it.

use serde::Serialize;
use serde_json::{Value, json};

use crate::ledger::PacketIndex;

/// How far the asked-for outcome was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum GoalKind {
    /// Wholly.
    Achieved,
    /// In part.
    PartiallyAchieved,
    /// Not at all.
    NotAchieved,
    /// The evidence does not say.
    Unknown,
}

impl GoalKind {
    /// Every kind, in the order of the reply schema.
    pub const ALL: [Self; 4] =
        [Self::Achieved, Self::PartiallyAchieved, Self::NotAchieved, Self::Unknown];

    /// The kind's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Achieved => "achieved",
            Self::PartiallyAchieved => "partially_achieved",
            Self::NotAchieved => "not_achieved",
            Self::Unknown => "unknown",
        }
    }
}

/// A reading of the goal that cites what it rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GoalAssessment {
    /// How far the outcome was reached.
    pub kind: GoalKind,
    /// Indices of records or actions of the packet, each unambiguous there.
    pub evidence_refs: Vec<i64>,
}

impl GoalAssessment {
    /// Reads an assessment. One that cites nothing, or something that the packet does not hold
    /// exactly once, is no assessment; only `unknown` may stand without evidence.
    #[must_use]
    pub fn read(value: Option<&Value>, packet: &PacketIndex<'_>) -> Option<Self> {
        let value = value?;
        let word = value.get("kind")?.as_str()?;
        let kind = GoalKind::ALL.into_iter().find(|kind| kind.as_str() == word)?;
        let refs = value.get("evidence_refs")?.as_array()?;
        let evidence_refs: Vec<i64> = refs.iter().map(Value::as_i64).collect::<Option<_>>()?;
        if kind != GoalKind::Unknown && evidence_refs.is_empty() {
            return None;
        }
        let known: std::collections::BTreeSet<i64> = packet.unambiguous().into_iter().collect();
        evidence_refs
            .iter()
            .all(|index| known.contains(index))
            .then_some(Self { kind, evidence_refs })
    }

    /// The part of the reply schema in which a judge gives the assessment.
    #[must_use]
    pub(super) fn schema(packet: &PacketIndex<'_>) -> Value {
        let indices = packet.unambiguous();
        let refs = if indices.is_empty() {
            json!({"type": "array", "items": {"type": "integer"}, "maxItems": 0})
        } else {
            json!({"type": "array", "items": {"type": "integer", "enum": indices}})
        };
        json!({
            "type": "object",
            "properties": {
                "kind": {"type": "string", "enum": GoalKind::ALL.map(GoalKind::as_str)},
                "evidence_refs": refs,
            },
            "required": ["kind", "evidence_refs"],
        })
    }
}
