//! A goal with criteria, as a judge that was given one reads it.

use serde_json::{Map, Value, json};

use quittance_evidence::canonical;
use quittance_evidence::value::{field, text};

/// One criterion of success.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its name; its position makes one where none is given.
    pub id: Option<String>,
    /// What must hold.
    pub description: String,
}

/// A goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoalSpec {
    /// What is to be reached.
    pub objective: String,
    /// When it is reached.
    pub success_criteria: Vec<Criterion>,
    /// What must be kept to.
    pub constraints: Vec<String>,
    /// What it may cost, as given.
    pub budget: Map<String, Value>,
    /// Criteria that a retarget retired: neither owed nor met.
    pub retired_criteria: Vec<Criterion>,
}

impl GoalSpec {
    /// Reads a goal; a value that is no object is none.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let fields = value.as_object()?;
        let list = |key: &str| fields.get(key).and_then(Value::as_array).into_iter().flatten();
        let criterion = |entry: &Value| Criterion {
            id: field(entry, "id").map(|id| text(Some(id))),
            description: text(field(entry, "description")),
        };
        Some(Self {
            objective: text(fields.get("objective")),
            success_criteria: list("success_criteria").map(criterion).collect(),
            constraints: list("constraints").map(|entry| text(Some(entry))).collect(),
            budget: fields.get("budget").and_then(Value::as_object).cloned().unwrap_or_default(),
            retired_criteria: list("retired_criteria").map(criterion).collect(),
        })
    }

    /// The goal under a retarget: another objective, and every criterion retired. Constraints and
    /// budget stand.
    #[must_use]
    pub fn retargeted(&self, objective: &str) -> Self {
        let mut retired = self.retired_criteria.clone();
        retired.extend(self.success_criteria.iter().cloned());
        Self {
            objective: objective.to_owned(),
            success_criteria: Vec::new(),
            retired_criteria: retired,
            ..self.clone()
        }
    }

    /// The criteria as a record names them.
    #[must_use]
    pub fn pinned_criteria(&self) -> Value {
        let pinned = self.success_criteria.iter().enumerate().map(|(position, criterion)| {
            let id = criterion.id.clone().unwrap_or_else(|| format!("sc_{position}"));
            json!({"id": id, "description": criterion.description})
        });
        Value::Array(pinned.collect())
    }

    /// The system text of a judge that was given this goal.
    #[must_use]
    pub fn system(&self) -> String {
        let mut lines = vec![
            "You judge whether a goal has been reached. Answer `done` only if every criterion \
             below holds; otherwise answer `continue` with the next step and each gap."
                .to_owned(),
            String::new(),
            "## Goal".to_owned(),
            format!("Objective: {}", self.objective),
        ];
        let described = |criteria: &[Criterion]| {
            criteria.iter().map(|criterion| criterion.description.clone()).collect::<Vec<_>>()
        };
        section(&mut lines, "Criteria of success:", &described(&self.success_criteria));
        section(
            &mut lines,
            "Retired when the user replaced the objective (not owed, and not met):",
            &described(&self.retired_criteria),
        );
        section(&mut lines, "Constraints:", &self.constraints);
        if !self.budget.is_empty() {
            let budget = canonical::object_to_text(&self.budget);
            lines.push(format!("Budget: {budget}"));
        }
        lines.join("\n")
    }
}

fn section(lines: &mut Vec<String>, heading: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    lines.push(heading.to_owned());
    lines.extend(entries.iter().map(|entry| format!("- {entry}")));
}
