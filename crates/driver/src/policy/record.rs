//! The effective policy as a receipt holds it, and where each part came from.

use std::collections::BTreeMap;

use quittance_artifacts::Declared;
use quittance_evidence::canonical::Digest;
use quittance_evidence::contract::Contract;
use quittance_hosts::ToolPolicy;
use quittance_judge::policy::PerSlot;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    ContractPolicy, GatePolicy, HookPolicy, JudgePolicy, Policy, PolicyError, RedactPolicy,
    StopPolicy, VerifyPolicy,
};

/// Where a part of the effective policy came from. Never a path: the same run gives the same
/// receipt on any machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a receipt's reader must tell all of them apart")]
pub enum Origin {
    /// Nobody said anything.
    #[default]
    Default,
    /// The policy file.
    File,
    /// The command line.
    Flag,
    /// The user's own configuration.
    User,
}

/// A policy, and where each of its parts came from.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EffectivePolicy {
    /// The policy.
    pub policy: Policy,
    /// By section; one that is not named is as nobody said anything.
    pub origins: BTreeMap<String, Origin>,
    /// How far a hook trusts it; none where nobody asked.
    pub trust: Option<Trust>,
}

/// How far a hook trusts the policy of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a receipt's reader must tell all of them apart")]
pub enum Trust {
    /// There is no policy: nothing is declared.
    NothingDeclared,
    /// The trusted copy is the file as it stands.
    Trusted,
    /// The trusted copy is obeyed; the file says something else, is gone, or another stands nearer.
    PolicyChanged,
    /// There is a file and no trusted copy of it: nothing of it is obeyed.
    PolicyUntrusted,
}

/// Why the policy of a receipt cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("read the receipt's policy: {0}")]
pub struct RecordError(String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    contract: RecordedContract,
    verify: Option<VerifyPolicy>,
    gate: GatePolicy,
    judge: PerSlot<Option<JudgePolicy>>,
    stop: StopPolicy,
    tools: ToolPolicy,
    hook: HookPolicy,
    redact: RedactPolicy,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedContract {
    artifacts: Declared,
    required_tools: Vec<String>,
    requirements: Value,
}

impl EffectivePolicy {
    /// Reads the text of a policy file; each section that stands in it came from the file.
    ///
    /// # Errors
    /// On the first thing in it that cannot be read or is not known.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let policy = Policy::parse(text)?;
        let root = toml::de::DeTable::parse(text).ok();
        let named = root.iter().flat_map(|root| root.get_ref().keys());
        let sections = named.map(|key| key.get_ref().to_string()).filter(|key| key != "version");
        Ok(Self { policy, origins: sections.map(|key| (key, Origin::File)).collect(), trust: None })
    }

    /// The record of a receipt. The ledger's place is not part of it, nor a tape's.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let effective = sections(&self.policy);
        json!({
            "digest": Digest::of(&effective).to_string(),
            "effective": effective,
            "origins": self.origins,
            "trust": self.trust,
        })
    }

    /// Reads the record of a receipt back.
    ///
    /// # Errors
    /// When it is not one.
    pub fn from_value(record: &Value) -> Result<Self, RecordError> {
        let field = |key: &str| record.get(key).cloned().unwrap_or_default();
        let recorded: Recorded = serde_json::from_value(field("effective")).map_err(unreadable)?;
        let requirements =
            Contract::from_value(&recorded.contract.requirements).map_err(unreadable)?;
        let contract = ContractPolicy {
            artifacts: recorded.contract.artifacts,
            required_tools: recorded.contract.required_tools,
            requirements,
        };
        let policy = Policy {
            contract,
            verify: recorded.verify,
            gate: recorded.gate,
            judges: recorded.judge,
            stop: recorded.stop,
            tools: recorded.tools,
            hook: recorded.hook,
            redact: recorded.redact,
            ..Policy::default()
        };
        let origins = serde_json::from_value(field("origins")).map_err(unreadable)?;
        let trust = serde_json::from_value(field("trust")).map_err(unreadable)?;
        Ok(Self { policy, origins, trust })
    }
}

fn unreadable(error: impl std::fmt::Display) -> RecordError {
    RecordError(error.to_string())
}

fn sections(policy: &Policy) -> Value {
    let contract = &policy.contract;
    json!({
        "contract": {
            "artifacts": contract.artifacts,
            "required_tools": contract.required_tools,
            "requirements": contract.requirements,
        },
        "verify": policy.verify,
        "gate": policy.gate,
        "judge": policy.judges,
        "stop": policy.stop,
        "tools": policy.tools,
        "hook": policy.hook,
        "redact": policy.redact,
    })
}
