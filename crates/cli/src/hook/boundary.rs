//! One boundary of a running agent: read, decided, committed, and only then answered.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quittance_artifacts::{Disk, NoRoot, Probe};
use quittance_driver::policy::Trust;
use quittance_driver::replay::FromReceipt;
use quittance_driver::{
    Adjudicated, Before, Case, HostSays, Live, Redactor, Unread, UserConfig, adjudicate, unread,
};
use quittance_hosts::Waiting;
use quittance_hosts::hook::{HookAnswer, HookInput};
use quittance_judge::outcome::Outcome;
use quittance_ledger::Receipt;
use quittance_ledger::store::{LEDGER_UNAVAILABLE, Loaded, Notice, State};
use serde_json::{Map, Value, json};

use super::Undecided;
use super::keeping::{self, Kept, Ledger};
use super::obeyed::{self, Obeyed};
use super::reading::Reading;
use crate::folders::Folders;
use crate::input::{self, ReadTurn};
use crate::judges::Judges;
use crate::ledger_place;
use crate::processes::Processes;
use crate::statements::causes;

/// What is kept back of the deadline for committing and answering.
const RESERVE: Duration = Duration::from_secs(5);

/// Everything one boundary is decided under.
struct Setting<'a> {
    input: &'a HookInput,
    obeyed: Obeyed,
    user: UserConfig,
    redactor: Option<Arc<Redactor>>,
    ledger: Ledger,
    until: Instant,
}

/// Decides one boundary. What is answered is on record first, and so is that nothing could be
/// decided.
pub(super) fn decide(input: &HookInput, opened: Instant) -> Result<HookAnswer, Undecided> {
    let setting = Setting::of(input, opened)?;
    let decided = catch_unwind(AssertUnwindSafe(|| setting.decide()));
    let decided = decided.unwrap_or_else(|_| Err(Undecided::inside()));
    if let Err(undecided) = &decided {
        setting.ledger.record(&setting.unread(undecided));
    }
    decided
}

impl<'a> Setting<'a> {
    fn of(input: &'a HookInput, opened: Instant) -> Result<Self, Undecided> {
        let folders = Folders::of_user()
            .ok_or_else(|| Undecided::new("internal", "this user has no home folder"))?;
        let here = || std::env::current_dir().unwrap_or_default();
        let work = input.cwd.as_ref().map_or_else(here, PathBuf::from);
        let obeyed = obeyed::policy(&work, &folders)?;
        let unusable = |error: &dyn std::fmt::Display| Undecided::cannot("configuration", error);
        let user = UserConfig::load(&folders.config).map_err(|error| unusable(&error))?;
        let policy = &obeyed.policy.policy;
        let redactor = input::redactor(policy, &user).map_err(|error| unusable(&error))?;
        let place = ledger_place::of(&obeyed.root, &folders, policy);
        let deadline = Duration::from_secs(policy.hook.deadline_s.into());
        let until = opened + deadline.saturating_sub(RESERVE);
        Ok(Self { input, obeyed, user, redactor, ledger: Ledger::of(place, input), until })
    }

    fn decide(&self) -> Result<HookAnswer, Undecided> {
        let read = self.reading().turn()?;
        let loaded = self.ledger.load()?;
        let runtime = input::runtime().map_err(|error| Undecided::cannot("internal", error))?;
        let answer = runtime.block_on(self.settle(read.turn, loaded))?;
        if let Some(position) = &read.position {
            self.ledger.keep_position(position);
        }
        Ok(answer)
    }

