//! Where GitHub Copilot CLI names its hooks. As documented.
//!
//! It reads every file of a folder; ours is our own.

use crate::settings::{Location, Nesting, Rules, Shell, Timeout};

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".github", "hooks/quittance.json"),
    user: Location::new(".copilot", "hooks/quittance.json").or_in("COPILOT_HOME"),
    nesting: Nesting::Flat,
    versioned: true,
    commands: &[("bash", Shell::Posix), ("powershell", Shell::PowerShell)],
    // 30 s where nothing is said.
    timeout: Timeout::seconds("timeoutSec"),
    beside: &[],
    off: None,
};
