//! Where Gemini CLI names its hooks. Measured with 0.61.0.

use crate::settings::{Beside, Location, Nesting, Rules, Shell, Timeout};

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".gemini", "settings.json"),
    user: Location::new(".gemini", "settings.json"),
    nesting: Nesting::Grouped,
    versioned: false,
    commands: &[("command", Shell::Posix)],
    // 60,000 ms where nothing is said.
    timeout: Timeout::milliseconds("timeout"),
    // By which its user is told whose hook ran.
    beside: &[("name", Beside::Text("quittance"))],
    off: None,
};
