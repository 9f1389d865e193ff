//! Result blocks inside the text of older request records.
//!
//! `<tool_result name=… id=…>…</tool_result>`, tag in any case, body up to the nearest closing tag.
//! Text of this form is read only from records of type `request`; elsewhere it is just text.

use serde_json::Value;

use super::normalize::content_text;
use crate::value::field;

/// One block.
pub(super) struct Block {
    pub(super) name: String,
    pub(super) tool_call_id: String,
    pub(super) text: String,
}

const OPEN: &str = "<tool_result";
const CLOSE: &str = "</tool_result>";

/// All blocks of a request's user messages, in order.
pub(super) fn result_blocks(record: &Value) -> Vec<Block> {
    let messages = field(record, "messages").and_then(Value::as_array);
    let from_users = messages
        .into_iter()
        .flatten()
        .filter(|message| field(message, "role").and_then(Value::as_str) == Some("user"));
    let mut blocks = Vec::new();
    for message in from_users {
        let text = field(message, "content").map(content_text).unwrap_or_default();
        collect(&text, &mut blocks);
    }
    blocks
}

fn collect(text: &str, blocks: &mut Vec<Block>) {
    let mut rest = text;
    while let Some(after_tag) = after(rest, OPEN) {
        // `<tool_results>` is another tag.
        if after_tag.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            rest = after_tag;
            continue;
        }
        let Some((attributes, body)) = after_tag.split_once('>') else { return };
        let Some(end) = find_ignoring_case(body, CLOSE) else { return };
        blocks.push(block(attributes, body.get(..end).unwrap_or_default()));
        rest = body.get(end + CLOSE.len()..).unwrap_or_default();
    }
}

fn after<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    find_ignoring_case(text, tag).and_then(|start| text.get(start + tag.len()..))
}

/// The tags are ASCII, so byte windows never split a character where they match.
fn find_ignoring_case(text: &str, tag: &str) -> Option<usize> {
    text.as_bytes()
        .windows(tag.len())
        .position(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}

fn block(attributes: &str, body: &str) -> Block {
    let (mut name, mut id, mut call_id) = (None, None, None);
    for (key, value) in self::attributes(attributes) {
        match key {
            "name" => name = Some(value),
            "id" => id = Some(value),
            "tool_call_id" => call_id = Some(value),
            _ => {}
        }
    }
    Block {
        name: name.unwrap_or("unknown").to_owned(),
        tool_call_id: id.or(call_id).unwrap_or_default().to_owned(),
        text: body.trim().to_owned(),
    }
}

/// `key = value` pairs; the value may be quoted and ends at a quote, white space or `>`.
fn attributes(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('=') {
        let key = before.trim_end().rsplit(|c: char| !is_key_char(c)).next().unwrap_or_default();
        let key = key.trim_start_matches(|c: char| c.is_ascii_digit());
        let tail = tail.trim_start();
        let value = tail.strip_prefix(['"', '\'']).unwrap_or(tail);
        let end = value.find(|c: char| matches!(c, '"' | '\'' | '>') || c.is_whitespace());
        let (value, tail) = value.split_at(end.unwrap_or(value.len()));
        if !key.is_empty() && !value.is_empty() {
            pairs.push((key, value));
        }
        rest = tail;
    }
    pairs
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
