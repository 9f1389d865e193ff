//! Every turn ends, under any judge, any verifier and any other key of the policy.

use proptest::prelude::*;
use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{Contract, EvidenceBuilder, ToolCatalogue};
use quittance_judge::gate::{Facts, Gate, OnExhausted, VerifierRun, Verify, WriteCounts};
use quittance_judge::machine::{Decision, Failure, Progress, Proposal, Reply, open};
use quittance_judge::policy::{Closure, JudgeConfig, PerSlot, Policy, Slot};
use quittance_judge::turn::{RefusalCap, Refusals};
use quittance_obligations::Obligations;
use serde_json::{Value, json};

/// The most that one boundary asks: a closure, and each judge six times.
const QUESTIONS_MAX: usize = 1 + 2 * 6;

/// Answers without end, the worst first and then whatever comes.
#[derive(Clone, Debug)]
struct Adversary {
    choices: Vec<u8>,
    at: usize,
}

impl Adversary {
    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        let choice = self.choices.get(self.at % self.choices.len().max(1)).copied().unwrap_or(0);
        self.at += 1;
        from[usize::from(choice) % from.len()].clone()
    }

    fn reply(&mut self) -> Reply {
        let gap = |quote: &str| {
            json!({"criterion": "ends with ##DONE##", "detail": "more", "gap_class": "other",
                   "evidence_quote": quote, "requirement_id": "r"})
        };
        let met = json!([{"requirement_id": "r", "met": true, "evidence_refs": [-1]}]);
        let bodies = [
            json!({"verdict": "continue", "detail": "more", "gaps": [gap("")]}),
            json!({"verdict": "continue", "detail": "more", "gaps": [gap("never shown")]}),
            json!({"verdict": "continue", "detail": "", "requirement_report": met}),
            json!({"verdict": "done", "detail": "fine", "gap_class": "other"}),
            json!({"verdict": "done", "detail": "fine", "gaps": [gap("")]}),
            json!({"verdict": "done", "detail": "fine"}),
            json!("nothing"),
            json!(null),
        ];
        match self.choose(&bodies) {
            Value::Null => Reply::Failed { failure: Failure::Other, message: "502".to_owned() },
            body => Reply::text(body.to_string()),
        }
    }

    fn closure(&mut self) -> Value {
        let red = json!({"oracle_expected": true, "command": "make", "observed": "failed"});
        let green = json!({"oracle_expected": true, "command": "make", "observed": "passed"});
        self.choose(&[
            json!("not yet"),
            json!({"confirm": false, "reason": "no", "verification": red}),
            json!({"confirm": true, "reason": "verified", "verification": green}),
            json!(false),
            json!(""),
        ])
    }

    fn facts(&mut self) -> Facts {
        let run = |ok| VerifierRun::Ran(vec![Verify { ok, ..Verify::default() }]);
        let verifier = self.choose(&[run(false), VerifierRun::NotRun, run(true), run(false)]);
        let source = self.choose(&[1, 0, 1]);
        Facts {
            writes: Some(WriteCounts { source, ..WriteCounts::default() }),
            verifier,
            oracle_expected: true,
            ..Facts::default()
        }
    }
}

/// What a policy may say.
#[derive(Clone, Debug)]
struct Keys {
    closure: u8,
    max_vetoes: i64,
    on_exhausted: bool,
    judges: [Option<(i64, bool)>; 2],
    cap: u8,
    text_changes: bool,
    stop: &'static str,
}

fn keys() -> impl Strategy<Value = Keys> {
    let judge = prop::option::of((prop_oneof![Just(0), 1_i64..6], any::<bool>()));
    let vetoes = prop_oneof![Just(0), Just(i64::MIN), Just(i64::MAX), -3_i64..9];
    let stop = prop::sample::select(&["sentinel", "natural", "stalled", "max_iterations"][..]);
    (0_u8..3, vetoes, any::<bool>(), [judge.clone(), judge], 1_u8..=7, any::<bool>(), stop)
        .prop_map(|(closure, max_vetoes, on_exhausted, judges, cap, text_changes, stop)| Keys {
            closure,
            max_vetoes,
            on_exhausted,
            judges,
            cap,
            text_changes,
            stop,
        })
}

