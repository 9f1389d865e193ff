//! A table of the file that knows where its keys stand and which of them were asked for.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{PolicyError, PolicyProblem, line_at};

/// A table being read, all of whose keys are known.
pub(crate) struct Table<'a> {
    text: &'a str,
    path: Vec<String>,
    /// Where the table stands, for a key that is absent.
    start: usize,
    fields: &'a DeTable<'a>,
}

/// A value with the place it stands at.
pub(crate) struct Item<'a> {
    text: &'a str,
    key: String,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Table<'a> {
    pub(crate) fn root(text: &'a str, table: &'a Spanned<DeTable<'a>>) -> Self {
        Self::new(text, Vec::new(), 0, table.get_ref())
    }

    fn new(text: &'a str, path: Vec<String>, start: usize, fields: &'a DeTable<'a>) -> Self {
        Self { text, path, start, fields }
    }

    fn key(&self, key: &str) -> String {
        let parts: Vec<&str> = self.path.iter().map(String::as_str).chain([key]).collect();
        parts.join(".")
    }

    /// A problem with a key, at its line, or at the table's when it is absent.
    pub(crate) fn problem(&self, key: &str, cause: PolicyProblem) -> PolicyError {
        let at = self.fields.iter().find(|(known, _)| known.get_ref() == key);
        let at = at.map_or(self.start, |(known, _)| known.span().start);
        PolicyError { line: line_at(self.text, at), key: self.key(key), cause }
    }

    pub(crate) fn item(&self, key: &str) -> Option<Item<'a>> {
        let found = self.fields.iter().find(|(known, _)| known.get_ref() == key);
        found.map(|(_, value)| Item { text: self.text, key: self.key(key), value })
    }

    /// Every key of a table whose keys are names the user chose.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'a str, Item<'a>)> {
        self.fields.iter().map(|(name, value)| {
            let name: &str = name.get_ref();
            (name, Item { text: self.text, key: self.key(name), value })
        })
    }

    pub(crate) fn table(&self, key: &str) -> Result<Option<Self>, PolicyError> {
        self.item(key).map(|item| item.table()).transpose()
    }

    pub(crate) fn integer(&self, key: &str) -> Result<Option<i64>, PolicyError> {
        self.item(key).map(|item| item.integer()).transpose()
    }

    /// A count: a whole number from 0.
    pub(super) fn whole(&self, key: &str) -> Result<Option<u32>, PolicyError> {
        self.number(key, 0)
    }

    /// A time or a number of times that cannot be 0.
    pub(super) fn positive(&self, key: &str) -> Result<Option<u32>, PolicyError> {
        self.number(key, 1)
    }

    fn number(&self, key: &str, least: u32) -> Result<Option<u32>, PolicyError> {
        let Some(number) = self.integer(key)? else { return Ok(None) };
        let fits = u32::try_from(number).ok().filter(|number| *number >= least);
        let range = PolicyProblem::Range { least, most: u32::MAX };
        fits.map(Some).ok_or_else(|| self.problem(key, range))
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, PolicyError> {
        self.item(key).map(|item| item.flag()).transpose()
    }

    /// One of a list of words.
    pub(super) fn word<T: Copy, const N: usize>(
        &self,
        key: &str,
        word: &str,
        known: [T; N],
        spelled: fn(T) -> &'static str,
    ) -> Result<T, PolicyError> {
        known.into_iter().find(|known| spelled(*known) == word).ok_or_else(|| {
            let known = known.into_iter().map(spelled).collect();
            self.problem(key, PolicyProblem::Word { word: word.to_owned(), known })
        })
    }

    pub(crate) fn text(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.item(key).map(|item| item.text()).transpose()
    }

    /// A text that may be blank.
    pub(super) fn any_text(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.item(key).map(|item| item.word()).transpose()
    }

    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, PolicyError> {
        let Some(item) = self.item(key) else { return Ok(None) };
        item.list()?.into_iter().map(|item| item.text()).collect::<Result<_, _>>().map(Some)
    }

    /// Fails on the first key that is not one of these. Comes before the keys are read, since a
    /// mistyped key is also a missing one.
    pub(crate) fn only(self, known: &[&'static str]) -> Result<Self, PolicyError> {
        let unknown = self.fields.keys().find(|key| !known.contains(&key.get_ref().as_ref()));
        match unknown {
            None => Ok(self),
            Some(key) => {
                let nearest = nearest(key.get_ref(), known);
                let known = known.to_vec();
                Err(self.problem(key.get_ref(), PolicyProblem::Unknown { nearest, known }))
            }
        }
    }
}

/// How alike two keys must be for one to be offered for the other, from 0 to 1: a typing error or
/// two, not another word.
const LIKENESS: f64 = 0.6;

pub(crate) fn nearest(key: &str, known: &[&'static str]) -> Option<String> {
    let scored =
        known.iter().map(|known| (strsim::normalized_damerau_levenshtein(key, known), known));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(score, _)| *score >= LIKENESS).map(|(_, candidate)| (*candidate).to_owned())
}

impl<'a> Item<'a> {
    pub(crate) fn problem(&self, cause: PolicyProblem) -> PolicyError {
        let line = line_at(self.text, self.value.span().start);
        PolicyError { line, key: self.key.clone(), cause }
    }

    fn expected(&self, expected: &'static str) -> PolicyError {
        let found = self.value.get_ref().type_str();
        self.problem(PolicyProblem::Type { expected, found })
    }

    pub(crate) fn table(&self) -> Result<Table<'a>, PolicyError> {
        let fields = self.value.get_ref().as_table().ok_or_else(|| self.expected("a table"))?;
        let path = self.key.split('.').map(str::to_owned).collect();
        Ok(Table::new(self.text, path, self.value.span().start, fields))
    }

    fn integer(&self) -> Result<i64, PolicyError> {
        let number = self.value.get_ref().as_integer();
        let number =
            number.and_then(|found| i64::from_str_radix(found.as_str(), found.radix()).ok());
        number.ok_or_else(|| self.expected("a whole number of 64 bits"))
    }

    fn flag(&self) -> Result<bool, PolicyError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.expected("true or false"))
    }

    pub(super) fn is_text(&self) -> bool {
        self.value.get_ref().is_str()
    }

    /// A text of any kind.
    pub(super) fn word(&self) -> Result<String, PolicyError> {
        let text = self.value.get_ref().as_str().ok_or_else(|| self.expected("a text"))?;
        Ok(text.to_owned())
    }

    /// A text that says something.
    pub(crate) fn text(&self) -> Result<String, PolicyError> {
        let text = self.word()?;
        if text.trim().is_empty() {
            return Err(self.problem(PolicyProblem::Blank));
        }
        Ok(text)
    }

    pub(super) fn list(&self) -> Result<Vec<Self>, PolicyError> {
        let items = self.value.get_ref().as_array().ok_or_else(|| self.expected("a list"))?;
        let key = |position: usize| format!("{}[{position}]", self.key);
        let items = items.iter().enumerate();
        Ok(items.map(|(at, value)| Item { text: self.text, key: key(at), value }).collect())
    }
}
