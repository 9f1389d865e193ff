//! Where Cursor names its hooks. As documented.

use crate::settings::{Beside, Location, Nesting, Rules, Shell, Timeout};

/// How often Cursor goes on by itself. Five where nothing is said, which is less than the seven
/// refusals a policy may allow: the host's limit would end a run before ours says `unverified`.
const LOOP_LIMIT: u64 = 8;

pub(crate) const RULES: Rules = Rules {
    project: Location::new(".cursor", "hooks.json"),
    user: Location::new(".cursor", "hooks.json"),
    nesting: Nesting::Flat,
    versioned: true,
    commands: &[("command", Shell::Posix)],
    timeout: Timeout::seconds("timeout"),
    beside: &[("loop_limit", Beside::Number(LOOP_LIMIT))],
    off: None,
};
