//! Whether a result came back empty, and whether its tool said what that means.
//!
//! Two envelopes are known: an absence (the tool looked and found nothing) and a boundary (what the
//! result was read within). Text that looks like a list or an object is parsed once, at the top;
//! strings inside it never are. What cannot be read is `unknown`, never "not empty".

use crate::{
    json::{Cut, Document, Kind, Node, Object, Room, Text, cut_units, trim},
    turn::ToolMessage,
};

/// What a result's own bytes, or the rows filed for its call, declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Door {
    /// The tool said that what was looked for is not there.
    pub(crate) absent: bool,
    /// The tool said within what it looked.
    pub(crate) bounded: bool,
}

/// What the envelope in a result's bytes declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Own {
    door: Door,
    /// The envelope lists something that was not, or cannot be, looked at.
    pub(crate) gap: bool,
}

/// How a result reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emptiness {
    DeclaredAbsent,
    UndeclaredEmpty,
    NonEmpty,
    Unknown,
}

/// A result, read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reading {
    /// What its own bytes declare; looked at only when no row was filed for its call.
    pub(crate) own: Option<Own>,
    pub(crate) emptiness: Emptiness,
}

/// How many boundaries within each other are read through.
const BOUNDARIES_MAX: usize = 8;

/// Reads what a tool's message holds: through `filed`, the door of the rows filed for its call, or,
/// when there are none, through the door in its own bytes.
pub(crate) fn read(
    message: &ToolMessage<'_>,
    filed: Option<Door>,
    rows_at: Option<&Text<'_>>,
    desk: &mut Desk,
) -> Reading {
    let read = |data: Option<Node<'_>>| {
        let own = if filed.is_none() { data.and_then(declared_by_value) } else { None };
        let door = filed.or(own.map(|own| own.door)).unwrap_or_default();
        Reading { own, emptiness: emptiness(data, door, rows_at) }
    };
    let Some(content) = message.content else { return read(None) };
    // Most results are prose, which is not even decoded.
    if content.kind() == Kind::String && !content.may_hold_json() {
        return read(None);
    }
    let Some(text) = content.text_in(&mut desk.text) else { return read(Some(content)) };
    let document =
        tool_bytes(text, message.chars).and_then(|text| looks_like_json(text, &mut desk.room));
    // Text that is no JSON stays text, in which nothing can be read.
    let Some(document) = document else { return read(None) };
    let reading = read(Some(document.root()));
    document.leave(&mut desk.room);
    reading
}

/// Where results are decoded and read, one after the other in the same room.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    text: Vec<u8>,
    room: Room,
}

/// The tool's own bytes: the content without what the library added behind them. None when the cut
/// parts a character, which leaves no JSON.
fn tool_bytes(whole: &[u8], chars: Option<f64>) -> Option<&[u8]> {
    match chars.filter(|chars| chars.fract() == 0.0 && *chars >= 0.0) {
        None => Some(whole),
        Some(chars) => match cut_units(whole, chars) {
            Cut::At(kept) => Some(kept),
            Cut::Beyond => Some(whole),
            Cut::MidPair => None,
        },
    }
}

/// The document that text opening like a list or an object holds. `JSON.parse` knows no limit of
/// nesting, so there is none here either.
fn looks_like_json<'t>(bytes: &'t [u8], room: &mut Room) -> Option<Document<'t>> {
    let bytes = trim(bytes);
    matches!(bytes.first(), Some(b'{' | b'[')).then(|| Document::parse_in(bytes, room).ok())?
}

fn declared_by_value(data: Node<'_>) -> Option<Own> {
    let boundary = Boundary::of(data);
    let absence = absence(data).or_else(|| absence(boundary?.result));
    if boundary.is_none() && absence.is_none() {
        return None;
    }
    let gap = [absence, boundary.map(|boundary| boundary.coverage)]
        .into_iter()
        .flatten()
        .flat_map(|envelope| envelope.pick(["not_checked", "cannot_cover"]))
        .any(lists_something);
    let door = Door { absent: absence.is_some(), bounded: boundary.is_some() };
    Some(Own { door, gap })
}

