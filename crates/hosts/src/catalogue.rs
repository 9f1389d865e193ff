//! What the tools of a host do, and what a policy file adds to it.
//!
//! A host's folder holds the table; this file reads it, for evidence (which tool observes, which
//! mutates) and for write facts (which call may have written, and where).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quittance_evidence::ToolCatalogue;
use quittance_evidence::semantics::ActionRole;
use quittance_evidence::transcript::Call;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::commands;
use crate::options::{ReadOptions, Rewrite};
use crate::patch;
use crate::writes::WriteKind;

/// What a policy file says about tools.
///
/// Commands are compared whole, trimmed: a pipe, a list, a redirection, a substitution or a further
/// argument makes another command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolPolicy {
    /// By tool, the commands that make a call a verification.
    pub verify: BTreeMap<String, BTreeSet<String>>,
    /// By tool, further commands that change nothing.
    pub read_only: BTreeMap<String, BTreeSet<String>>,
}

impl ToolPolicy {
    /// Adds a command of a tool that verifies.
    #[must_use]
    pub fn with_verify(mut self, tool: &str, command: &str) -> Self {
        insert(&mut self.verify, tool, command);
        self
    }

    /// Adds a command of a tool that changes nothing.
    #[must_use]
    pub fn with_read_only(mut self, tool: &str, command: &str) -> Self {
        insert(&mut self.read_only, tool, command);
        self
    }
}

fn insert(commands: &mut BTreeMap<String, BTreeSet<String>>, tool: &str, command: &str) {
    commands.entry(tool.to_owned()).or_default().insert(command.trim().to_owned());
}

/// What a tool does, as its host's table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ToolKind {
    /// Reads what is there.
    Read,
    /// Looks for something.
    Search,
    /// Gets something from a network.
    Fetch,
    /// Changes a file that its arguments name.
    Edit,
    /// Changes the files that a patch among its arguments names.
    Patch,
    /// Runs a command.
    Command,
    /// Types into a command that runs; without anything typed it only looks.
    Input,
    /// Runs a script whose own calls the record shows; its reader says where it shows none.
    Script,
    /// Hands work to another agent or moves the agent to another work tree.
    Delegate,
    /// Asks a person and waits.
    Ask,
    /// Changes only the host's own state: plans, timers, tasks.
    Host,
}

impl ToolKind {
    /// The annotations `quittance-evidence` reads: `kind` and `side_effect_level`.
    const fn annotations(self) -> (&'static str, &'static str) {
        match self {
            Self::Read => ("read", "none"),
            Self::Search => ("search", "none"),
            Self::Fetch => ("fetch", "network_read"),
            Self::Edit | Self::Patch => ("edit", "workspace_write"),
            Self::Command | Self::Input | Self::Script => ("execute", "process"),
            Self::Delegate => ("delegate", "process"),
            Self::Ask => ("ask", "none"),
            Self::Host => ("host", "host_state"),
        }
    }
}

/// One tool of a host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) kind: ToolKind,
    /// The arguments that may name the path it changes, the first present one counts.
    pub(crate) paths: &'static [&'static str],
}

/// What one call did to the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each field is what its type says")]
pub enum Effect {
    /// Nothing.
    None,
    /// It wrote, or may have: to these paths, or, where there are none, nobody knows where.
    Wrote { kind: WriteKind, paths: Vec<String> },
}

/// The tools of a run's host under a policy.
#[derive(Clone, Debug)]
pub struct Catalogue {
    tools: BTreeMap<&'static str, Tool>,
    /// What the record itself says of its tools, where it says it.
    recorded: Option<(Value, ToolCatalogue)>,
    policy: ToolPolicy,
    rewrite: Option<Arc<dyn Rewrite>>,
}

/// The arguments that may name the path a tool of a recorded registry changes.
const PATHS: [&str; 3] = ["path", "file_path", "file"];
/// The argument that holds a command.
const COMMAND: &str = "command";

impl Catalogue {
    pub(crate) fn new(tools: &[Tool], options: &ReadOptions) -> Self {
        Self {
            tools: tools.iter().map(|tool| (tool.name, *tool)).collect(),
            recorded: None,
            policy: options.tools.clone(),
            rewrite: options.rewrite.clone(),
        }
    }

    /// The tools of a record that annotates them itself, as a registry.
    pub(crate) fn recorded(registry: Value, options: &ReadOptions) -> Self {
        let known = ToolCatalogue::from_value(&registry, &Value::Null);
        Self { recorded: Some((registry, known)), ..Self::new(&[], options) }
    }

