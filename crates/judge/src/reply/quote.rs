//! Whether a quoted span is in the evidence that was shown.

use serde_json::Value;

use crate::gap::Gap;

/// The evidence as a judge was shown it, ready to look quotes up in.
#[derive(Clone, Debug)]
pub struct Evidence {
    shown: String,
    decoded: String,
}

/// Stands between decoded strings, so that no quote spans two of them.
const SEPARATOR: char = '\0';

impl Evidence {
    /// The evidence text alone.
    #[must_use]
    pub fn of_text(shown: &str) -> Self {
        Self { shown: collapse(shown), decoded: String::new() }
    }

    /// The evidence text and what its strings say.
    ///
    /// DIFFERENCE: the original looks into the JSON text alone, where `say "hi"` is spelled
    /// `say \"hi\"`, so a faithful copy counts as invented and costs a further question. The
    /// question can only soften a refusal; leaving it out is never more permissive.
    #[must_use]
    pub fn of_packet(shown: &str, packet: &Value) -> Self {
        let mut strings = String::new();
        push_strings(packet, &mut strings);
        Self { shown: collapse(shown), decoded: collapse(&strings) }
    }

    /// The quotes that are not in the evidence, as given. Without evidence none is.
    #[must_use]
    pub fn ungrounded<'a>(&self, gaps: &'a [Gap]) -> Vec<&'a str> {
        if self.shown.is_empty() {
            return Vec::new();
        }
        gaps.iter()
            .map(|gap| gap.evidence_quote.as_str())
            .filter(|quote| {
                let quote = collapse(quote);
                !quote.is_empty() && !self.shown.contains(&quote) && !self.decoded.contains(&quote)
            })
            .collect()
    }
}

fn push_strings(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push_str(text);
            out.push(SEPARATOR);
        }
        Value::Array(items) => items.iter().for_each(|item| push_strings(item, out)),
        Value::Object(fields) => fields.values().for_each(|item| push_strings(item, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Makes each run of spaces, tabs and line ends one space, so that a reflowed copy still matches.
/// Other white space is part of the text.
fn collapse(text: &str) -> String {
    let is_space = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
    let mut out = String::with_capacity(text.len());
    for word in text.trim().split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.trim().to_owned()
}