/// Whether a value is a list with something in it.
pub(crate) fn lists_something(value: Option<Node<'_>>) -> bool {
    value.and_then(Node::array).is_some_and(|list| !list.is_empty())
}

fn absence(data: Node<'_>) -> Option<Object<'_>> {
    let object = data.object()?;
    let [absent, checked] = object.pick(["af_absent", "checked"]);
    (absent?.is_true() && lists_something(checked)).then_some(object)
}

#[derive(Clone, Copy)]
struct Boundary<'r> {
    coverage: Object<'r>,
    result: Node<'r>,
}

impl<'r> Boundary<'r> {
    fn of(data: Node<'r>) -> Option<Self> {
        let [coverage, result] = data.object()?.pick(["af_coverage", "result"]);
        Some(Self { coverage: coverage?.object()?, result: result? })
    }
}

fn emptiness(data: Option<Node<'_>>, door: Door, rows_at: Option<&Text<'_>>) -> Emptiness {
    if door.absent {
        return Emptiness::DeclaredAbsent;
    }
    let Some(mut data) = data else { return Emptiness::Unknown };
    let mut boundaries = 0;
    while door.bounded
        && let Some(boundary) = Boundary::of(data)
    {
        if boundaries == BOUNDARIES_MAX {
            return Emptiness::Unknown;
        }
        boundaries += 1;
        data = boundary.result;
    }
    match rowset(data, rows_at) {
        Emptiness::UndeclaredEmpty if boundaries > 0 => Emptiness::DeclaredAbsent,
        read => read,
    }
}

fn rowset(data: Node<'_>, rows_at: Option<&Text<'_>>) -> Emptiness {
    if let Some(list) = data.array() {
        return counted(list.is_empty());
    }
    let (Some(object), Some(rows_at)) = (data.object(), rows_at) else {
        return Emptiness::Unknown;
    };
    if is_placement(object) {
        return Emptiness::Unknown;
    }
    match object.find(rows_at) {
        Some(rows) => rows.array().map_or(Emptiness::Unknown, |list| counted(list.is_empty())),
        None => ticket(object, rows_at).map_or(Emptiness::Unknown, counted),
    }
}

fn counted(empty: bool) -> Emptiness {
    if empty { Emptiness::UndeclaredEmpty } else { Emptiness::NonEmpty }
}

/// A result that was moved elsewhere whole: its ticket counts bytes, not rows.
fn is_placement(object: Object<'_>) -> bool {
    let [placed, at, reason] = object.pick(["placed", "ref", "reason"]);
    let text = |value: Option<Node<'_>>| value.and_then(Node::string).is_some();
    placed.is_some_and(Node::is_true) && text(at) && text(reason)
}

/// Whether the rows that were moved elsewhere are none, as their ticket counts them.
fn ticket(object: Object<'_>, rows_at: &Text<'_>) -> Option<bool> {
    let [datasets, dataset] = object.pick(["datasets", "dataset"]);
    let names = |ticket: Object<'_>| {
        ticket.get("sourceField").map(|field| field.string().is_some_and(|f| f == *rows_at))
    };
    let among = datasets.and_then(Node::object).and_then(|tickets| tickets.find(rows_at));
    let ticket = among
        .and_then(as_ticket)
        .filter(|ticket| names(*ticket).unwrap_or(true))
        .or_else(|| dataset.and_then(as_ticket).filter(|t| names(*t).unwrap_or(false)))?;
    let rows = ticket.get("rows")?.number()?;
    (rows.fract() == 0.0 && (0.0..=SAFE_INTEGER_MAX).contains(&rows)).then_some(rows == 0.0)
}

/// 2^53 - 1: beyond it a double no longer counts one by one.
const SAFE_INTEGER_MAX: f64 = 9_007_199_254_740_991.0;

fn as_ticket(value: Node<'_>) -> Option<Object<'_>> {
    let object = value.object()?;
    let at = object.get("ref")?.string()?;
    let id = at.as_bytes().strip_prefix(b"art_")?;
    (id.len() == 22 && id.iter().all(u8::is_ascii_alphanumeric)).then_some(object)
}
