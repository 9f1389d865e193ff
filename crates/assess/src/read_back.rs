//! An assessment read back from the bytes it was printed as.
//!
//! Reading takes exactly what printing gives: what was read is printed again and compared, so that a
//! standing that does not follow from its reasons, a field more or less, or a word of a newer version is
//! an error and never a guess.

use thiserror::Error;

use crate::{
    assessment::{Assessment, Fired},
    check::{Check, CheckName},
    json::{Document, Fault, Node, Object},
    pointer::{Place, Pointer},
    reason::{Reason, SourceKind},
    record::NESTING_MAX,
    source::{Call, Source},
    state::StateKey,
    turn::{TurnFrom, text_at},
};

/// Why a text is no assessment.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssessmentError {
    /// The text is no JSON.
    #[error("read the assessment as JSON: {0}")]
    Text(Fault),
    /// A field is missing, of another type, or holds a word that is none of ours.
    #[error("read the assessment's `{field}`")]
    Field {
        /// The field.
        field: &'static str,
    },
    /// The parts are well-formed, and together they are not what the fold prints.
    #[error("take the assessment as one that the fold printed")]
    Inconsistent,
}

impl Assessment<'static> {
    /// Reads what [`Assessment::to_json`] printed, byte for byte.
    ///
    /// # Errors
    ///
    /// When the text is anything else: also when it is the same value in another spelling.
    pub fn parse(text: &[u8]) -> Result<Self, AssessmentError> {
        let document = Document::parse(text, NESTING_MAX).map_err(AssessmentError::Text)?;
        let read = read(document.root()).map_err(|field| AssessmentError::Field { field })?;
        let ordered = read.reasons().is_sorted_by(|a, b| a.reason < b.reason);
        let witnessed = read.reasons().iter().all(|fired| !fired.witness.is_empty());
        let counted = read.checked().iter().all(|check| check.ran <= check.of);
        if ordered && witnessed && counted && read.to_json().as_bytes() == text {
            Ok(read.into_owned())
        } else {
            Err(AssessmentError::Inconsistent)
        }
    }
}

/// The name of the field that could not be read.
type Unread = &'static str;

fn read(root: Node<'_>) -> Result<Assessment<'_>, Unread> {
    let root = root.object().ok_or("assessment")?;
    let turn_from = [TurnFrom::Person, TurnFrom::WholeHistory];
    let turn_from = word(root, "turnFrom", turn_from, TurnFrom::as_str)?;
    if root.get("keptOut").is_some() {
        let key = |node: Node<'_>| StateKey::ALL.into_iter().find(|key| node.is(key.as_str()));
        let keys = entries(root, "keptOut")?.map(|node| key(node).ok_or("keptOut"));
        let keys = keys.collect::<Result<_, _>>()?;
        return Ok(Assessment::withheld(turn_from, keys));
    }
    let reasons = entries(root, "reasons")?.map(fired).collect::<Result<_, _>>()?;
    let checked = entries(root, "checked")?.map(check).collect::<Result<_, _>>()?;
    let support = root.get("support").and_then(Node::object);
    let support = support.map(|s| text_at(s, "reportDigest").ok_or("reportDigest")).transpose()?;
    Ok(Assessment::given(turn_from, reasons, support, checked))
}

fn fired(node: Node<'_>) -> Result<Fired<'_>, Unread> {
    let object = node.object().ok_or("reasons")?;
    Ok(Fired {
        reason: word(object, "reason", Reason::ALL, Reason::as_str)?,
        witness: entries(object, "witness")?.map(pointer).collect::<Result<_, _>>()?,
        source: source(object.get("source").and_then(Node::object).ok_or("source")?)?,
    })
}

fn source(object: Object<'_>) -> Result<Source<'_>, Unread> {
    match word(object, "kind", SourceKind::ALL, SourceKind::as_str)? {
        SourceKind::Person => Ok(Source::Person),
        SourceKind::Answer => Ok(Source::Answer),
        SourceKind::Run => Ok(Source::Run),
        SourceKind::Checks => Ok(Source::Checks),
        SourceKind::Calls => {
            let call = |node: Node<'_>| {
                let object = node.object().ok_or("calls")?;
                let [id, tool] = object.pick(["toolCallId", "toolName"]);
                let id = id.and_then(Node::string).ok_or("toolCallId")?;
                Ok(Call {
                    id: id.into_owned(),
                    tool: tool.and_then(Node::string).map(|t| t.into_owned()),
                })
            };
            let calls = entries(object, "calls")?.map(call).collect::<Result<_, Unread>>()?;
            let unnamed = object.get("unnamed").map(|_| whole(object, "unnamed")).transpose()?;
            Ok(Source::Calls { calls, unnamed: unnamed.unwrap_or(0) })
        }
    }
}

fn check(node: Node<'_>) -> Result<Check<'_>, Unread> {
    let object = node.object().ok_or("checked")?;
    Ok(Check {
        name: word(object, "check", CheckName::ALL, CheckName::as_str)?,
        ran: whole(object, "ran")?,
        of: whole(object, "of")?,
        witness: entries(object, "witness")?.map(pointer).collect::<Result<_, _>>()?,
    })
}

fn pointer(node: Node<'_>) -> Result<Pointer<'_>, Unread> {
    let object = node.object().ok_or("witness")?;
    if object.get("kind").is_some_and(|kind| kind.is("history")) {
        let index = usize::try_from(whole(object, "index")?).map_err(|_| "index")?;
        return Ok(Pointer::History { index, call: text_at(object, "toolCallId") });
    }
    let key = word(object, "key", StateKey::ALL, StateKey::as_str)?;
    let path = text_at(object, "path").ok_or("path")?;
    let place = path.as_str().and_then(|path| Place::named(key, path)).ok_or("path")?;
    Ok(Pointer::State(place))
}

fn word<T: Copy, const N: usize>(
    object: Object<'_>,
    field: Unread,
    all: [T; N],
    spelled: fn(T) -> &'static str,
) -> Result<T, Unread> {
    let value = object.get(field).ok_or(field)?;
    all.into_iter().find(|one| value.is(spelled(*one))).ok_or(field)
}

fn entries<'r>(
    object: Object<'r>,
    field: Unread,
) -> Result<impl Iterator<Item = Node<'r>>, Unread> {
    Ok(object.get(field).and_then(Node::array).ok_or(field)?.entries())
}

fn whole(object: Object<'_>, field: Unread) -> Result<u64, Unread> {
    let raw = object.get(field).ok_or(field)?.raw();
    std::str::from_utf8(raw).ok().and_then(|text| text.parse().ok()).ok_or(field)
}
