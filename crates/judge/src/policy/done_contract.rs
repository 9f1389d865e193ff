//! The two halves of a done contract: what the agent states before it stops, and who checks it.

use super::judge::JudgeConfig;

/// How often a done contract's judge is asked when nobody says.
const DEFAULT_INVOCATIONS: i64 = 3;

/// A done contract, ready to be put into a policy and a prompt.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DoneContract {
    /// What goes into the agent's own prompt.
    pub fragment: String,
    /// The completion judge.
    pub judge: JudgeConfig,
}

impl DoneContract {
    /// Completes a judge into a done contract: what it leaves open is filled in.
    #[must_use]
    pub fn of(judge: JudgeConfig, done_sentinel: &str) -> Self {
        let system = if judge.system.is_empty() { judge_system() } else { judge.system.clone() };
        let feedback = if judge.feedback_fallback.is_empty() {
            "The claim to be done does not hold up yet; close the gaps named before you finish."
                .to_owned()
        } else {
            judge.feedback_fallback.clone()
        };
        Self {
            fragment: claim_fragment(done_sentinel),
            judge: JudgeConfig {
                max_invocations: judge.max_invocations.or(Some(DEFAULT_INVOCATIONS)),
                system,
                feedback_fallback: feedback,
                ..judge
            },
        }
    }
}

/// What an agent is asked to say before it stops.
#[must_use]
pub fn claim_fragment(done_sentinel: &str) -> String {
    let marker = if done_sentinel.is_empty() { "the agreed marker" } else { done_sentinel };
    format!(
        "Before you stop, say in a few words what is done, right before {marker}: what was asked, \
         what you saw that shows it, which files changed, and what you left out on purpose. A \
         check that you wrote yourself and that passes is not enough alone; tie it to what was \
         asked."
    )
}

fn judge_system() -> String {
    [
        "You check whether an agent's claim to be done is borne out by the task, the record of its \
         tool calls and what it changed.",
        "Answer `done` only if the claim covers what was asked and the record shows it. Answer \
         `continue` if evidence is missing, if the only check is one the agent made for itself, or \
         if something asked for is not addressed.",
        "Judge the work, never its wire format. Markers and layout are enforced elsewhere; their \
         absence is never a reason to continue.",
        "With `continue`, put every gap you see into `gaps`, not the first one only: the agent can \
         close only what it is told of, and you may not come back with one you could have named. \
         Give each the part of the task it is against and the step that closes it.",
        "Where the evidence shows a file as it is now, that is the file. It outranks whatever was \
         said of it before, by the agent or by you.",
        "A gap about what a file holds carries, in `evidence_quote`, the line that shows it, copied \
         character by character.",
    ]
    .join("\n")
}
