//! Settings as JSON with comments: parsed for where things stand, and written in the file's style.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::error::SettingsError;

/// Parses a file; `None` where it holds no value, only blanks and comments.
///
/// Comments and trailing commas are read: hosts that do not read them refuse the file by
/// themselves, and we do not make it worse.
pub(super) fn parse(text: &str) -> Result<Option<Value<'_>>, SettingsError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    parsed.map(|parsed| parsed.value).map_err(|error| unparsable(&error))
}

fn unparsable(error: &ParseError) -> SettingsError {
    let mut why = error.kind().to_string();
    if let Some(first) = why.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    SettingsError::Unparsable { line: error.line_display(), column: error.column_display(), why }
}

/// The line of a place, from 1.
pub(super) fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// What a value is, for people.
pub(super) const fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a text",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a flag",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}

/// A property, refused where it stands twice.
pub(super) fn property<'a, 'b>(
    text: &str,
    object: &'b Object<'a>,
    name: &str,
    at: &str,
) -> Result<Option<&'b ObjectProp<'a>>, SettingsError> {
    let mut named = object.properties.iter().filter(|property| property.name.as_str() == name);
    let first = named.next();
    match named.next() {
        Some(second) => {
            Err(SettingsError::Twice { at: at.to_owned(), line: line(text, second.range.start) })
        }
        None => Ok(first),
    }
}

/// A container: where it stands, and where each of its items does.
#[derive(Clone, Debug)]
pub(super) struct Container {
    pub(super) range: Range<usize>,
    pub(super) items: Vec<Range<usize>>,
}

impl Container {
    pub(super) fn of_object(object: &Object<'_>) -> Self {
        let items = object.properties.iter().map(|property| of(property.range)).collect();
        Self { range: of(object.range), items }
    }

    pub(super) fn of_list(list: &Array<'_>) -> Self {
        let items = list.elements.iter().map(|element| of(element.range())).collect();
        Self { range: of(list.range), items }
    }
}

/// A range of the parser's.
pub(super) const fn of(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

/// A value to be written.
#[derive(Clone, Debug)]
pub(super) enum Json {
    Text(String),
    Number(u64),
    List(Vec<Self>),
    Object(Vec<(&'static str, Self)>),
}

/// A text with its quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// How the lines of a value are written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout<'a> {
    /// All in one line.
    Inline,
    /// An item a line, each this much further in than the one around it.
    Lines { newline: &'a str, unit: &'a str },
}

impl Json {
    /// The text of the value, whose first line begins at this indentation.
    pub(super) fn render(&self, layout: Layout<'_>, indent: &str) -> String {
        match self {
            Self::Text(text) => quoted(text),
            Self::Number(number) => number.to_string(),
            Self::List(items) => {
                let items = items.iter().map(|item| (None, item));
                enclosed("[", items, "]", layout, indent)
            }
            Self::Object(fields) => {
                let fields = fields.iter().map(|(key, value)| (Some(*key), value));
                enclosed("{", fields, "}", layout, indent)
            }
        }
    }
}

/// A property as it is written.
pub(super) fn rendered(key: &str, value: &Json, layout: Layout<'_>, indent: &str) -> String {
    format!("{}: {}", quoted(key), value.render(layout, indent))
}

fn enclosed<'a>(
    open: &str,
    items: impl Iterator<Item = (Option<&'a str>, &'a Json)>,
    close: &str,
    layout: Layout<'_>,
    indent: &str,
) -> String {
    let (inner, separator, end) = match layout {
        Layout::Inline => (String::new(), ", ".to_owned(), String::new()),
        Layout::Lines { newline, unit } => {
            let inner = [indent, unit].concat();
            let separator = [",", newline, &inner].concat();
            (inner, separator, [newline, indent].concat())
        }
    };
    let items: Vec<String> = items
        .map(|(key, value)| match key {
            Some(key) => rendered(key, value, layout, &inner),
            None => value.render(layout, &inner),
        })
        .collect();
    let start = match layout {
        Layout::Inline => String::new(),
        Layout::Lines { newline, .. } => [newline, &inner].concat(),
    };
    [open, &start, &items.join(&separator), &end, close].concat()
}
