//! Gemini CLI: how it speaks with its hook, and where the hook is named.

pub(crate) mod hook;
pub(crate) mod settings;
