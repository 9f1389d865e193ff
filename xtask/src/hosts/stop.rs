//! One stop of a run: whose it was and what came of it, as the table and the receipts say it.

use std::fmt;

/// What one stop came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// Whether a sub-agent proposed it.
    pub(crate) by_subagent: bool,
    /// The outcome's word.
    pub(crate) status: String,
    /// Its cause; none in the table means any.
    pub(crate) cause: Option<String>,
}

impl Stop {
    /// Reads `[sub ]STATUS[:CAUSE][ xN]`, each repeated as often as it says.
    pub(crate) fn sequence(written: &[String]) -> Result<Vec<Self>, String> {
        let mut stops = Vec::new();
        for words in written {
            let (words, times) = match words.rsplit_once(" x") {
                Some((words, times)) => {
                    (words, times.parse().map_err(|_| format!("`{times}` is no count"))?)
                }
                None => (words.as_str(), 1_usize),
            };
            let (by_subagent, words) =
                words.strip_prefix("sub ").map_or((false, words), |words| (true, words));
            let (status, cause) = match words.split_once(':') {
                Some((status, cause)) => (status, Some(cause.to_owned())),
                None => (words, None),
            };
            let is_word = !status.is_empty() && status.chars().all(|c| c.is_ascii_lowercase());
            if !is_word || times == 0 {
                return Err(format!("`{words}` is no stop"));
            }
            let stop = Self { by_subagent, status: status.to_owned(), cause };
            stops.extend(std::iter::repeat_n(stop, times));
        }
        Ok(stops)
    }

    /// Whether what was seen is what was expected.
    pub(crate) fn is_met_by(&self, seen: &Self) -> bool {
        let cause = self.cause.is_none() || self.cause == seen.cause;
        cause && self.by_subagent == seen.by_subagent && self.status == seen.status
    }

    /// Whether the run has to go on.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.status.as_str(), "refused" | "abandoned")
    }

    /// Whether it says that the work was done.
    pub(crate) fn is_approval(&self) -> bool {
        matches!(self.status.as_str(), "verified" | "accepted")
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.by_subagent { "sub " } else { "" })?;
        f.write_str(&self.status)?;
        self.cause.as_ref().map_or(Ok(()), |cause| write!(f, ":{cause}"))
    }
}

/// A sequence as the table would write it.
pub(crate) fn written(stops: &[Stop]) -> String {
    let groups = stops.chunk_by(|one, other| one == other).map(|group| match group {
        [stop] => stop.to_string(),
        [stop, ..] => format!("{stop} x{}", group.len()),
        [] => String::new(),
    });
    groups.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Stop, written};

    fn read(words: &[&str]) -> Result<Vec<Stop>, String> {
        Stop::sequence(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_sequence_is_written_as_it_is_read() {
        let words = ["abandoned:declared_artifact_missing x4", "sub verified", "unverified:cap"];
        let stops = read(&words).unwrap();
        assert_eq!(stops.len(), 6);
        assert_eq!(written(&stops), words.join(", "));
        for wrong in ["", "refused x0", "refused xn", "sub ", "Refused", ":cap"] {
            assert!(read(&[wrong]).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_cause_that_is_not_named_may_be_any() {
        let [any, cap, other] = read(&["unverified", "unverified:cap", "unverified:repeat"])
            .unwrap()
            .try_into()
            .unwrap();
        assert!(any.is_met_by(&cap) && any.is_met_by(&other));
        assert!(!cap.is_met_by(&other) && !cap.is_met_by(&any));
    }

    #[test]
    fn what_refuses_does_not_approve() {
        for stop in read(&["refused", "abandoned", "verified", "accepted"]).unwrap() {
            assert_ne!(stop.is_refusal(), stop.is_approval(), "{stop}");
        }
        for stop in read(&["unverified", "unadjudicated", "waiting", "stopped"]).unwrap() {
            assert!(!stop.is_refusal() && !stop.is_approval(), "{stop}");
        }
    }
}
