//! Generated committed states: rows of every kind with the right fields, fields missing, values of
//! any type in any of them, and a few ids that meet each other.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A JSON value whose keys keep their order, since that is one of the things to vary.
#[derive(Clone, Debug)]
pub(crate) enum Json {
    Null,
    True,
    False,
    Number(&'static str),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(&'static str, Self)>),
}

impl Json {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// Prints the value, the keys of each object turned by what `turn` says.
    pub(crate) fn print(&self, turn: usize, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::True => out.push_str("true"),
            Self::False => out.push_str("false"),
            Self::Number(spelling) => out.push_str(spelling),
            Self::Text(text) => out.push_str(&serde_json::to_string(text).unwrap()),
            Self::List(entries) => {
                out.push('[');
                for (index, entry) in entries.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    entry.print(turn, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                let length = members.len().max(1);
                members.rotate_left(turn % length);
                if turn % 2 == 1 {
                    members.reverse();
                }
                out.push('{');
                for (index, (key, value)) in members.into_iter().enumerate() {
                    out.push_str(if index > 0 { ",\"" } else { "\"" });
                    out.push_str(key);
                    out.push_str("\":");
                    value.print(turn, out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn printed(&self, turn: usize) -> String {
        let mut out = String::new();
        self.print(turn, &mut out);
        out
    }
}

/// The members of a committed state.
pub(crate) type State = Vec<(&'static str, Json)>;

fn word(words: &'static [&'static str]) -> impl Strategy<Value = Json> {
    select(words).prop_map(Json::text)
}

fn id() -> impl Strategy<Value = Json> {
    word(&["c1", "c2", "c3", "c0", ""])
}

/// Any small value, of any type.
fn anything() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        Just(Json::True),
        Just(Json::False),
        select(&["0", "1", "2", "2.0", "-0", "1e400", "9007199254740993"][..])
            .prop_map(Json::Number),
        word(&["", "c1", "answer", "person", "REDACTED", "[]", "\u{1F600}", "failed"]),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let key = select(&["toolCallId", "turn", "kind", "id", "waiting"][..]);
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Json::List),
            vec((key, inner), 0..3).prop_map(|members| Json::Object(unique(members))),
        ]
    })
}

