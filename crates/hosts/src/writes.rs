//! What a run wrote, or may have written, and what it last checked.
//!
//! A write is any call of a tool that writes, and any command that is not known as a whole to only
//! read; a tool nobody knows may have written. Calls are gathered by tool and path, so that the
//! list is bounded by what was touched and not by how often.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::source::LineNumber;

/// How it is known that a call wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a gate must say of each kind whether it counts")]
pub enum WriteKind {
    /// The tool changes a file named in its arguments.
    Edit,
    /// The tool runs a command that may change anything.
    Command,
    /// The tool hands work to another agent, whose writes stand elsewhere.
    Delegate,
    /// The tool is not known.
    Unknown,
}

impl WriteKind {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Command => "command",
            Self::Delegate => "delegate",
            Self::Unknown => "unknown",
        }
    }
}

/// Where in the tree of lines a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there is no third place")]
pub enum Chain {
    /// On the chain of parents from the last line.
    On,
    /// On a branch that was left, in a sub-agent, or in an earlier turn: no evidence of the turn at
    /// hand, but its write is a write.
    Off,
}

impl Chain {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
        }
    }
}

/// What one tool wrote to one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Write {
    /// The tool's name.
    pub tool: String,
    /// The path as the call wrote it, where the tool names one.
    pub path: Option<String>,
    /// How it is known.
    pub kind: WriteKind,
    /// Where the calls stand.
    pub chain: Chain,
    /// How many calls.
    pub calls: u64,
    /// How many of them the host says went well.
    pub succeeded: u64,
    /// The line of the first call.
    pub first: LineNumber,
    /// The line of the last call or of its result, whichever is later.
    pub last: LineNumber,
}

/// Which calls belong together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct WriteKey {
    pub(crate) tool: String,
    pub(crate) path: Option<String>,
    pub(crate) kind: WriteKind,
    pub(crate) chain: Chain,
}

/// The writes of a turn or of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writes {
    by_key: BTreeMap<WriteKey, Write>,
}

impl Writes {
    /// The writes, by tool and path.
    pub fn iter(&self) -> impl Iterator<Item = &Write> {
        self.by_key.values()
    }

    /// Whether nothing was written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_key.is_empty()
    }

    /// The line of the latest write.
    #[must_use]
    pub fn last(&self) -> Option<LineNumber> {
        self.by_key.values().map(|write| write.last).max()
    }

    /// The writes as a list of records.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let rows = self.iter().map(|write| {
            json!({
                "tool": write.tool,
                "path": write.path,
                "kind": write.kind.as_str(),
                "chain": write.chain.as_str(),
                "calls": write.calls,
                "succeeded": write.succeeded,
                "first_line": write.first.0,
                "last_line": write.last.0,
            })
        });
        Value::Array(rows.collect())
    }

    /// Counts a call.
    pub(crate) fn call(&mut self, key: &WriteKey, line: LineNumber) {
        let write = self.by_key.entry(key.clone()).or_insert_with(|| Write {
            tool: key.tool.clone(),
            path: key.path.clone(),
            kind: key.kind,
            chain: key.chain,
            calls: 0,
            succeeded: 0,
            first: line,
            last: line,
        });
        write.calls += 1;
        write.last = write.last.max(line);
    }

    /// Counts the answer to a call.
    pub(crate) fn answer(&mut self, key: &WriteKey, line: LineNumber, succeeded: bool) {
        if let Some(write) = self.by_key.get_mut(key) {
            write.succeeded += u64::from(succeeded);
            write.last = write.last.max(line);
        }
    }

    /// Adds what a turn wrote that is now an earlier one: no evidence of the turn at hand, so on no
    /// chain of its.
    pub(crate) fn absorb(&mut self, turn: &Self) {
        for (key, write) in &turn.by_key {
            let key = WriteKey { chain: Chain::Off, ..key.clone() };
            match self.by_key.get_mut(&key) {
                Some(known) => {
                    known.calls += write.calls;
                    known.succeeded += write.succeeded;
                    known.first = known.first.min(write.first);
                    known.last = known.last.max(write.last);
                }
                None => {
                    let write = Write { chain: Chain::Off, ..write.clone() };
                    self.by_key.insert(key, write);
                }
            }
        }
    }
}

/// What the host's typed fields say of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "only `Ok` may ever count as a pass")]
pub enum ObservedOutcome {
    /// It went well.
    Ok,
    /// It failed.
    Error,
    /// It ended, and nothing says how.
    Unknown,
    /// No result is in the record.
    Unanswered,
}

impl ObservedOutcome {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Unknown => "unknown",
            Self::Unanswered => "unanswered",
        }
    }
}

/// The last call whose whole command the policy names as a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Observed {
    /// The tool that ran it.
    pub tool: String,
    /// The command, trimmed.
    pub command: String,
    /// The line of the call.
    pub line: LineNumber,
    /// How it ended.
    pub outcome: ObservedOutcome,
    /// The exit code, where the line shows one.
    pub exit_code: Option<i64>,
    /// Whether anything was written, or may have been, since it began: then it is stale.
    pub written_since: bool,
}

/// The `data` of a tool result row: the only keys it may have.
pub(crate) fn result_data(changed: Option<&str>, exit_code: Option<i64>) -> Map<String, Value> {
    result_data_of(changed, exit_code)
}

/// As [`result_data`], of a call that may have changed several files.
pub(crate) fn result_data_of<'a>(
    changed: impl IntoIterator<Item = &'a str>,
    exit_code: Option<i64>,
) -> Map<String, Value> {
    let changed: Vec<&str> = changed.into_iter().collect();
    let changed = Some(changed).filter(|changed| !changed.is_empty());
    let changed = changed.map(|paths| ("changed_paths".to_owned(), json!(paths)));
    let exit_code = exit_code.map(|code| ("exit_code".to_owned(), json!(code)));
    changed.into_iter().chain(exit_code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(path: &str, chain: Chain) -> WriteKey {
        WriteKey { tool: "Write".into(), path: Some(path.into()), kind: WriteKind::Edit, chain }
    }

    #[test]
    fn gathers_by_tool_and_path() {
        let mut writes = Writes::default();
        writes.call(&key("a", Chain::On), LineNumber(3));
        writes.call(&key("a", Chain::On), LineNumber(5));
        writes.answer(&key("a", Chain::On), LineNumber(9), true);
        writes.call(&key("a", Chain::Off), LineNumber(4));
        let mut all = Writes::default();
        all.absorb(&writes);
        all.absorb(&writes);
        assert_eq!(all.last(), Some(LineNumber(9)));
        let seen = |writes: &Writes| -> Vec<_> {
            writes.iter().map(|write| (write.chain, write.calls, write.succeeded)).collect()
        };
        assert_eq!(seen(&writes), [(Chain::On, 2, 1), (Chain::Off, 1, 0)]);
        assert_eq!(seen(&all), [(Chain::Off, 6, 2)]);
    }
}
