//! Harn: messages as the runtime keeps them, and the control rows it writes as it accepts a word.
//!
//! Records are given on as they are: outcome, origin and data stand in their `_harn` envelope, a
//! steer in its `injectedMode`, a stop in a control row. Only an id that is used again is renamed.
//! The runtime's request and response log, its run records and its tapes are not read here.

mod control;
mod message;

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::chat::{Agent, Answered, BY_PLACE, Dialect, Entry, Fields, Person, text_of};
use crate::control::ControlRow;
use crate::format::Format;
use crate::options::ReadOptions;

/// What a record of this format is recognised by.
pub(crate) const RECOGNISED_BY: &str = "a control row of `harn.session.control.v1`, or messages \
                                        of which one has `_harn` or `injectedMode`";
/// The shape of a typed row.
const ROW_SCHEMA: &str = "harn.agent.transcript.row.v1";

/// Whether an object is a record that only this format has.
pub(crate) fn recognises(fields: &Fields) -> bool {
    let is_message = message::role(fields).is_some();
    let marked = fields.get("_harn").is_some_and(Value::is_object)
        || text_of(fields, "injectedMode").is_some();
    control::is_row(fields)
        || text_of(fields, "schema") == Some(ROW_SCHEMA)
        || (marked && (is_message || message::is_result(fields)))
}

/// How messages of this format are read.
#[derive(Debug)]
pub(crate) struct Harn;

impl Dialect for Harn {
    const FORMAT: Format = Format::Harn;

    fn entry(message: Fields) -> Entry {
        if control::is_row(&message) {
            return Entry::Control(control::row(message));
        }
        message::entry(message)
    }

    fn catalogue(run: Option<&Fields>, options: &ReadOptions) -> Catalogue {
        match run.and_then(|fields| fields.get("tools")).filter(|tools| !tools.is_null()) {
            Some(tools) => Catalogue::recorded(tools.clone(), options),
            None => Catalogue::new(&[], options),
        }
    }

    fn person_row(person: Person, _as_steer: bool) -> Value {
        Value::Object(person.message)
    }

    fn agent_row(agent: Agent, ids: &[String]) -> Value {
        message::renamed_calls(agent, ids)
    }

    fn result_row(result: Answered, id: String, _name: String) -> Value {
        message::renamed_result(result, id)
    }

    fn steer_by_place(person: &Person) -> ControlRow {
        control::of_message(person.content(), &person.message_id, control::BETWEEN_STEPS, BY_PLACE)
    }
}
