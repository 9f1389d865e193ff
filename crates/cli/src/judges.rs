//! The judges that a policy names, made ready to be asked.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use quittance_driver::judge::Judge;
use quittance_driver::judge::provider::ProviderJudge;
use quittance_driver::judge::route::Route;
use quittance_driver::judge::tape::TapeJudge;
use quittance_driver::policy::{JudgePolicy, JudgeSource};
use quittance_driver::{Policy, UserConfig};
use quittance_judge::policy::{PerSlot, Slot, Tuning};

use crate::exit::Failure;
use crate::processes::Processes;

/// A judge for each slot that has one.
pub(crate) struct Judges {
    slots: PerSlot<Option<Arc<dyn Judge>>>,
    /// Tapes being played: two slots that name one file take turns on it.
    tapes: Vec<(PathBuf, Arc<TapeJudge>)>,
}

impl Judges {
    /// Makes ready whom the policy names. A tape is looked for from the root.
    pub(crate) fn of(
        policy: &Policy,
        root: &Path,
        user: &UserConfig,
        processes: &Processes,
    ) -> Result<Self, Failure> {
        let mut judges = Self { slots: PerSlot::default(), tapes: Vec::new() };
        for slot in Slot::ALL {
            let Some(declared) = policy.judges.get(slot) else { continue };
            let judge = match &declared.source {
                JudgeSource::Tape { file } => judges.tape(&root.join(file))?,
                JudgeSource::Command { command } => processes.judge(command),
                JudgeSource::Provider { .. } => Arc::new(provider(slot, declared, user)?),
            };
            *judges.slots.get_mut(slot) = Some(judge);
        }
        Ok(judges)
    }

    /// Nobody.
    pub(crate) fn none() -> Self {
        Self { slots: PerSlot::default(), tapes: Vec::new() }
    }

    /// The judges as a boundary takes them.
    pub(crate) fn slots(&self) -> PerSlot<Option<&dyn Judge>> {
        let judge = |slot| self.slots.get(slot).as_deref();
        PerSlot { verification: judge(Slot::Verification), completion: judge(Slot::Completion) }
    }

    fn tape(&mut self, file: &Path) -> Result<Arc<dyn Judge>, Failure> {
        if let Some((_, tape)) = self.tapes.iter().find(|(known, _)| known == file) {
            return Ok(Arc::<TapeJudge>::clone(tape));
        }
        let tape = TapeJudge::read(file).map_err(|error| Failure::Tape(error.to_string()))?;
        let tape = Arc::new(tape);
        self.tapes.push((file.to_owned(), Arc::clone(&tape)));
        Ok(tape)
    }
}

/// The judge behind an API that a slot names.
pub(crate) fn provider(
    slot: Slot,
    declared: &JudgePolicy,
    user: &UserConfig,
) -> Result<ProviderJudge, Failure> {
    let JudgeSource::Provider { provider, base_url } = &declared.source else {
        return Err(unusable(slot, &"it has no provider"));
    };
    let route = Route::new(provider.as_deref(), base_url.as_deref());
    let route = route.map_err(|error| unusable(slot, &error))?;
    // A key that cannot be had is the judge's answer, so that the receipt says so.
    let key = user.key_for(&route, |name| std::env::var_os(name));
    let judge = ProviderJudge::new(route, key, &Tuning::default());
    judge.map_err(|error| unusable(slot, &error))
}

fn unusable(slot: Slot, cause: &dyn std::fmt::Display) -> Failure {
    Failure::Judge { slot: slot.as_str(), cause: cause.to_string() }
}
