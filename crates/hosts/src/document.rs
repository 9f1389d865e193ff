//! A whole JSON document, or one line of many: its messages, each with the line it begins in.
//!
//! Knows where formats keep a list of messages and nothing of what a message means. A document may
//! be one run (a list of messages, or an object that holds one) or a list of runs; which it is, the
//! reader of runs decides.

use std::cell::Cell;
use std::fmt;
use std::io;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::json::{self, Json, Read, Twice};
use crate::source::{LineCause, LineNumber};

/// The fields under which the formats keep a run's messages.
const LISTS: [&str; 2] = ["messages", "traj"];

/// An item of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// The line it begins in.
    pub(crate) line: LineNumber,
    pub(crate) node: Node,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Object(Object),
    List(Vec<Item>),
    /// Neither an object nor a list.
    Other,
}

/// An object of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object {
    /// Its fields but its messages.
    pub(crate) fields: Map<String, Value>,
    /// Its messages, if it holds a list of them.
    pub(crate) messages: Option<Messages>,
}

/// The messages of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Messages {
    /// The field that holds them.
    pub(crate) under: &'static str,
    pub(crate) items: Vec<Item>,
}

/// Where a document stops being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    /// The line, counted from the first of the document; zero where no line is to blame.
    pub(crate) line: u64,
    pub(crate) cause: LineCause,
    /// Nothing is wrong but that it does not end.
    pub(crate) unended: bool,
}

impl Damage {
    /// Whether what was read may be the beginning of a document.
    pub(crate) fn may_go_on(self) -> bool {
        self.unended || self.cause == LineCause::TooDeep
    }
}

impl From<LineCause> for Damage {
    fn from(cause: LineCause) -> Self {
        Self { line: 0, cause, unended: false }
    }
}

/// Reads one JSON value that begins in the line `first`.
pub(crate) fn read(bytes: &[u8], first: LineNumber) -> Result<Read<Item>, Damage> {
    json::read_with(bytes, |text, twice| parse(text, twice, first))
}

fn parse(text: &str, twice: &Twice, first: LineNumber) -> Result<Item, Damage> {
    let passed = Cell::new(0);
    let mut json =
        serde_json::Deserializer::from_reader(Counted { rest: text.as_bytes(), passed: &passed });
    // The depth was counted already, and is at most 512.
    json.disable_recursion_limit();
    let seed = Seed { twice, first: first.0, passed: &passed, depth: Depth::Top };
    let parsed = seed.deserialize(&mut json);
    parsed.and_then(|item| json.end().map(|()| item)).map_err(|error| Damage {
        line: error.line() as u64,
        cause: json::cause(&error),
        unended: error.is_eof(),
    })
}

/// Hands text out byte by byte and counts the line breaks that passed, so that whoever is about to
/// read a value knows the line it begins in.
struct Counted<'a> {
    rest: &'a [u8],
    passed: &'a Cell<u64>,
}

impl io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = io::Read::read(&mut self.rest, buffer)?;
        let passed = buffer.iter().take(read).filter(|byte| **byte == b'\n').count();
        self.passed.set(self.passed.get() + passed as u64);
        Ok(read)
    }
}

/// How far inside the document a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// The document itself.
    Top,
    /// An item of its list: a message, or a run.
    Item,
    /// A message of a run.
    Message,
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    twice: &'a Twice,
    first: u64,
    passed: &'a Cell<u64>,
    depth: Depth,
}

impl Seed<'_> {
    const fn inside(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Item;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        let line = LineNumber(self.first + self.passed.get());
        let node = deserializer.deserialize_any(self)?;
        Ok(Item { line, node })
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let inside = match self.depth {
            Depth::Top => self.inside(Depth::Item),
            Depth::Item | Depth::Message => self.inside(Depth::Message),
        };
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inside)? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
        let mut object = Object::default();
        while let Some(key) = fields.next_key::<String>()? {
            let under = LISTS.into_iter().find(|list| *list == key);
            if let (Some(under), false) = (under, self.depth == Depth::Message) {
                let list = fields.next_value_seed(self.inside(Depth::Message))?;
                if let Node::List(items) = list.node
                    && object.messages.replace(Messages { under, items }).is_some()
                {
                    self.twice.note();
                }
                continue;
            }
            let value = fields.next_value_seed(Json(self.twice))?;
            if object.fields.insert(key, value).is_some() {
                self.twice.note();
            }
        }
        Ok(Node::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::Repair;

    fn item(text: &str) -> Item {
        read(text.as_bytes(), LineNumber(1)).expect("readable").record
    }

    fn lines(items: &[Item]) -> Vec<u64> {
        items.iter().map(|item| item.line.0).collect()
    }

    #[test]
    fn each_message_knows_its_line() {
        let Node::List(items) =
            item("\n[\n {\n\"role\": \"user\"\n},\n\n  {\"a\":\n1}, 7,\n[\n\n{}]]").node
        else {
            panic!("no list")
        };
        assert_eq!(lines(&items), [3, 7, 8, 9]);
        let Node::List(run) = &items[3].node else { panic!("no list") };
        assert_eq!(lines(run), [11]);
    }

    #[test]
    fn messages_are_told_from_other_fields() {
        let Node::Object(object) =
            item("{\"info\": {\"messages\": [1]},\n\"traj\": [\n{\"messages\": [2]}]}").node
        else {
            panic!("no object")
        };
        assert_eq!(Value::Object(object.fields), json!({"info": {"messages": [1]}}));
        let messages = object.messages.expect("messages");
        assert_eq!((messages.under, lines(&messages.items)), ("traj", vec![3]));
        let Node::Object(message) = &messages.items[0].node else { panic!("no object") };
        assert_eq!(Value::Object(message.fields.clone()), json!({"messages": [2]}));
    }

    #[test]
    fn damage_is_named_with_its_line() {
        let damage = |text: &str| read(text.as_bytes(), LineNumber(1)).expect_err("damaged");
        let not_json = |line, unended| Damage { line, cause: LineCause::NotJson, unended };
        assert_eq!(damage("[\n{},\n]"), not_json(3, false));
        assert_eq!(damage("[\n{}\n"), not_json(3, true));
        assert_eq!(damage("[{}] x"), not_json(1, false));
        assert_eq!(damage("[\n1e999]").cause, LineCause::NumberOutOfRange);
        assert_eq!(damage(&"[".repeat(600)).cause, LineCause::TooDeep);
    }

    #[test]
    fn mends_as_lines_are_mended() {
        let read = read(b"[{\"a\":\"\\ud800\"},\n{\"a\":1,\"a\":2}]", LineNumber(1)).expect("read");
        assert_eq!(read.repairs, [Repair::LoneSurrogate, Repair::DuplicateName]);
    }
}
