//! What a hook answers, and the bytes each host accepts for it.

use std::collections::BTreeMap;

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

    /// Reads what a hook printed for a host, as strictly as the strictest host does: one object of
    /// the host's own keys, and nothing beside it.
    ///
    /// # Errors
    /// When the host would read nothing in it, or something else.
    pub fn read(host: Host, printed: &[u8]) -> Result<Self, AnswerError> {
        let fields: BTreeMap<String, Value> =
            serde_json::from_slice(printed).map_err(|_| AnswerError::NotOneObject)?;
        let dialect = host.dialect();
        let text = |key: &str| {
            let text = fields.get(key).and_then(Value::as_str);
            text.filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        let is_only = |keys: &[&str]| {
            fields.len() == keys.len() && keys.iter().all(|key| fields.contains_key(*key))
        };
        let refused = match dialect.refusal {
            Refusal::Decision(word) if is_only(&["decision", "reason"]) => {
                text("decision").filter(|said| said == word).and_then(|_| text("reason"))
            }
            Refusal::Message(key) if is_only(&[key]) => text(key),
            Refusal::Decision(_) | Refusal::Message(_) => None,
        };
        let told = dialect.notice.filter(|key| is_only(&[key])).and_then(text);
        match (refused, told) {
            (Some(reason), _) => Ok(Self::Block { reason }),
            (None, Some(message)) => Ok(Self::AllowWithNotice { message }),
            (None, None) if fields.is_empty() => Ok(Self::Allow),
            (None, None) => Err(AnswerError::Unknown { title: host.title() }),
        }
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

/// Why what a hook printed is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnswerError {
    /// It is not one JSON object.
    #[error("read the answer: it is not one object of JSON")]
    NotOneObject,
    /// It is none of those that the host acts on.
    #[error("read the answer: {title} knows no such one")]
    Unknown {
        /// The host.
        title: &'static str,
    },
}

/// Our words with their mark, which also keeps them from ever being blank.
fn feedback(reason: &str, dialect: &Dialect) -> String {
    mark::marked(&fitted(reason, dialect.longest.less(mark::LENGTH)))
}
