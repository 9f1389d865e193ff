//! What a hook answers, and the bytes each host accepts for it.

use serde_json::{Map, Value};

use super::dialect::{Dialect, Refusal};
use super::host::Host;
use super::mark;
use super::plain::fitted;

/// What is answered to a host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a host can be told no fourth thing")]
pub enum HookAnswer {
    /// The run may stop, as far as we are asked.
    Allow,
    /// The run goes on with these words.
    Block {
        /// What is unmet. Too long a text is cut, and says so.
        reason: String,
    },
    /// The run may stop, and its user is told why that is no approval, where the host shows it.
    AllowWithNotice {
        /// What the user is told.
        message: String,
    },
}

impl HookAnswer {
    /// Allows a stop that nobody approved: a cap, a deadline, an unreadable record, a failure of
    /// our own.
    #[must_use]
    pub fn unverified(why: &str) -> Self {
        Self::AllowWithNotice { message: format!("quittance: unverified, {why}") }
    }

    /// The one JSON document for standard output. It is to be followed by nothing else, by closing
    /// standard output, and by exit code 0.
    #[must_use]
    pub fn print(&self, host: Host) -> String {
        let fields = self.fields(host.dialect());
        let fields = fields.into_iter().map(|(key, text)| (key.to_owned(), Value::String(text)));
        Value::Object(Map::from_iter(fields)).to_string()
    }

    fn fields(&self, dialect: &Dialect) -> Vec<(&'static str, String)> {
        match (self, dialect.refusal, dialect.notice) {
            (Self::Block { reason }, Refusal::Decision(word), _) => {
                vec![("decision", word.to_owned()), ("reason", feedback(reason, dialect))]
            }
            (Self::Block { reason }, Refusal::Message(key), _) => {
                vec![(key, feedback(reason, dialect))]
            }
            (Self::AllowWithNotice { message }, _, Some(key)) => {
                vec![(key, fitted(message, dialect.longest))]
            }
            (Self::Allow, _, _) | (Self::AllowWithNotice { .. }, _, None) => Vec::new(),
        }
    }
}

/// Our words with their mark, which also keeps them from ever being blank.
fn feedback(reason: &str, dialect: &Dialect) -> String {
    mark::marked(&fitted(reason, dialect.longest.less(mark::LENGTH)))
}
