//! Where OpenHands names its hooks. As its published source has it.

use crate::settings::{Location, Nesting, Rules, Shell, Timeout};

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".openhands", "hooks.json"),
    // Read only where the project has none.
    user: Location::new(".openhands", "hooks.json"),
    nesting: Nesting::Grouped,
    versioned: false,
    commands: &[("command", Shell::Posix)],
    // 60 s where nothing is said.
    timeout: Timeout::seconds("timeout"),
    beside: &[],
    off: None,
};
