//! Where Claude Code names its hooks. Measured with 2.1.332.

use crate::settings::{Location, Nesting, Rules, Shell, Timeout};

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".claude", "settings.json"),
    user: Location::new(".claude", "settings.json").or_in("CLAUDE_CONFIG_DIR"),
    nesting: Nesting::Grouped,
    versioned: false,
    commands: &[("command", Shell::Posix)],
    // 600 s where nothing is said.
    timeout: Timeout::seconds("timeout"),
    beside: &[],
    off: Some("disableAllHooks"),
};
