//! Issues in order: all counted, the last few kept.

use std::collections::VecDeque;

use crate::packet::ISSUE_LIMIT;
use crate::transcript::Issue;

/// The count of some issues and the last of them.
#[derive(Clone, Debug, Default)]
pub(super) struct IssueTail {
    count: usize,
    last: VecDeque<Issue>,
}

impl IssueTail {
    pub(super) fn extend(&mut self, issues: impl IntoIterator<Item = Issue>) {
        for issue in issues {
            self.count += 1;
            self.last.push_back(issue);
            if self.last.len() > ISSUE_LIMIT {
                self.last.pop_front();
            }
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The kept issues, oldest first.
    pub(super) fn last(&self) -> impl Iterator<Item = &Issue> {
        self.last.iter()
    }
}
