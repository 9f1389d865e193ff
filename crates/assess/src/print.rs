//! An assessment as JSON: the bytes the original prints, key for key.

use std::fmt::Write as _;

use crate::{
    assessment::{Assessment, Fired},
    check::Check,
    json::{Text, quote},
    pointer::Pointer,
    source::{Call, Source},
};

impl Assessment<'_> {
    /// Writes the assessment as compact JSON, in the original's order of keys. What is absent is left
    /// out, never `null`.
    ///
    /// `source` within a reason is reconstructed; a comparison with the original's own output leaves
    /// it out.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// Writes the same at the end of a text, for a caller who prints many.
    pub fn write_json(&self, out: &mut String) {
        let mut json = Json(std::mem::take(out));
        json.assessment(self);
        *out = json.0;
    }
}

/// The text so far.
struct Json(String);

impl Json {
    fn assessment(&mut self, assessment: &Assessment<'_>) {
        self.word("{\"assessment\":", assessment.value().as_str());
        self.word(",\"standing\":", assessment.standing().as_str());
        self.list(",\"reasons\":", assessment.reasons(), Self::fired);
        if let Some(digest) = assessment.support() {
            self.word(",\"support\":{\"kind\":", "answer-validation");
            self.text(",\"reportDigest\":", digest);
            self.0.push('}');
        }
        self.list(",\"checked\":", assessment.checked(), Self::check);
        self.word(",\"turnFrom\":", assessment.turn_from().as_str());
        let kept_out: Vec<_> = assessment.kept_out().collect();
        if !kept_out.is_empty() {
            self.list(",\"keptOut\":", &kept_out, |out, key| out.word("", key.as_str()));
        }
        self.0.push('}');
    }

    fn fired(&mut self, fired: &Fired<'_>) {
        self.word("{\"reason\":", fired.reason.as_str());
        if let Some(layer) = fired.reason.layer() {
            self.number(",\"layer\":", layer.number().into());
        }
        self.list(",\"witness\":", &fired.witness, Self::pointer);
        self.word(",\"source\":{\"kind\":", fired.source.kind().as_str());
        if let Source::Calls { calls, unnamed } = &fired.source {
            self.list(",\"calls\":", calls, Self::call);
            if *unnamed > 0 {
                self.number(",\"unnamed\":", *unnamed);
            }
        }
        self.0.push_str("}}");
    }

    fn call(&mut self, call: &Call<'_>) {
        self.text("{\"toolCallId\":", &call.id);
        if let Some(tool) = &call.tool {
            self.text(",\"toolName\":", tool);
        }
        self.0.push('}');
    }

    fn check(&mut self, check: &Check<'_>) {
        self.number("{\"layer\":", check.name.layer().number().into());
        self.word(",\"check\":", check.name.as_str());
        self.number(",\"ran\":", check.ran);
        self.number(",\"of\":", check.of);
        self.list(",\"witness\":", &check.witness, Self::pointer);
        self.0.push('}');
    }

    fn pointer(&mut self, pointer: &Pointer<'_>) {
        match pointer {
            Pointer::State(place) => {
                self.word("{\"kind\":\"state\",\"key\":", place.key().as_str());
                self.0.push_str(",\"path\":\"");
                // Writing to a string cannot fail.
                let _ = place.write_path(&mut self.0);
                self.0.push_str("\"}");
            }
            Pointer::History { index, call } => {
                let _ = write!(self.0, "{{\"kind\":\"history\",\"index\":{index}");
                match call {
                    Some(call) => self.text(",\"path\":\"/toolCallId\",\"toolCallId\":", call),
                    None => self.word(",\"path\":", "/role"),
                }
                self.0.push('}');
            }
        }
    }

    /// Writes what precedes a word of ours, and the word.
    fn word(&mut self, before: &str, word: &str) {
        self.0.push_str(before);
        self.0.push('"');
        self.0.push_str(word);
        self.0.push('"');
    }

    /// Writes what precedes a text of the record, and the text.
    fn text(&mut self, before: &str, text: &Text<'_>) {
        self.0.push_str(before);
        quote(text.as_bytes(), &mut self.0);
    }

    fn number(&mut self, before: &str, number: u64) {
        let _ = write!(self.0, "{before}{number}");
    }

    fn list<T>(&mut self, before: &str, items: &[T], one: impl Fn(&mut Self, &T)) {
        self.0.push_str(before);
        self.0.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.0.push(',');
            }
            one(self, item);
        }
        self.0.push(']');
    }
}
