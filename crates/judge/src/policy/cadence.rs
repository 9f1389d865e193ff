//! When the completion judge's turn has come.

use serde_json::Value;

use quittance_evidence::value::field;

/// At what kind of boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum When {
    /// At any.
    #[default]
    Always,
    /// Where the run stalled.
    Stalled,
    /// At none: the word is not known.
    Unknown,
}

impl When {
    fn read(value: Option<&Value>) -> Self {
        match value.map(Value::as_str) {
            None | Some(Some("always")) => Self::Always,
            Some(Some("stalled")) => Self::Stalled,
            Some(_) => Self::Unknown,
        }
    }
}

/// The cadence of a judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cadence {
    /// Only every so many turns.
    pub every: Option<i64>,
    /// At what kind of boundary.
    pub when: When,
    /// Not more often than this, without ending the run.
    pub max_invocations: Option<i64>,
    /// Not before this many turns.
    pub min_iterations_before_first: Option<i64>,
}

/// What the cadence is read against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CadenceReading<'a> {
    /// The turn's number from 0.
    pub iteration: i64,
    /// How often the judge was asked before.
    pub invocations: u64,
    /// What proposed the stop.
    pub trigger: &'a str,
    /// Whether the run stalled.
    pub is_stalled: bool,
}

impl Cadence {
    /// Reads a cadence; what is no integer is not set, and what is no object is none.
    #[must_use]
    pub fn read(value: Option<&Value>) -> Self {
        let Some(value) = value.filter(|value| value.is_object()) else { return Self::default() };
        let integer = |key| field(value, key).and_then(Value::as_i64);
        Self {
            every: integer("every"),
            when: When::read(field(value, "when")),
            max_invocations: integer("max_invocations"),
            min_iterations_before_first: integer("min_iterations_before_first"),
        }
    }

    /// Whether the judge is due. What cannot be told is no.
    #[must_use]
    pub fn is_due(&self, reading: CadenceReading<'_>) -> bool {
        let turn = reading.iteration.saturating_add(1);
        let invocations = i64::try_from(reading.invocations).unwrap_or(i64::MAX);
        let is_under_cap = self.max_invocations.is_none_or(|max| invocations < max);
        let is_past_warmup = self.min_iterations_before_first.is_none_or(|min| turn > min);
        let comes_round = self.every.is_none_or(|every| turn.checked_rem(every) == Some(0));
        let is_its_kind = match self.when {
            When::Always => true,
            When::Stalled => reading.trigger == "stalled" || reading.is_stalled,
            When::Unknown => false,
        };
        is_under_cap && is_past_warmup && comes_round && is_its_kind
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn due(cadence: &Value, iteration: i64, invocations: u64, trigger: &str) -> bool {
        let reading = CadenceReading { iteration, invocations, trigger, is_stalled: false };
        Cadence::read(Some(cadence)).is_due(reading)
    }

    #[test]
    fn comes_round_as_configured() {
        let every = json!({"every": 2});
        let rounds: Vec<bool> = (0..4).map(|at| due(&every, at, 0, "sentinel")).collect();
        assert_eq!(rounds, [false, true, false, true]);
        assert!(due(&json!({}), 0, 99, ""));
        assert!(due(&json!("no object"), 0, 99, ""));
        assert!(!due(&json!({"max_invocations": 1}), 0, 1, ""));
        assert!(!due(&json!({"min_iterations_before_first": 1}), 0, 0, ""));
        assert!(due(&json!({"min_iterations_before_first": 1}), 1, 0, ""));
        assert!(due(&json!({"when": "stalled"}), 0, 0, "stalled"));
        assert!(!due(&json!({"when": "stalled"}), 0, 0, "sentinel"));
        assert!(!due(&json!({"when": "sometimes"}), 0, 0, "stalled"));
        assert!(!due(&json!({"every": 0}), 0, 0, ""));
    }
}
