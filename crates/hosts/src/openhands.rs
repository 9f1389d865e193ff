//! OpenHands: how it speaks with its hook, and where the hook is named. As documented.

pub(crate) mod hook;
pub(crate) mod sample;
pub(crate) mod settings;