    fn reading(&self) -> Reading<'_> {
        Reading {
            input: self.input,
            policy: &self.obeyed.policy.policy,
            redactor: self.redactor.as_ref(),
            from: self.ledger.position(),
            until: self.until,
        }
    }

    /// Adjudicates, and commits; where others committed meanwhile, again on their counters, with
    /// the answers that there are.
    async fn settle(&self, read: ReadTurn, mut loaded: Loaded) -> Result<HookAnswer, Undecided> {
        let file = self.input.transcript.as_deref().and_then(keeping::identity);
        let standing = read.assessment();
        let host = self.host_says(read.session.waiting.contains(&Waiting::Unanswered));
        let policy = &self.obeyed.policy;
        let case = Case::open(read.session, host, &policy.policy, self.probe().as_ref());
        let before = |state: &State, undecided| Before {
            turn: keeping::before(state, file),
            deadline_ms: Some(self.left_ms()),
            standing: standing.clone(),
            undecided,
        };
        let mut adjudicated = self.adjudicate(case, before(&loaded.state, self.undecided())).await;
        loop {
            let receipt = self.made(&adjudicated, &loaded);
            let mut after = State {
                turn: adjudicated.after.clone(),
                session: loaded.state.session.clone(),
                file,
            };
            let answer = self.answer(&adjudicated, &mut after);
            match self.ledger.commit(&loaded, &after, &receipt) {
                Kept::Whole => return Ok(answer),
                Kept::Not(undecided) => return Err(undecided),
                Kept::MovedOn(_) if Instant::now() >= self.until => {
                    let why = "others kept committing to this turn until the deadline";
                    return Err(Undecided::new(LEDGER_UNAVAILABLE, why));
                }
                Kept::MovedOn(now) => loaded = *now,
            }
            let body = adjudicated.receipt.body();
            let undecided = body.inputs.undecided.clone();
            let again =
                Before { deadline_ms: body.inputs.deadline_ms, ..before(&loaded.state, undecided) };
            let mut answers = FromReceipt::of(body);
            adjudicated = adjudicate(adjudicated.case, policy, again, &mut answers).await;
        }
    }

    /// Asks whoever the policy names.
    async fn adjudicate(&self, case: Case, before: Before) -> Adjudicated {
        let policy = &self.obeyed.policy;
        let root = &self.obeyed.root;
        let processes = Processes::of(Some(root), &self.user);
        let judges = Judges::of(&policy.policy, root, &self.user, &processes);
        let (judges, before) = match judges {
            Ok(judges) => (judges, before),
            // The judge that is declared cannot be asked, so nobody can decide.
            Err(error) => {
                let _ = std::io::Write::write_fmt(
                    &mut std::io::stderr(),
                    format_args!("quittance: cannot {error}\n"),
                );
                let undecided = Some("judge_unusable".to_owned());
                (Judges::none(), Before { undecided, ..before })
            }
        };
        let left = self.until.saturating_duration_since(Instant::now());
        let effects = Live::open(Some(left), &processes, judges.slots());
        let mut effects = effects.redacting(self.redactor.as_deref());
        adjudicate(case, policy, before, &mut effects).await
    }

    /// The receipt that says why nothing could be decided.
    fn unread(&self, undecided: &Undecided) -> Receipt {
        let agent = self.input.agent.as_ref().map(|agent| agent.id.clone().unwrap_or_default());
        let boundary = Unread {
            session: self.input.session.clone(),
            agent,
            host: self.host_says(false),
            cause: undecided.cause.to_owned(),
        };
        let mut local = self.local();
        local.insert("why".to_owned(), undecided.why.clone().into());
        unread(&self.obeyed.policy, boundary).made_here(local)
    }

    /// A host that hands over all that was said has ended its agent no less than one that hands over
    /// the closing message: where its file never shows that message, all stands in its place.
    fn host_says(&self, is_unanswered: bool) -> HostSays {
        let said = self.input.said.as_ref().filter(|_| is_unanswered);
        let candidate = self.input.answer.as_ref().or(said);
        let candidate = candidate.cloned().map(|text| self.redacted(text));
        HostSays { candidate, waiting: self.waiting() }
    }

    fn undecided(&self) -> Option<String> {
        let is_untrusted = self.obeyed.policy.trust == Some(Trust::PolicyUntrusted);
        is_untrusted.then(|| "policy_untrusted".to_owned())
    }

    fn redacted(&self, text: String) -> String {
        use quittance_hosts::Rewrite;
        match &self.redactor {
            Some(redactor) => redactor.rewrite(&text).into_owned(),
            None => text,
        }
    }

    /// Work that still runs means not yet. So do a sub-agent's siblings: what it lacks, one of them
    /// may be about to write.
    fn waiting(&self) -> Vec<String> {
        let is_running = !self.input.background.is_empty();
        is_running.then(|| "background".to_owned()).into_iter().collect()
    }

    fn probe(&self) -> Box<dyn Probe> {
        match Disk::open(&self.obeyed.root) {
            Ok(disk) => Box::new(disk),
            // Then nothing can be told of any path, which convicts nobody.
            Err(_) => Box::new(NoRoot),
        }
    }

    fn left_ms(&self) -> i64 {
        let left = self.until.saturating_duration_since(Instant::now());
        i64::try_from(left.as_millis()).unwrap_or(i64::MAX)
    }

    /// The receipt with what is outside its id.
    fn made(&self, adjudicated: &Adjudicated, loaded: &Loaded) -> Receipt {
        adjudicated.receipt.clone().superseding(loaded.last_receipt).made_here(self.local())
    }

    /// When and where the boundary was.
    fn local(&self) -> Map<String, Value> {
        let mut local = Map::new();
        local.insert("recorded_at_ms".to_owned(), keeping::wall_clock_ms().into());
        local.insert("root".to_owned(), shown(&self.obeyed.root));
        local.insert("transcript".to_owned(), json!(self.input.transcript));
        local.insert(
            "hook".to_owned(),
            json!({
                "event": self.input.event,
                "stop_hook_active": self.input.stop_hook_active,
                "notes": self.input.notes,
            }),
        );
        local
    }

    fn answer(&self, adjudicated: &Adjudicated, after: &mut State) -> HookAnswer {
        let ruling = &adjudicated.ruling;
        if let Some(reason) = &ruling.block {
            return HookAnswer::Block { reason: reason.clone() };
        }
        let is_changed = self.obeyed.policy.trust == Some(Trust::PolicyChanged);
        let tells_change = is_changed && after.session.told.insert(Notice::PolicyChanged);
        let is_untrusted = ruling.cause == "policy_untrusted";
        let tells_trust = !is_untrusted || after.session.told.insert(Notice::PolicyUntrusted);
        match ruling.outcome {
            Outcome::Unverified if tells_trust => {
                HookAnswer::unverified(&why(&ruling.cause, ruling.unmet.as_deref()))
            }
            _ if tells_change => HookAnswer::AllowWithNotice { message: CHANGED.to_owned() },
            _ => HookAnswer::Allow,
        }
    }
}

const CHANGED: &str = "quittance: the policy file is another than the copy you trust; the copy was \
obeyed. `quittance trust` makes the file the copy.";

fn why(cause: &str, unmet: Option<&str>) -> String {
    let sentence = causes::sentence(cause).unwrap_or_default();
    let unmet = unmet.map(|unmet| format!(" Unmet: {unmet}")).unwrap_or_default();
    format!("{cause}: {sentence}{unmet}")
}

fn shown(path: &Path) -> Value {
    path.to_string_lossy().into()
}
