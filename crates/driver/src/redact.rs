//! What never enters a receipt: taken out of every foreign text before anything rests on it.
//!
//! A match is replaced by `[redacted:NAME]`, with a key by `[redacted:NAME:HMAC]`: the first 16 hex
//! digits of the HMAC-SHA-256 of what stood there, by which whoever has the key and the text can
//! show what was left out. (A bare digest of a short secret could be guessed.) What was taken out is
//! seen by no judge and enters no id, so a replay needs the same patterns, which the receipt holds,
//! and the same key, which it does not.
//!
//! Digests of whole files and ids that a host gave are left as they are.

use std::borrow::Cow;
use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use quittance_hosts::{Catalogue, Rewrite, RowPosition, Session, Sink};
use quittance_judge::machine::Reply;
use quittance_ledger::VerifierRecord;
use regex::{Captures, Regex};
use serde_json::Value;
use sha2::Sha256;

use crate::policy::RedactPolicy;
use crate::user::Secret;

/// Takes out of a text what a policy names.
#[derive(Debug, Default)]
pub struct Redactor {
    patterns: Vec<(String, Regex)>,
    key: Option<Secret>,
}

/// Hex digits shown of an HMAC.
const DIGITS: usize = 16;

impl Redactor {
    /// The redactor of a policy; none where it names no pattern. A pattern of a receipt that cannot
    /// be read is left out: the replay then differs and says where.
    #[must_use]
    pub fn of(policy: &RedactPolicy, key: Option<Secret>) -> Option<Self> {
        let patterns = policy.patterns.iter();
        let patterns: Vec<(String, Regex)> = patterns
            .filter_map(|pattern| Some((pattern.name.clone(), Regex::new(&pattern.regex).ok()?)))
            .collect();
        (!patterns.is_empty()).then_some(Self { patterns, key })
    }

    fn text(&self, text: &str) -> String {
        self.rewrite(text).into_owned()
    }

    fn mark(&self, name: &str, found: &str) -> String {
        let signed = self.key.as_ref().and_then(|key| signature(key, found));
        match signed {
            Some(signature) => format!("[redacted:{name}:{signature}]"),
            None => format!("[redacted:{name}]"),
        }
    }

    /// Rewrites what a turn says beside its rows, which were rewritten while they were read.
    pub fn turn<S>(&self, session: &mut Session<S>) {
        let turn = &mut session.turn;
        turn.task = self.text(&turn.task);
        for row in &mut turn.control {
            row.text = self.text(&row.text);
        }
        if let Some(answer) = &mut turn.answer {
            answer.text = self.text(&answer.text);
        }
        for past in &mut session.history {
            past.task = self.text(&past.task);
            past.answer = self.text(&past.answer);
        }
    }

    /// Rewrites what a verifier printed.
    pub(crate) fn verifier(&self, record: VerifierRecord) -> VerifierRecord {
        VerifierRecord { findings: self.text(&record.findings), ..record }
    }

    /// Rewrites what a judge replied, or why it did not.
    pub(crate) fn reply(&self, reply: Reply) -> Reply {
        match reply {
            Reply::Text { text, usage } => Reply::Text { text: self.text(&text), usage },
            Reply::Failed { failure, message } => {
                Reply::Failed { failure, message: self.text(&message) }
            }
        }
    }
}

fn signature(key: &Secret, found: &str) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose().as_bytes()).ok()?;
    mac.update(found.as_bytes());
    let bytes = mac.finalize().into_bytes();
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(hex.chars().take(DIGITS).collect())
}

impl Rewrite for Redactor {
    fn rewrite<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut out = Cow::Borrowed(text);
        for (name, pattern) in &self.patterns {
            let mark = |found: &Captures<'_>| {
                self.mark(name, found.get(0).map_or("", |whole| whole.as_str()))
            };
            if let Cow::Owned(changed) = pattern.replace_all(&out, mark) {
                out = Cow::Owned(changed);
            }
        }
        out
    }
}

