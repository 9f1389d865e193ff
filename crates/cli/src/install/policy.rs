//! The copy of the project's policy that hooks obey, kept when a hook is put in.
//!
//! Only where there is none yet. A file that says something else than the copy may have been
//! written by an agent since, and installing a hook is no word on that: `quittance trust` is.

use std::path::Path;

use quittance_driver::EffectivePolicy;
use quittance_driver::policy::locate;
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::folders::Folders;
use crate::trust::{self, Trusted};
use crate::{Answer, args, input};

/// What hooks in a project obey.
pub(crate) struct Obeyed {
    pub(crate) policy: EffectivePolicy,
    pub(crate) copy: Copy,
}

/// How the trusted copy stands to the project's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copy {
    /// There is no policy.
    None,
    /// There is a policy, and no copy of it yet.
    New,
    /// The copy is the policy.
    Kept,
    /// The file says something else than the copy, is gone, or stands nearer than it.
    Differs,
}

impl Copy {
    const fn as_str(self) -> &'static str {
        match self {
            Self::None => "no_policy",
            Self::New => "new",
            Self::Kept => "kept",
            Self::Differs => "differs",
        }
    }
}

impl Obeyed {
    /// What hooks obey that work in a folder, once a policy that is new there is trusted.
    pub(crate) fn from(here: &Path, folders: &Folders) -> Result<Self, Failure> {
        let opened = |source| Failure::Open { path: here.to_owned(), source };
        if let Some(kept) = Trusted::of(folders).nearest(here).map_err(opened)? {
            let copy = if kept.is_changed { Copy::Differs } else { Copy::Kept };
            let policy = EffectivePolicy::parse(&kept.text)
                .map_err(|source| Failure::Policy { path: kept.root, source })?;
            return Ok(Self { policy, copy });
        }
        match locate(here, std::env::home_dir().as_deref()) {
            None => Ok(Self { policy: EffectivePolicy::default(), copy: Copy::None }),
            Some(file) => Ok(Self { policy: input::policy_text(&file)?.1, copy: Copy::New }),
        }
    }
}

/// What became of the copy.
pub(crate) struct Keeping {
    pub(crate) document: Value,
    pub(crate) text: String,
}

/// Keeps the copy of a policy that is new, and says what that lets a hook do.
pub(crate) fn keep(copy: Copy, is_dry: bool) -> Result<Keeping, Failure> {
    let said = |label: &str, text: &str| format!("{label:<12}{text}\n");
    let text = match copy {
        Copy::New if !is_dry => {
            let ask = args::Trust { policy: None, revoke: false, json: false };
            let Answer { document, text, .. } = trust::run(&ask)?;
            return Ok(Keeping { document, text });
        }
        Copy::New => said("trusted", "the policy here, once this is no dry run"),
        Copy::Kept => said("trusted", "the policy here, as before"),
        Copy::Differs => said("policy", DIFFERS),
        Copy::None => said("policy", NONE),
    };
    Ok(Keeping { document: json!({"copy": copy.as_str()}), text })
}

const DIFFERS: &str = "it differs from the copy that you trust, which hooks obey; once you have \
                       looked at it, `quittance trust` trusts it";
const NONE: &str = "none here, so a hook here has nothing to go by; `quittance init` writes one";
