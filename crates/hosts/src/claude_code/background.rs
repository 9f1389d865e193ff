//! Work that goes on behind the conversation: shells and agents that were started and not ended.

use std::collections::BTreeSet;

use super::line::{Attachment, Twin};

/// Whether a word says that a task has ended; any other leaves it running.
pub(super) fn has_ended(status: &str) -> bool {
    ENDED.contains(&status)
}

/// The tasks of a turn that still run, by the host's id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Background {
    running: BTreeSet<String>,
}

/// Words for a task that has ended; any other leaves it running.
const ENDED: [&str; 6] = ["completed", "failed", "killed", "stopped", "cancelled", "error"];

impl Background {
    /// A call was answered while its work goes on.
    pub(super) fn start(&mut self, twin: &Twin) {
        let task = match (&twin.shell, twin.is_async) {
            (Some(shell), _) => Some(shell),
            (None, true) => twin.agent.as_ref().or(twin.task.as_ref()),
            (None, false) => None,
        };
        self.running.extend(task.cloned());
    }

    /// A task ended, or was ended.
    pub(super) fn end(&mut self, task: &str) {
        self.running.remove(task);
    }

    /// The host said something of its tasks to the agent.
    pub(super) fn notified(&mut self, text: &str) {
        if let Some(task) = tagged(text, "task-id") {
            let status = tagged(text, "status").unwrap_or_default();
            if has_ended(status) {
                self.end(task);
            }
        }
    }

    /// The host attached the state of a task.
    pub(super) fn attached(&mut self, attachment: &Attachment) {
        let status = attachment.status.as_deref().unwrap_or_default();
        if let (Some(task), true) = (&attachment.task, ENDED.contains(&status)) {
            self.end(task);
        }
    }

    /// What still runs.
    pub(super) fn running(&self) -> Vec<String> {
        self.running.iter().cloned().collect()
    }
}

fn tagged<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(&format!("<{tag}>"))?;
    Some(after.split_once(&format!("</{tag}>"))?.0.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_end_ends_a_task() {
        let mut background = Background::default();
        background.start(&Twin { shell: Some("b1".into()), ..Twin::default() });
        background.start(&Twin { is_async: true, agent: Some("a1".into()), ..Twin::default() });
        background.start(&Twin { agent: Some("done".into()), ..Twin::default() });
        assert_eq!(background.running(), ["a1", "b1"]);
        let told = |status: &str| format!("<task-id>b1</task-id>\n<status>{status}</status>");
        background.notified(&told("running"));
        assert_eq!(background.running(), ["a1", "b1"]);
        background.notified(&told("failed"));
        assert_eq!(background.running(), ["a1"]);
    }
}
