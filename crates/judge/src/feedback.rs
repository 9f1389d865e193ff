//! One turn's feedback out of several candidates (`harn.agent_feedback_composition.v1`).
//!
//! What is said twice is said once; a stop silences what would have it go on; a next step that did
//! not change, over evidence that did not change, is not repeated.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a message asks for. The order is that of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum FeedbackAction {
    /// Nothing.
    Inform,
    /// To go on.
    Continue,
    /// To stop.
    Stop,
}

impl FeedbackAction {
    /// The priority of a message that states none.
    const fn priority(self) -> i64 {
        match self {
            Self::Inform => 100,
            Self::Continue => 200,
            Self::Stop => 300,
        }
    }
}

/// A message that somebody wants to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text; an empty one is suppressed.
    pub content: String,
    /// Who wants it sent.
    pub source: String,
    /// Why.
    pub reason: String,
    /// What it asks for.
    pub action: FeedbackAction,
    /// What kind of message the host files it as.
    pub kind: String,
    /// Its priority, if not its action's.
    pub priority: Option<i64>,
    /// The step it asks for.
    pub next_step: String,
}

/// A message that is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// The text.
    pub content: String,
    /// Everybody who wanted it sent.
    pub sources: Vec<String>,
    /// All their reasons.
    pub reasons: Vec<String>,
    /// What it asks for.
    pub action: FeedbackAction,
    /// What kind of message the host files it as.
    pub kind: String,
    /// Its priority.
    pub priority: i64,
    /// The step it asks for, trimmed.
    pub next_step: String,
}

/// Why a candidate is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Suppression {
    /// It says nothing.
    EmptyContent,
    /// It asks again for a step, and nothing has changed since.
    UnchangedNextStep,
    /// Another says the same, byte for byte.
    ByteIdenticalDuplicate,
    /// It asks to go on beside one that asks to stop.
    ContradictedByStop,
}

/// A candidate that is not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Suppressed {
    /// Who wanted it sent.
    pub source: String,
    /// Why they did.
    pub reason: String,
    /// Why it is not.
    pub suppression_reason: Suppression,
}

/// The last step asked for, and what was known then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepHistory {
    /// The step.
    pub next_step: String,
    /// A digest of what was known.
    pub knowledge_state: String,
}

/// What is sent, what is not, and what to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Composition {
    /// What is sent, in the order of the candidates.
    pub messages: Vec<Message>,
    /// What is not.
    pub suppressed: Vec<Suppressed>,
    /// The last step asked for.
    pub history: StepHistory,
}

/// Composes one turn's feedback.
#[must_use]
pub fn compose(
    candidates: Vec<Candidate>,
    history: &StepHistory,
    knowledge_state: &str,
) -> Composition {
    let mut composing = Composing::default();
    for candidate in candidates {
        composing.push(candidate, history, knowledge_state);
    }
    composing.silence_contradicted();
    let step = composing.messages.iter().rev().find(|message| !message.next_step.is_empty());
    let history = step.map_or_else(
        || history.clone(),
        |message| StepHistory {
            next_step: message.next_step.clone(),
            knowledge_state: knowledge_state.to_owned(),
        },
    );
    Composition { messages: composing.messages, suppressed: composing.suppressed, history }
}

#[derive(Default)]
struct Composing {
    messages: Vec<Message>,
    position: BTreeMap<String, usize>,
    suppressed: Vec<Suppressed>,
}

impl Composing {
    fn push(&mut self, candidate: Candidate, history: &StepHistory, knowledge_state: &str) {
        let next_step = candidate.next_step.trim().to_owned();
        let is_repeated = !next_step.is_empty()
            && next_step == history.next_step
            && !knowledge_state.is_empty()
            && knowledge_state == history.knowledge_state;
        if candidate.content.is_empty() {
            return self.suppress(candidate.source, candidate.reason, Suppression::EmptyContent);
        }
        if is_repeated {
            let why = Suppression::UnchangedNextStep;
            return self.suppress(candidate.source, candidate.reason, why);
        }
        let earlier = self.position.get(&candidate.content).copied();
        let message = Message {
            priority: candidate.priority.unwrap_or_else(|| candidate.action.priority()),
            content: candidate.content,
            sources: vec![candidate.source],
            reasons: vec![candidate.reason],
            action: candidate.action,
            kind: candidate.kind,
            next_step,
        };
        if let Some(earlier) = earlier.and_then(|at| self.messages.get_mut(at)) {
            let source = message.sources.first().cloned().unwrap_or_default();
            let reason = message.reasons.first().cloned().unwrap_or_default();
            merge(earlier, message);
            self.suppress(source, reason, Suppression::ByteIdenticalDuplicate);
        } else {
            self.position.insert(message.content.clone(), self.messages.len());
            self.messages.push(message);
        }
    }

