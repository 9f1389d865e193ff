//! Whether a name stands in a folder exactly as it was declared.
//!
//! A file system may find `readme.md` under `README.md`, or a letter composed under its parts. A
//! declaration must hold on every machine, so the entry's own spelling decides.

/// How many entries of a folder are read at most. A quarter of a million take about a tenth of a
/// second; a folder of more says nothing rather than holding up the run's end.
const ENTRIES_MAX: usize = 1 << 18;

/// Another spelling that a folder which ignores case would find as well.
///
/// If the folder does not know it, the folder tells case apart, and a name that it does know is
/// spelled so: one look-up instead of a listing. Only ASCII is known to fold the same everywhere,
/// so any other name, and one without letters, gives nothing and wants the listing.
pub(super) fn rival(name: &[u8]) -> Option<Vec<u8>> {
    let foldable = name.is_ascii() && name.iter().any(u8::is_ascii_alphabetic);
    foldable.then(|| name.iter().map(swapped).collect())
}

fn swapped(byte: &u8) -> u8 {
    if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}

/// What a folder's listing says of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    /// It is there, spelled so.
    Exactly,
    /// It is not there, but this one is, which differs in case only.
    OtherCase(Vec<u8>),
    /// It is not there, but a name that is not UTF-8 and looks like it when decoded lossily is.
    NotUtf8,
    /// Nothing like it is there.
    Nowhere,
    /// There are too many entries to say.
    TooMany,
}

/// A search through a listing, in whatever order it comes.
#[derive(Debug)]
pub(super) struct Search<'n> {
    wanted: &'n [u8],
    left: usize,
    exactly: bool,
    other_case: Option<Vec<u8>>,
    not_utf8: bool,
}

impl<'n> Search<'n> {
    pub(super) fn of(wanted: &'n [u8]) -> Self {
        Self { wanted, left: ENTRIES_MAX, exactly: false, other_case: None, not_utf8: false }
    }

    /// Takes in one entry. Returns whether another could change the answer.
    pub(super) fn see(&mut self, entry: &[u8]) -> bool {
        self.exactly = entry == self.wanted;
        if self.exactly {
            return false;
        }
        match (str::from_utf8(entry), str::from_utf8(self.wanted)) {
            (Ok(entry), Ok(wanted)) if alike(entry, wanted) => self.see_other_case(entry),
            (Err(_), Ok(wanted)) => self.not_utf8 |= String::from_utf8_lossy(entry) == wanted,
            _ => {}
        }
        self.left -= 1;
        self.left > 0
    }

    /// Keeps the first in byte order, so that the listing's order does not show.
    fn see_other_case(&mut self, entry: &str) {
        if self.other_case.as_deref().is_none_or(|kept| entry.as_bytes() < kept) {
            self.other_case = Some(entry.as_bytes().to_vec());
        }
    }

    pub(super) fn answer(self) -> Listed {
        match self {
            Self { exactly: true, .. } => Listed::Exactly,
            Self { left: 0, .. } => Listed::TooMany,
            Self { other_case: Some(found), .. } => Listed::OtherCase(found),
            Self { not_utf8: true, .. } => Listed::NotUtf8,
            Self { .. } => Listed::Nowhere,
        }
    }
}

fn alike(one: &str, other: &str) -> bool {
    one.chars().flat_map(char::to_lowercase).eq(other.chars().flat_map(char::to_lowercase))
}

#[cfg(test)]
mod tests {
    use super::{ENTRIES_MAX, Listed, Search, rival};

    fn search(wanted: &str, entries: &[&[u8]]) -> Listed {
        let mut search = Search::of(wanted.as_bytes());
        let _ = entries.iter().all(|entry| search.see(entry));
        search.answer()
    }

    #[test]
    fn a_rival_differs_in_every_letter() {
        for (name, expected) in [
            ("README.md", Some("readme.MD")),
            ("a", Some("A")),
            ("2024-01", None),
            ("\u{e9}.md", None),
        ] {
            let rival = rival(name.as_bytes());
            assert_eq!(rival.as_deref(), expected.map(str::as_bytes), "{name}");
        }
    }

    #[test]
    fn the_order_of_a_listing_does_not_show() {
        let mut entries: Vec<&[u8]> = vec![b"ReadMe.md", b"readme.md", b"README.MD", b"other"];
        for _ in 0..entries.len() {
            entries.rotate_left(1);
            assert_eq!(search("README.md", &entries), Listed::OtherCase(b"README.MD".to_vec()));
        }
        entries.push(b"README.md");
        assert_eq!(search("README.md", &entries), Listed::Exactly);
    }

    #[test]
    fn only_case_is_a_near_match() {
        assert_eq!(search("\u{c9}", &["\u{e9}".as_bytes()]), Listed::OtherCase("\u{e9}".into()));
        assert_eq!(search("\u{e9}", &["e\u{301}".as_bytes()]), Listed::Nowhere);
        assert_eq!(search("a", &[b"ab", b"."]), Listed::Nowhere);
    }

    #[test]
    fn a_name_that_is_not_utf8_never_matches() {
        assert_eq!(search("rep\u{fffd}ort", &[b"rep\xffort"]), Listed::NotUtf8);
        assert_eq!(search("rep\u{fffd}ort", &[b"other\xff"]), Listed::Nowhere);
    }

    #[test]
    fn a_listing_too_long_says_nothing() {
        let mut search = Search::of(b"A");
        let read = (0..=ENTRIES_MAX).take_while(|_| search.see(b"a")).count();
        assert_eq!((read, search.answer()), (ENTRIES_MAX - 1, Listed::TooMany));
    }
}