/// A sink that rewrites every row before another one takes it.
#[derive(Debug)]
pub struct Rewriting<S> {
    /// The sink that takes the rows.
    pub rows: S,
    rewrite: Option<Arc<dyn Rewrite>>,
}

impl<S: Sink> Sink for Rewriting<S> {
    type Mark = S::Mark;

    fn start(catalogue: &Catalogue) -> Self {
        Self { rows: S::start(catalogue), rewrite: catalogue.rewrite().cloned() }
    }

    fn push(&mut self, record: &Value, at: &RowPosition) {
        match &self.rewrite {
            None => self.rows.push(record, at),
            Some(rewrite) => self.rows.push(&rewritten(record, rewrite.as_ref()), at),
        }
    }

    fn mark(&self) -> Self::Mark {
        self.rows.mark()
    }

    fn rewind(&mut self, mark: Self::Mark) {
        self.rows.rewind(mark);
    }
}

fn rewritten(value: &Value, rewrite: &dyn Rewrite) -> Value {
    match value {
        Value::String(text) => Value::String(rewrite.rewrite(text).into_owned()),
        Value::Array(items) => items.iter().map(|item| rewritten(item, rewrite)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), rewritten(value, rewrite))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use quittance_hosts::{ReadOptions, Records};
    use serde_json::json;

    use super::*;
    use crate::policy::Policy;

    const POLICY: &str = "version = 1\n[redact]\npatterns = [{name = \"token\", regex = \"tok_[a-z]+\"}, \
                          {name = \"mail\", regex = \"[a-z]+@[a-z]+\"}]";

    fn redactor(key: Option<&str>) -> Redactor {
        let key = key.map(|key| Secret::new(key.to_owned()).unwrap());
        Redactor::of(&Policy::parse(POLICY).unwrap().redact, key).unwrap()
    }

    #[test]
    fn a_match_is_replaced_by_its_name() {
        let text = "tok_abc and tok_xyz, ask a@b";
        assert_eq!(
            redactor(None).rewrite(text),
            "[redacted:token] and [redacted:token], ask [redacted:mail]"
        );
        assert!(matches!(redactor(None).rewrite("nothing"), Cow::Borrowed("nothing")));
        assert!(Redactor::of(&RedactPolicy::default(), None).is_none());
    }

    #[test]
    fn with_a_key_the_omission_can_be_shown() {
        let (one, other) = (redactor(Some("a-long-key")), redactor(Some("another-key")));
        let signed = one.rewrite("tok_abc");
        assert_eq!(signed, one.rewrite("tok_abc"));
        assert_ne!(signed, one.rewrite("tok_abd"));
        assert_ne!(signed, other.rewrite("tok_abc"));
        assert_eq!(signed.len(), "[redacted:token:]".len() + DIGITS);
    }

    #[test]
    fn rows_are_rewritten_as_they_are_read_and_names_are_not() {
        let line = json!({"messages": [
            {"role": "user", "content": "use tok_abc"},
            {"role": "assistant", "content": "done", "tool_calls": [
                {"id": "c", "function": {"name": "f", "arguments": "{\"tok_arg\": \"tok_abc\"}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": "tok_abc"},
            {"role": "assistant", "content": "mailed a@b"},
        ]});
        let text = line.to_string();
        let options =
            ReadOptions { rewrite: Some(Arc::new(redactor(None))), ..ReadOptions::default() };
        let read: Session<Rewriting<Records>> =
            quittance_hosts::read(std::io::Cursor::new(text.as_bytes()), options).unwrap();
        let mut session = read.map_rows(|rewriting| rewriting.rows);
        redactor(None).turn(&mut session);
        let rows = serde_json::to_string(&session.turn.rows.0).unwrap();
        assert!(!rows.contains("tok_abc") && rows.contains("tok_arg"), "{rows}");
        assert_eq!(session.turn.task, "use [redacted:token]");
        assert_eq!(session.turn.candidate(), "mailed [redacted:mail]");
    }
}
