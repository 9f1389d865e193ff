//! A stop that nobody proposed, to try an installed hook with: what the host would send, and the
//! record of a run that says that it wrote a file.
//!
//! Nothing in it is anybody's: the session, the turn and the file have a name of our own.

use serde_json::Value;

use super::dialect::Event;
use super::host::Host;

/// The session, the turn and the agent of a made-up stop.
pub(crate) const NAME: &str = "quittance-doctor";
/// The closing message of the record, as it stands there.
pub(crate) const ANSWER: &str = "Done: quittance-doctor.txt is written.";

/// Where a made-up run is.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "two places, there is no third")]
pub struct SamplePlace<'a> {
    /// The file that holds [`Sample::record`].
    pub record: &'a str,
    /// The folder the run works in.
    pub folder: &'a str,
}

/// A made-up stop.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The event, as the host spells it.
    pub event: &'static str,
    /// What the host would send.
    pub stdin: String,
    /// The record of the run, which claims to have written [`Sample::CLAIMED`] and called nothing;
    /// none where no reader of this host's records exists.
    pub record: Option<&'static str>,
}

impl Sample {
    /// The file that the run says it wrote.
    pub const CLAIMED: &'static str = "quittance-doctor.txt";

    /// A stop at each event that `install` puts the hook on.
    #[must_use]
    pub fn of(host: Host, place: SamplePlace<'_>) -> Vec<Self> {
        let part = host.sample();
        let events = host.dialect().events.iter().filter(|event| event.installed);
        let sample = |event: &Event| Self {
            event: event.name,
            stdin: (part.stdin)(event, place).to_string(),
            record: part.record,
        };
        events.map(sample).collect()
    }
}

/// What a host's folder makes up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) stdin: fn(&Event, SamplePlace<'_>) -> Value,
    pub(crate) record: Option<&'static str>,
}
