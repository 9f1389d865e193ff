//! How deep a text nests, before anything of it is built.

/// The deepest nesting that is read: a value is built and dropped by recursion, and this many
/// frames fit any stack.
const LIMIT: usize = 512;

/// Whether a text nests deeper than the limit; of a text that is no JSON the answer is any.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'[' | b'{' if !is_quoted => depth += 1,
            b']' | b'}' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > LIMIT {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn brackets_inside_text_do_not_nest() {
        assert!(!is_too_deep(&format!(r#"{{"a":"\"{}"}}"#, "[".repeat(900))));
        assert!(!is_too_deep(&"[]".repeat(900)));
        assert!(!is_too_deep(&"[".repeat(512)));
        assert!(is_too_deep(&"[".repeat(513)));
    }
}
