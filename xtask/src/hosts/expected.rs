//! What each scenario must come to in each client, as `expected.toml` says it.
//!
//! A row holds for every client; below it a client may have a word of its own, or the reason why
//! it cannot show the scenario at all. Every scenario of the driver has a row, so that none is
//! passed over in silence.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::client::Client;
use super::stop::Stop;
use crate::failure::{Failure, Finding};
use crate::files;

/// The table.
const TABLE: &str = include_str!("expected.toml");

/// How long one run may take, in seconds, where the table says nothing else. The longest promised one
/// takes ten; a loop that does not end has to end here.
const RUN_SECONDS: u32 = 90;

/// Which policy the project has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Policy {
    /// The file is declared, and a verifier looks at it.
    #[default]
    Verifier,
    /// The file is declared, and nobody adjudicates.
    Artifact,
}

impl Policy {
    /// Its text.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Verifier => include_str!("policies/verifier.toml"),
            Self::Artifact => include_str!("policies/artifact.toml"),
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::Verifier => "",
            Self::Artifact => "-artifact",
        }
    }
}

/// Into whose settings the hook is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scope {
    /// The project's, which name the program alone: a recorder stands in for it.
    #[default]
    Project,
    /// The user's, which name the program by its path: nothing stands between it and the client.
    User,
}

impl Scope {
    /// As `quittance install` takes it.
    pub(crate) const fn flag(self) -> &'static str {
        match self {
            Self::Project => "--project",
            Self::User => "--user",
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Self::Project => "",
            Self::User => "-unrecorded",
        }
    }
}

/// Who ended the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ended {
    /// The client, in its own time.
    #[default]
    Client,
    /// The driver, after as many turns as the scenario grants.
    Driver,
}

/// Whom a refusal reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Refusals {
    /// The model.
    #[default]
    ReachTheModel,
    /// Nobody: the client asks its model nothing any more.
    ReachNobody,
}

/// One row, as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Case {
    /// The scenario, by the name of its file.
    pub(crate) scenario: String,
    /// A scenario that was played before it in the same project.
    pub(crate) after: Option<String>,
    /// Whether the hook is run as it is installed where the scenario has a way of its own.
    #[serde(default)]
    pub(crate) plain: bool,
    #[serde(default)]
    pub(crate) policy: Policy,
    #[serde(default)]
    pub(crate) scope: Scope,
    /// Whether it is played in CI, and wherever nobody asks for more.
    #[serde(default)]
    ci: bool,
    #[serde(default)]
    stops: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    told: bool,
    #[serde(default)]
    refusals: Refusals,
    #[serde(default)]
    ended: Ended,
    /// What one client has of its own.
    #[serde(default)]
    client: BTreeMap<Client, Own>,
}

/// What one client has of its own, in place of what the row says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Own {
    cannot: Option<String>,
    stops: Option<Vec<String>>,
    files: Option<Vec<String>>,
    told: Option<bool>,
    ended: Option<Ended>,
    server: Option<bool>,
    seconds: Option<u32>,
}

/// What one client must come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    /// What each stop came to, in order.
    pub(crate) stops: Vec<Stop>,
    /// Files that the agent left in the project.
    pub(crate) files: Vec<String>,
    /// Whether the client's user is shown why the last stop is no approval.
    pub(crate) told: bool,
    /// Whom a refusal reaches.
    pub(crate) refusals: Refusals,
    /// Who ended the run.
    pub(crate) ended: Ended,
    /// Whether Codex runs as a server that a program drives, which shows what `exec` does not.
    pub(crate) server: bool,
    /// How long it may take, in seconds.
    pub(crate) seconds: u32,
}

/// What is to be done with one scenario in one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// Play it, and hold it to this.
    Play(Expected),
    /// The client cannot show it, for this reason.
    Cannot(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    case: Vec<Case>,
}

impl Case {
    /// The name of its folder and of its line in the printed table.
    pub(crate) fn name(&self) -> String {
        [&self.scenario, self.policy.suffix(), self.scope.suffix()].concat()
    }