    fn suppress(&mut self, source: String, reason: String, why: Suppression) {
        self.suppressed.push(Suppressed { source, reason, suppression_reason: why });
    }

    fn silence_contradicted(&mut self) {
        if !self.messages.iter().any(|message| message.action == FeedbackAction::Stop) {
            return;
        }
        let (silenced, kept) = std::mem::take(&mut self.messages)
            .into_iter()
            .partition(|message| message.action == FeedbackAction::Continue);
        self.messages = kept;
        let silenced: Vec<Message> = silenced;
        for message in silenced {
            let source = message.sources.into_iter().next().unwrap_or_default();
            let reason = message.reasons.into_iter().next().unwrap_or_default();
            self.suppress(source, reason, Suppression::ContradictedByStop);
        }
    }
}

/// The higher priority wins, the earlier on a tie; sources and reasons are kept of both.
fn merge(earlier: &mut Message, later: Message) {
    let mut other = later;
    if other.priority > earlier.priority {
        std::mem::swap(earlier, &mut other);
        std::mem::swap(&mut earlier.sources, &mut other.sources);
        std::mem::swap(&mut earlier.reasons, &mut other.reasons);
    }
    unite(&mut earlier.sources, other.sources);
    unite(&mut earlier.reasons, other.reasons);
    if earlier.next_step.is_empty() {
        earlier.next_step = other.next_step;
    }
}

fn unite(words: &mut Vec<String>, more: Vec<String>) {
    for word in more {
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(content: &str, action: FeedbackAction, next_step: &str) -> Candidate {
        Candidate {
            content: content.to_owned(),
            source: "judge".to_owned(),
            reason: "judge_veto".to_owned(),
            action,
            kind: "verify_completion".to_owned(),
            priority: None,
            next_step: next_step.to_owned(),
        }
    }

    fn reasons(composition: &Composition) -> Vec<Suppression> {
        composition.suppressed.iter().map(|one| one.suppression_reason).collect()
    }

    #[test]
    fn a_stop_silences_what_would_go_on() {
        use FeedbackAction::{Continue, Inform, Stop};
        let composition = compose(
            vec![
                candidate("go on", Continue, ""),
                candidate("go on", Continue, ""),
                candidate("stop", Stop, ""),
                candidate("note", Inform, ""),
            ],
            &StepHistory::default(),
            "k",
        );
        let contents: Vec<_> = composition.messages.iter().map(|one| &one.content).collect();
        assert_eq!(contents, ["stop", "note"]);
        assert_eq!(
            reasons(&composition),
            [Suppression::ByteIdenticalDuplicate, Suppression::ContradictedByStop]
        );
    }

    #[test]
    fn an_unchanged_step_is_not_repeated() {
        let ask = || vec![candidate("do it", FeedbackAction::Continue, " do it ")];
        let first = compose(ask(), &StepHistory::default(), "k1");
        assert_eq!(first.messages.len(), 1);
        let second = compose(ask(), &first.history, "k1");
        assert_eq!(reasons(&second), [Suppression::UnchangedNextStep]);
        assert_eq!(second.history, first.history);
        assert_eq!(compose(ask(), &first.history, "k2").messages.len(), 1);
    }

    #[test]
    fn a_duplicate_keeps_every_source() {
        let mut low = candidate("same", FeedbackAction::Inform, "step");
        low.source = "gate".to_owned();
        let high = candidate("same", FeedbackAction::Stop, "");
        let composition = compose(vec![low, high], &StepHistory::default(), "");
        let [message] = composition.messages.as_slice() else { panic!("one message") };
        assert_eq!(message.action, FeedbackAction::Stop);
        assert_eq!(message.sources, ["gate", "judge"]);
        assert_eq!(message.next_step, "step");
    }
}