impl Keys {
    fn policy(&self) -> Policy {
        let row = json!({"requirements": [{"requirement_id": "r", "name": "The row."}]});
        let judge = |keys: Option<(i64, bool)>| {
            keys.map(|(cap, has_rows)| JudgeConfig {
                model: Some("m".to_owned()),
                max_invocations: Some(cap),
                contract: Contract::from_value(&row).expect("rows").filter(|_| has_rows),
                ..JudgeConfig::default()
            })
        };
        let on_exhausted =
            if self.on_exhausted { OnExhausted::Allow } else { OnExhausted::StopUnverified };
        let gate = Gate {
            requires_write: true,
            max_vetoes: self.max_vetoes,
            on_exhausted,
            ..Gate::default()
        };
        Policy {
            closure: match self.closure {
                0 => Closure::None,
                1 => Closure::Host,
                _ => Closure::Gate(gate),
            },
            judges: PerSlot {
                verification: judge(self.judges[0]),
                completion: judge(self.judges[1]),
            },
            done_sentinel: "##DONE##".to_owned(),
            ..Policy::default()
        }
    }

    fn proposal(&self, round: i64) -> Proposal {
        let text = if self.text_changes { format!("Try {round}.") } else { "Done.".to_owned() };
        let boundary = Boundary {
            task: "Do it.".to_owned(),
            stop_reason: self.stop.to_owned(),
            text,
            iteration: round,
            ..Boundary::default()
        };
        let obligations = Obligations::of_session(&[], &[], "Do it.");
        let snapshot = EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary);
        Proposal::new(snapshot, obligations, self.policy())
    }
}

fn decide(proposal: Proposal, adversary: &mut Adversary) -> (Decision, usize) {
    let mut progress = open(proposal, 0);
    let mut questions = 0;
    loop {
        progress = match progress {
            Progress::Closure(asked) => asked.answer(&adversary.closure(), 0),
            Progress::Facts(asked) => asked.answer(Some(&adversary.facts()), 0),
            Progress::Precheck(asked) => asked.answer(&json!({"kind": "unsure"}), 0),
            Progress::Judge(asked) => asked.answer(&adversary.reply(), 0),
            Progress::Decided(decision) => return (*decision, questions),
        };
        questions += 1;
        assert!(questions <= QUESTIONS_MAX, "a boundary asks without end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_turn_ends(keys in keys(), choices in prop::collection::vec(any::<u8>(), 1..40)) {
        let mut adversary = Adversary { choices, at: 0 };
        let cap = RefusalCap::new(keys.cap).expect("a cap");
        let (mut refusals, mut earlier) = (Refusals::default(), Vec::<Decision>::new());
        for round in 0.. {
            prop_assert!(round <= i64::from(keys.cap), "{round} refusals under a cap of {}", keys.cap);
            let mut proposal = keys.proposal(round);
            for decision in &earlier {
                for slot in Slot::ALL {
                    let asked = decision.directive.receipt.invoked.judge(slot);
                    *proposal.invocations.get_mut(slot) += u64::from(asked);
                }
                if let Some(charge) = &decision.charge {
                    proposal.vetoes.charge(charge);
                }
                proposal.history = decision.history.clone();
            }
            let (decision, _) = decide(proposal, &mut adversary);
            let ruling = refusals.rule(&decision, cap);
            if ruling.block.is_none() {
                prop_assert!(ruling.unmet.is_none() || !ruling.outcome.approves());
                break;
            }
            prop_assert!(!ruling.block.unwrap_or_default().trim().is_empty());
            earlier.push(decision);
        }
    }
}