    /// What one client must come to.
    pub(crate) fn plan(&self, client: Client) -> Result<Plan, Failure> {
        let own = self.client.get(&client).cloned().unwrap_or_default();
        if let Some(reason) = own.cannot {
            return Ok(Plan::Cannot(reason));
        }
        let stops = own.stops.as_ref().unwrap_or(&self.stops);
        let stops = Stop::sequence(stops).map_err(|cause| Failure::Shape {
            what: format!("the stops of `{}` in {client}", self.name()),
            cause,
        })?;
        Ok(Plan::Play(Expected {
            stops,
            files: own.files.unwrap_or_else(|| self.files.clone()),
            told: own.told.unwrap_or(self.told),
            refusals: self.refusals,
            ended: own.ended.unwrap_or(self.ended),
            server: own.server.unwrap_or_default(),
            seconds: own.seconds.unwrap_or(RUN_SECONDS),
        }))
    }
}

/// Which rows are played.
#[derive(Clone, Debug)]
pub(crate) enum Selection {
    /// Those that CI plays.
    Ci,
    /// Every one.
    All,
    /// Those of these scenarios.
    Named(Vec<String>),
}

/// The rows that are selected.
pub(crate) fn cases(selection: &Selection) -> Result<Vec<Case>, Failure> {
    let mut cases = table()?;
    if let Selection::Named(names) = selection {
        let is_known = |name: &&String| cases.iter().any(|case| fits(case, name));
        let unknown = names.iter().filter(|name| !is_known(name));
        let unknown = unknown.map(|name| Finding::at(name, "no such scenario"));
        Failure::unless_empty(unknown.collect())?;
    }
    cases.retain(|case| match selection {
        Selection::Ci => case.ci,
        Selection::All => true,
        Selection::Named(names) => names.iter().any(|name| fits(case, name)),
    });
    Ok(cases)
}

fn fits(case: &Case, name: &str) -> bool {
    case.scenario == name || case.name() == name
}

fn table() -> Result<Vec<Case>, Failure> {
    let table: Table = toml::from_str(TABLE).map_err(|cause| Failure::Shape {
        what: "the table of what clients must come to".to_owned(),
        cause: cause.to_string(),
    })?;
    Ok(table.case)
}

/// Scenarios without a row, and rows without a scenario.
pub(crate) fn strays(scenarios: &Path) -> Result<Vec<Finding>, Failure> {
    let mut there = BTreeSet::new();
    for entry in fs::read_dir(scenarios).map_err(|cause| files::unusable(scenarios, cause))? {
        let entry = entry.map_err(|cause| files::unusable(scenarios, cause))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        there.extend(name.strip_suffix(".json").map(str::to_owned));
    }
    let listed: BTreeSet<_> = table()?.into_iter().map(|case| case.scenario).collect();
    let unlisted = there.difference(&listed).map(|name| Finding::at(name, "has no expected end"));
    let gone = listed.difference(&there).map(|name| Finding::at(name, "is no scenario any more"));
    Ok(unlisted.chain(gone).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Plan, Policy, Selection, cases, strays};
    use crate::files;
    use crate::hosts::client::Client;

    #[test]
    fn every_row_can_be_read_for_every_client() {
        let cases = cases(&Selection::All).unwrap();
        let names: BTreeSet<_> = cases.iter().map(super::Case::name).collect();
        assert_eq!(names.len(), cases.len(), "two rows share a folder");
        for (case, client) in cases.iter().flat_map(|case| Client::ALL.map(|client| (case, client)))
        {
            if let Plan::Cannot(reason) = case.plan(client).unwrap() {
                assert!(!reason.trim().is_empty(), "{} in {client}", case.name());
            }
        }
    }

    #[test]
    fn ci_plays_the_four_that_were_promised() {
        let cases = cases(&Selection::Ci).unwrap();
        let played: BTreeSet<_> = cases.iter().map(|case| case.scenario.as_str()).collect();
        let promised = ["false_done", "honest_done", "never_done", "subagent_false_done"];
        assert_eq!(played, BTreeSet::from(promised));
    }

    #[test]
    fn a_scenario_is_selected_with_each_of_its_policies() {
        let named = |name: &str| cases(&Selection::Named(vec![name.to_owned()]));
        assert!(named("false_done").unwrap().len() > 1);
        let one = named("false_done-artifact").unwrap();
        assert_eq!(one.len(), 1);
        assert_eq!(one[0].policy, Policy::Artifact);
        assert!(named("no_such_thing").unwrap_err().to_string().contains("no_such_thing"));
    }

    #[test]
    fn every_scenario_has_a_row() {
        let scenarios = files::root().join("../shared/hosts/scenarios");
        if !scenarios.is_dir() {
            println!("skipped: there are no scenarios beside this checkout");
            return;
        }
        assert_eq!(strays(&scenarios).unwrap(), []);
    }
}
