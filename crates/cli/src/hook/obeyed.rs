//! Which policy a hook obeys: the copy that the user trusts, or none.

use std::path::{Path, PathBuf};

use quittance_driver::EffectivePolicy;
use quittance_driver::policy::{Trust, locate};

use super::Undecided;
use crate::folders::Folders;
use crate::ledger_place;
use crate::trust::Trusted;

/// What is obeyed, and where.
pub(crate) struct Obeyed {
    pub(crate) policy: EffectivePolicy,
    /// Where declared paths and the verifier start; also what the ledger is found by.
    pub(crate) root: PathBuf,
}

/// The policy for a hook that works in a folder.
pub(crate) fn policy(work: &Path, folders: &Folders) -> Result<Obeyed, Undecided> {
    let failed = |error: &dyn std::fmt::Display| Undecided::new("policy_unreadable", error);
    let home = std::env::home_dir();
    let Some(kept) = Trusted::of(folders).nearest(work).map_err(|error| failed(&error))? else {
        let file = locate(work, home.as_deref());
        let declared = if file.is_some() { Trust::PolicyUntrusted } else { Trust::NothingDeclared };
        let mut policy = EffectivePolicy::default();
        policy.trust = Some(declared);
        return Ok(Obeyed { policy, root: ledger_place::project(work, home.as_deref()) });
    };
    let mut policy = EffectivePolicy::parse(&kept.text).map_err(|error| failed(&error))?;
    policy.trust = Some(if kept.is_changed { Trust::PolicyChanged } else { Trust::Trusted });
    Ok(Obeyed { policy, root: kept.root })
}
