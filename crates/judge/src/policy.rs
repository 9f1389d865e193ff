//! What the host declared for a run: who may adjudicate, how often, and by which model.
//!
//! Nothing here decides. The plan of a boundary follows from it ([`crate::plan`]).

mod cadence;
mod done_contract;
mod goal;
mod judge;

use std::collections::BTreeSet;

use quittance_evidence::contract::Contract;
use serde::{Deserialize, Serialize};

pub use cadence::{Cadence, CadenceReading, When};
pub use done_contract::{DoneContract, claim_fragment};
pub use goal::{Criterion, GoalSpec};
pub use judge::{ConfigError, JudgeConfig, Precheck, PrecheckFact, Tuning};

use crate::gate::Gate;

/// Which of the two judges. The verification judge runs at every boundary, the completion judge
/// where a run proposes to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there are two")]
pub enum Slot {
    /// The first.
    Verification,
    /// The second.
    Completion,
}

impl Slot {
    /// Both, in the order in which they are asked.
    pub const ALL: [Self; 2] = [Self::Verification, Self::Completion];

    /// The product's word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verification => "verification",
            Self::Completion => "completion",
        }
    }

    /// The original's option, which receipts name.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::Verification => "verify_completion_judge",
            Self::Completion => "turn_end_condition",
        }
    }
}

/// One thing for each of the two judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerSlot<T> {
    /// The verification judge's.
    pub verification: T,
    /// The completion judge's.
    pub completion: T,
}

impl<T> PerSlot<T> {
    /// A slot's.
    pub const fn get(&self, slot: Slot) -> &T {
        match slot {
            Slot::Verification => &self.verification,
            Slot::Completion => &self.completion,
        }
    }

    /// A slot's, to change.
    pub const fn get_mut(&mut self, slot: Slot) -> &mut T {
        match slot {
            Slot::Verification => &mut self.verification,
            Slot::Completion => &mut self.completion,
        }
    }
}

/// The deterministic stage, if any.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Closure {
    /// None is declared.
    #[default]
    None,
    /// A host's own, which answers for itself.
    Host,
    /// Ours, which is told facts.
    Gate(Gate),
}

/// How closely a model catalog wants the actor's model watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Whether a sentinel that the deterministic stage let pass needs no verification judge.
    pub is_light: bool,
    /// How often the verification judge may be asked, when its own configuration does not say.
    pub max_judge_calls: Option<i64>,
}

/// What a model catalog knows of judges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// The judge model of each slot's provider family, where the catalog names one.
    pub role_models: PerSlot<Option<String>>,
    /// Models that cannot write a reply, only label.
    pub label_only: BTreeSet<String>,
}

/// Everything declared for a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    /// The deterministic stage.
    pub closure: Closure,
    /// The judges.
    pub judges: PerSlot<Option<JudgeConfig>>,
    /// The marker by which the agent says that it is done, which no judge can observe.
    pub done_sentinel: String,
    /// What a judge without a rubric of its own is given.
    pub rubric: String,
    /// How closely to look.
    pub review: Review,
    /// What models there are.
    pub catalog: Catalog,
    /// Whether an answer without a letter or a digit is refused before any judge is asked: judges
    /// were seen to approve of a lone colon.
    pub refuses_empty_answers: bool,
    /// Rows that were declared and that no judge is there to assess. They stay open: nothing is
    /// verified or accepted over them, and nobody is refused for what nobody can look at.
    pub unassessed: Option<Contract>,
}

/// How often the verification judge may be asked of one run when nobody says: each veto is a paid
/// call, and a model that never satisfies it would otherwise go on.
pub const DEFAULT_VERIFICATION_CAP: i64 = 5;

impl Policy {
    /// How often a slot's judge may be asked; none without a limit.
    #[must_use]
    pub fn cap(&self, slot: Slot) -> Option<u64> {
        let configured = self.judges.get(slot).as_ref()?.max_invocations;
        let cap = match slot {
            Slot::Verification => {
                configured.or(self.review.max_judge_calls).unwrap_or(DEFAULT_VERIFICATION_CAP)
            }
            Slot::Completion => configured?,
        };
        u64::try_from(cap).ok().filter(|cap| *cap > 0)
    }

    /// The model a slot's judge grades with. Never the actor's own: a run graded by the model
    /// that made it is asked the same question twice.
    #[must_use]
    pub fn model(&self, slot: Slot) -> Model {
        let named = |name: Option<&String>| {
            name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty())
        };
        let config = self.judges.get(slot).as_ref();
        let configured = named(config.and_then(|config| config.model.as_ref()));
        let (name, source) = match configured {
            Some(name) => (name, ModelSource::JudgeConfig),
            None => match named(self.catalog.role_models.get(slot).as_ref()) {
                Some(name) => (name, ModelSource::CatalogRole),
                None => return Model::Unconfigured,
            },
        };
        if self.catalog.label_only.contains(&name) {
            Model::SchemaUnsupported { name, source }
        } else {
            Model::Named { name, source }
        }
    }
}

/// Where a judge's model comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum ModelSource {
    /// The judge's own configuration.
    JudgeConfig,
    /// The catalog's judge for the provider family.
    CatalogRole,
}

impl ModelSource {
    /// The source's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JudgeConfig => "judge_config",
            Self::CatalogRole => "catalog_role",
        }
    }
}

/// A judge's model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Model {
    /// This one.
    Named {
        /// Its name.
        name: String,
        /// Who named it.
        source: ModelSource,
    },
    /// Nobody names one.
    Unconfigured,
    /// The one named cannot write a reply.
    SchemaUnsupported {
        /// Its name.
        name: String,
        /// Who named it.
        source: ModelSource,
    },
}