/// Each key once: with a repetition, the order of keys would rightly matter.
fn unique(members: Vec<(&'static str, Json)>) -> Vec<(&'static str, Json)> {
    let mut seen = std::collections::BTreeSet::new();
    members.into_iter().filter(|(key, _)| seen.insert(*key)).collect()
}

/// A field: mostly right, sometimes of any type, sometimes missing.
fn field(
    key: &'static str,
    right: impl Strategy<Value = Json> + 'static,
) -> BoxedStrategy<Option<(&'static str, Json)>> {
    prop_oneof![
        6 => right.prop_map(move |value| Some((key, value))),
        1 => anything().prop_map(move |value| Some((key, value))),
        2 => Just(None),
    ]
    .boxed()
}

fn object(fields: Vec<BoxedStrategy<Option<(&'static str, Json)>>>) -> BoxedStrategy<Json> {
    fields.prop_map(|fields| Json::Object(fields.into_iter().flatten().collect())).boxed()
}

fn number() -> impl Strategy<Value = Json> {
    select(&["1", "2", "2.0", "2e0", "3"][..]).prop_map(Json::Number)
}

fn readings() -> impl Strategy<Value = Json> {
    vec(object(vec![field("toolCallId", id())]), 0..3).prop_map(Json::List)
}

fn message() -> BoxedStrategy<Json> {
    let content = word(&[
        "hello",
        "[]",
        "[1]",
        "[schema check] no",
        r#"{"rows":[]}"#,
        r#"{"af_absent":true,"checked":[1],"not_checked":[2]}"#,
        r#"{"af_coverage":{"cannot_cover":[1]},"result":[]}"#,
    ]);
    let asked = vec(object(vec![field("id", id())]), 0..2).prop_map(Json::List);
    object(vec![
        field("role", word(&["user", "tool", "tool", "assistant"])),
        field("content", content),
        field("toolCallId", id()),
        field("toolName", word(&["lookup", "vols"])),
        field("toolChars", number()),
        field("toolCalls", asked),
    ])
}

fn row() -> BoxedStrategy<Json> {
    object(vec![
        field(
            "kind",
            word(&[
                "argument",
                "argument",
                "contingent",
                "period",
                "conflict",
                "grounded",
                "steps-unfinished",
                "time-derived",
                "script-shown",
                "negative-claim",
                "standing",
            ]),
        ),
        field("turn", number()),
        field("toolCallId", id()),
        field("argument", word(&["window", "service"])),
        field("source", word(&["default", "model", "said", "result", "app"])),
        field("rule", word(&["ask"])),
        field("claimed", word(&["user"])),
        field("failed", word(&["uncheckable", "quote-not-found"])),
        field("reading", Just(Json::True)),
        field("setAside", word(&["noise"])),
        field("verdict", word(&["covered", "not-held", "partly-held", "unknown", "undeclared"])),
        field(
            "declaredOn",
            prop_oneof![word(&["answer"]), object(vec![field("toolCallId", id())])],
        ),
        field("carriers", readings()),
        field("witnesses", readings()),
        field("lookedUp", number()),
        field("label", word(&["matched", "unmatched"])),
    ])
}

fn report() -> BoxedStrategy<Json> {
    let check = object(vec![
        field("id", word(&["agent:negative-claims:1", "app:1"])),
        field("disposition", word(&["checked-fail"])),
        field("reason", word(&["declaration-overclaimed"])),
    ]);
    object(vec![
        field("status", word(&["passed", "passed", "failed", "unverified"])),
        field("mode", word(&["enforce", "observe"])),
        field("candidateDigest", word(&["sha256:1f"])),
        field("unreachable", number()),
        field("checks", vec(check, 0..2).prop_map(Json::List)),
    ])
}

/// Lists of up to `most` rows, or, rarely, no rows at all.
fn list(
    most: usize,
    one: impl Strategy<Value = Json> + 'static,
) -> impl Strategy<Value = Json> + 'static {
    vec(one, 0..most).prop_map(Json::List)
}

/// A committed state whose history is a list.
pub(crate) fn state() -> impl Strategy<Value = State> {
    let decision = object(vec![
        field("at", word(&["tool"])),
        field("toolCallId", id()),
        field("changedKeys", list(3, word(&["window", "service"]))),
        field("from", object(vec![field("window", word(&["person", "app", "default"]))])),
    ]);
    let coverage = object(vec![
        field("kind", word(&["absence", "ledger"])),
        field("toolCallId", id()),
        field("notChecked", list(2, anything())),
    ]);
    let ask = object(vec![field("waiting", object(vec![]))]);
    let fields = vec![
        field("turnNumber", number()),
        field("findingsLedger", list(6, row())),
        field("coverageDeclared", list(3, coverage)),
        field("middlewareDecisions", list(3, decision)),
        field("answerValidation", report()),
        prop_oneof![3 => Just(None), 1 => field("pausedToolCallId", id())].boxed(),
        prop_oneof![3 => Just(None), 1 => field("argumentAsk", ask)].boxed(),
        prop_oneof![3 => Just(None), 1 => field("unsupportedValues", object(vec![]))].boxed(),
        prop_oneof![3 => Just(None), 1 => field("stoppedEarly", object(vec![]))].boxed(),
    ];
    (fields, vec(message(), 0..6)).prop_map(|(fields, history)| {
        let mut state: State = fields.into_iter().flatten().collect();
        state.insert(0, ("history", Json::List(history)));
        state
    })
}

/// The state as a snapshot.
pub(crate) fn snapshot(state: State) -> Json {
    Json::Object(vec![("snapshot", Json::Object(vec![("sharedState", Json::Object(state))]))])
}

/// The state as a snapshot served under a redaction policy.
pub(crate) fn served(state: State) -> Json {
    let marker = Json::Object(vec![("id", Json::text("agentfootprint.redaction"))]);
    let snapshot = Json::Object(vec![
        ("recorders", Json::List(vec![marker])),
        ("sharedState", Json::Object(state)),
    ]);
    Json::Object(vec![("snapshot", snapshot)])
}