    /// What changes the texts of a row before anything rests on them, if anything does.
    #[must_use]
    pub fn rewrite(&self) -> Option<&Arc<dyn Rewrite>> {
        self.rewrite.as_ref()
    }

    /// The tools as a registry of annotated entries, as `quittance-evidence` reads one.
    #[must_use]
    pub fn registry(&self) -> Value {
        if let Some((registry, _)) = &self.recorded {
            return registry.clone();
        }
        let entry = |tool: &Tool| {
            let (kind, level) = tool.kind.annotations();
            json!({"name": tool.name, "annotations": {"kind": kind, "side_effect_level": level}})
        };
        Value::Array(self.tools.values().map(entry).collect())
    }

    /// By tool, the commands that make a call a verification.
    #[must_use]
    pub const fn verifying(&self) -> &BTreeMap<String, BTreeSet<String>> {
        &self.policy.verify
    }

    /// What a call did to the workspace.
    #[must_use]
    pub fn effect(&self, tool: &str, args: &Map<String, Value>) -> Effect {
        let Some(known) = self.tools.get(tool) else {
            return self.recorded_effect(tool, args);
        };
        match known.kind {
            ToolKind::Read
            | ToolKind::Search
            | ToolKind::Fetch
            | ToolKind::Ask
            | ToolKind::Host
            | ToolKind::Script => Effect::None,
            ToolKind::Edit => {
                Effect::Wrote { kind: WriteKind::Edit, paths: first_text(args, known.paths) }
            }
            ToolKind::Patch => {
                Effect::Wrote { kind: WriteKind::Edit, paths: patch::paths(args, known.paths) }
            }
            ToolKind::Delegate => Effect::Wrote { kind: WriteKind::Delegate, paths: Vec::new() },
            ToolKind::Input if types_nothing(args) => Effect::None,
            ToolKind::Command if self.only_reads(tool, args) => Effect::None,
            ToolKind::Command | ToolKind::Input => {
                Effect::Wrote { kind: WriteKind::Command, paths: Vec::new() }
            }
        }
    }

    /// What the record's own annotations say of a tool; where they say nothing, it may have written.
    fn recorded_effect(&self, tool: &str, args: &Map<String, Value>) -> Effect {
        let call = Call { id: String::new(), name: tool.to_owned(), args: args.clone() };
        let semantics = self.recorded.as_ref().map(|(_, known)| known.semantics(&call));
        match semantics {
            Some(semantics) if semantics.read_only => Effect::None,
            Some(semantics) if semantics.evidence_role == ActionRole::Mutation => {
                Effect::Wrote { kind: WriteKind::Edit, paths: first_text(args, &PATHS) }
            }
            _ => Effect::Wrote { kind: WriteKind::Unknown, paths: Vec::new() },
        }
    }

    /// The command of a call that the policy names as a verification.
    #[must_use]
    pub fn verification<'a>(&self, tool: &str, args: &'a Map<String, Value>) -> Option<&'a str> {
        let command = command(args)?;
        self.policy.verify.get(tool)?.contains(command).then_some(command)
    }

    /// Whether a call waits for a person.
    #[must_use]
    pub fn asks(&self, tool: &str) -> bool {
        self.is(tool, ToolKind::Ask)
    }

    /// Whether a tool runs commands.
    pub(crate) fn runs_commands(&self, tool: &str) -> bool {
        self.is(tool, ToolKind::Command)
    }

    fn is(&self, tool: &str, kind: ToolKind) -> bool {
        self.tools.get(tool).is_some_and(|known| known.kind == kind)
    }

    fn only_reads(&self, tool: &str, args: &Map<String, Value>) -> bool {
        let declared = self.policy.read_only.get(tool);
        command(args).is_some_and(|command| {
            commands::is_read_only(command)
                || declared.is_some_and(|declared| declared.contains(command))
        })
    }
}

fn command(args: &Map<String, Value>) -> Option<&str> {
    args.get(COMMAND).and_then(Value::as_str).map(str::trim)
}

/// The argument that holds what is typed into a command.
const TYPED: &str = "chars";

fn types_nothing(args: &Map<String, Value>) -> bool {
    args.get(TYPED).is_none_or(|typed| typed.as_str().is_some_and(str::is_empty))
}

/// The first of these arguments that is a text; at most one.
fn first_text(args: &Map<String, Value>, keys: &[&str]) -> Vec<String> {
    let text = keys.iter().find_map(|key| args.get(*key).and_then(Value::as_str));
    text.map(str::to_owned).into_iter().collect()
}
