//! Where Codex names its hooks. Measured with 0.171.0.
//!
//! It reads `hooks.json` and `[hooks]` of its `config.toml`; we write the former, which holds
//! nothing else, and leave the latter to its trust.

use crate::settings::{Location, Nesting, Rules, Shell, Timeout};

/// The file, beside the `config.toml` that holds its trust.
const FILE: &str = "hooks.json";

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".codex", FILE),
    user: Location::new(".codex", FILE).or_in("CODEX_HOME"),
    nesting: Nesting::Grouped,
    versioned: false,
    commands: &[("command", Shell::Posix)],
    timeout: Timeout::seconds("timeout"),
    beside: &[],
    off: None,
};
