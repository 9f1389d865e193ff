//! How a double is spelled: shortest digits that read back equal, in a layout we own.
//!
//! Libraries have changed this layout between releases (`1e16` became `1e+16`), which would move
//! every digest over such a number; so only the digits come from the standard library.

/// Spells a double: plain decimal within `[1e-5, 1e16)`, exponent form with an explicit sign
/// outside, `null` for what JSON cannot hold.
pub(super) fn spell(value: f64) -> String {
    if !value.is_finite() {
        return "null".to_owned();
    }
    let magnitude = value.abs();
    if value == 0.0 || (1e-5..1e16).contains(&magnitude) {
        // `{:?}` may itself choose an exponent, `{}` never does.
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let scientific = format!("{value:e}");
    match scientific.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => scientific,
    }
}

#[cfg(test)]
mod tests {
    use super::spell;

    #[test]
    fn layout_of_every_band() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.00001, "0.00001"),
            (0.000_015, "0.000015"),
            (1e-7, "1e-7"),
            (5e-324, "5e-324"),
            (9_990_000_000_000_000.0, "9990000000000000.0"),
            (1e16, "1e+16"),
            (-1.5e16, "-1.5e+16"),
            (f64::MAX, "1.7976931348623157e+308"),
            (0.967_080_911_245_633_7, "0.9670809112456337"),
            (f64::NAN, "null"),
            (f64::INFINITY, "null"),
        ] {
            assert_eq!(spell(value), text);
        }
    }
}
