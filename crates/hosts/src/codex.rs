//! Codex CLI: how it speaks with its hook, where the hook is named, and how it comes to trust it.

pub(crate) mod hook;
pub(crate) mod settings;
pub(crate) mod trust;
