//! How deep a line nests, before anything of it is built.

/// The deepest nesting that is read. Real records reach 24; a value is built and dropped by
/// recursion, and this many frames fit any stack.
const LIMIT: usize = 512;

/// Whether a line nests deeper than the limit; of a line that is no JSON the answer is any.
pub(super) fn is_too_deep(line: &[u8]) -> bool {
    // A line with so few opening brackets cannot be deep, and counting them is nearly free.
    openings(line) > LIMIT && deepest(line) > LIMIT
}

/// Counts `[` and `{`, in pieces whose count fits a byte, so that the processor takes many at once.
fn openings(line: &[u8]) -> usize {
    let is_opening = |byte: &u8| u8::from(byte | 0x20 == b'{');
    let pieces = line.chunks(usize::from(u8::MAX));
    pieces.map(|piece| usize::from(piece.iter().map(is_opening).sum::<u8>())).sum()
}

fn deepest(line: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = line.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn skip_string(bytes: &mut std::slice::Iter<'_, u8>) {
    while let Some(byte) = bytes.find(|byte| matches!(byte, b'"' | b'\\')) {
        if *byte == b'"' {
            return;
        }
        bytes.next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_inside_text_do_not_nest() {
        let text = format!(r#"{{"a":"{}\"{}"}}"#, "[".repeat(900), "{".repeat(900));
        assert!(!is_too_deep(text.as_bytes()));
        assert!(!is_too_deep("[]".repeat(900).as_bytes()));
        assert!(!is_too_deep("[".repeat(512).as_bytes()));
        assert!(is_too_deep("[".repeat(513).as_bytes()));
    }
}
