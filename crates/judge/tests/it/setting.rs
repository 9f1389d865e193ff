//! What a boundary is opened with, in every combination that the machine does not ask for.

use quittance_artifacts::Audit;
use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{Contract, EvidenceBuilder, Snapshot, ToolCatalogue, VerificationState};
use quittance_judge::abandonment::{CallTallies, Evidence, Findings};
use quittance_judge::directive::History;
use quittance_judge::machine::Proposal;
use quittance_judge::outcome::Standstill;
use quittance_judge::plan::Due;
use quittance_judge::policy::{Closure, JudgeConfig, PerSlot, Policy, Slot};
use quittance_obligations::Obligations;
use serde_json::json;

/// The marker that no judge can observe.
pub(crate) const SENTINEL: &str = "##DONE##";

/// Every stop reason that the rules tell apart, and one that they do not know.
pub(crate) const STOPS: [&str; 5] =
    ["sentinel", "natural", "stalled", "explicit_completion_claim", "max_iterations"];

/// A judge, as far as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judge {
    Absent,
    Plain,
    Contract,
    Capped,
    Unconfigured,
    Refused,
}

impl Judge {
    const ALL: [Self; 6] = [
        Self::Absent,
        Self::Plain,
        Self::Contract,
        Self::Capped,
        Self::Unconfigured,
        Self::Refused,
    ];

    fn config(self) -> Option<JudgeConfig> {
        let plain = JudgeConfig {
            model: Some("m".to_owned()),
            max_invocations: Some(2),
            ..JudgeConfig::default()
        };
        let row = json!({"requirements": [{"requirement_id": "r", "name": "The row."}]});
        match self {
            Self::Absent => None,
            Self::Plain | Self::Capped => Some(plain),
            Self::Contract => {
                let contract = Contract::from_value(&row).expect("a contract");
                Some(JudgeConfig { contract, ..plain })
            }
            Self::Unconfigured => Some(JudgeConfig { model: None, ..plain }),
            Self::Refused => Some(JudgeConfig { deadline_reserve_ms: i64::MAX, ..plain }),
        }
    }
}

/// One setting.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) has_closure: bool,
    pub(crate) judges: PerSlot<Judge>,
    pub(crate) stop_reason: &'static str,
    pub(crate) text: &'static str,
    pub(crate) pending_effects: usize,
    pub(crate) is_artifact_missing: bool,
    pub(crate) standstill: Standstill,
    /// What a verifier is known to have observed before the boundary.
    pub(crate) bound: Option<&'static str>,
    /// Whether the last boundary was refused on the row, over this same evidence.
    pub(crate) is_repeat: bool,
}

/// Text and effects, which only typed-green and a citation of the final words read, vary one at a
/// time. Where both judges are asked the tree is large: there they vary at the one stop reason at
/// which typed-green looks, and where both have rows, one stop reason stands for its kind.
fn variants(judges: [Judge; 2], stop_reason: &str) -> &'static [(&'static str, usize)] {
    const ALL: [(&str, usize); 3] = [("Done.", 0), (" ", 0), ("Done.", 1)];
    let is_asked = |judge| matches!(judge, Judge::Plain | Judge::Contract);
    let is_large = judges.into_iter().all(is_asked);
    let is_largest = judges == [Judge::Contract; 2];
    match stop_reason {
        "sentinel" => &ALL,
        "stalled" | "explicit_completion_claim" if is_largest => &[],
        _ if is_large => &ALL[..1],
        _ => &ALL,
    }
}

impl Setting {
    /// Every setting.
    pub(crate) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for has_closure in [false, true] {
            for verification in Judge::ALL {
                for completion in Judge::ALL {
                    for stop_reason in STOPS {
                        for (text, pending_effects) in
                            variants([verification, completion], stop_reason)
                        {
                            let (text, pending_effects) = (*text, *pending_effects);
                            all.push(Self {
                                has_closure,
                                judges: PerSlot { verification, completion },
                                stop_reason,
                                text,
                                pending_effects,
                                is_artifact_missing: false,
                                standstill: Standstill::Proposed,
                                bound: None,
                                is_repeat: false,
                            });
                        }
                    }
                }
            }
        }
        let outside: Vec<Self> = all.iter().flat_map(Self::outside).collect();
        all.extend(outside);
        all
    }

    /// The same setting under an audit that convicts, and where there is no boundary; and, of a
    /// single judge, with a reading bound before and after a refusal on the same row.
    fn outside(&self) -> Vec<Self> {
        let natural = ["sentinel", "natural"].contains(&self.stop_reason);
        let mut outside = Vec::new();
        if natural {
            outside.push(Self { is_artifact_missing: true, ..self.clone() });
        }
        for standstill in [Standstill::Waiting, Standstill::Stopped] {
            outside.push(Self { standstill, ..self.clone() });
        }
        if self.judges.verification == Judge::Absent && natural {
            for bound in ["passed", "failed", "not_run"] {
                outside.push(Self { bound: Some(bound), ..self.clone() });
            }
            outside.push(Self { is_repeat: true, ..self.clone() });
        }
        outside
    }

    pub(crate) fn proposal(&self) -> Proposal {
        let boundary = Boundary {
            task: "Write the file.".to_owned(),
            stop_reason: self.stop_reason.to_owned(),
            text: self.text.to_owned(),
            pending_effects: self.pending_effects,
            ..Boundary::default()
        };
        let obligations = Obligations::of_session(&[], &[], &boundary.task);
        let mut snapshot = EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary);
        if let Some(observed) = self.bound {
            let state = json!({"oracle_expected": true, "command": "make", "observed": observed});
            let state = VerificationState::from_value(&state).expect("a reading");
            snapshot.bind(state.expect("a reading"));
        }
        let history = self.history(&snapshot);
        let policy = Policy {
            closure: if self.has_closure { Closure::Host } else { Closure::None },
            judges: PerSlot {
                verification: self.judges.verification.config(),
                completion: self.judges.completion.config(),
            },
            done_sentinel: SENTINEL.to_owned(),
            ..Policy::default()
        };
        let asked = |slot| if *self.judges.get(slot) == Judge::Capped { 2 } else { 0 };
        Proposal {
            invocations: PerSlot {
                verification: asked(Slot::Verification),
                completion: asked(Slot::Completion),
            },
            completion_due: Due::Given(true),
            deadline_at_ms: Some(1_000_000),
            standstill: self.standstill,
            findings: self.findings(),
            history,
            ..Proposal::new(snapshot, obligations, policy)
        }
    }

    fn history(&self, snapshot: &Snapshot) -> History {
        let repeat = self.is_repeat.then(|| {
            json!({
                "ids": ["r"],
                "evidence_state": snapshot.substantive_evidence_state().to_string(),
                "verified": true,
                "verifier": "make test",
            })
        });
        let repeat = serde_json::from_value(json!(repeat)).expect("a criterion");
        History { criterion_repeat: repeat, ..History::default() }
    }

    fn findings(&self) -> Findings {
        let missing: &[&str] = if self.is_artifact_missing { &["out.js"] } else { &[] };
        let lists = json!({"declared": missing, "missing": missing, "unverifiable": []});
        let audit: Audit = serde_json::from_value(lists).expect("an audit");
        Findings::of(&Evidence {
            stop_reason: self.stop_reason,
            tallies: &CallTallies::default(),
            required_tools: &[],
            audit: &audit,
        })
    }
}
