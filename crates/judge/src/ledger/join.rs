//! The reports of three authorities, joined into the one ledger of a boundary.

use std::collections::{BTreeMap, BTreeSet};

use quittance_evidence::contract::EvidenceRole;

use super::report::{Report, Row, open_names};

/// The reports of the three authorities. A row that several declare is met only when each of them
/// found it met; an empty report erases nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "one report for each authority, by its name")]
pub struct Boundary {
    pub gate: Report,
    pub verification: Report,
    pub completion: Report,
}

impl Boundary {
    /// Joins the reports. Rows keep the place and the name of their first declaration; what is
    /// pending under no row's name stays pending.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut joined = Joined::default();
        for report in [&self.gate, &self.verification, &self.completion] {
            joined.push(report);
        }
        joined.finish()
    }
}

#[derive(Debug, Default)]
struct Joined {
    rows: Vec<Row>,
    positions: BTreeMap<String, usize>,
    cited: Vec<BTreeSet<i64>>,
    roles: Vec<BTreeSet<EvidenceRole>>,
    diagnostics: Vec<String>,
    diagnosed: BTreeSet<String>,
    reported_count: usize,
}

impl Joined {
    fn push(&mut self, report: &Report) {
        self.reported_count = self.reported_count.saturating_add(report.reported_count());
        for row in report.rows() {
            self.push_row(row);
        }
        let own: BTreeSet<&str> = report.rows().iter().map(|row| row.name.as_str()).collect();
        for name in report.pending_names() {
            if !own.contains(name.as_str()) && self.diagnosed.insert(name.clone()) {
                self.diagnostics.push(name.clone());
            }
        }
    }

    fn push_row(&mut self, row: &Row) {
        let position = self.positions.get(&row.requirement_id).copied();
        let known = position.and_then(|at| {
            Some((self.rows.get_mut(at)?, self.cited.get_mut(at)?, self.roles.get_mut(at)?))
        });
        let Some((prior, cited, roles)) = known else {
            self.positions.insert(row.requirement_id.clone(), self.rows.len());
            self.cited.push(row.evidence_refs.iter().copied().collect());
            self.roles.push(row.evidence_roles.iter().copied().collect());
            self.rows.push(row.clone());
            return;
        };
        prior.evidence_refs.extend(row.evidence_refs.iter().filter(|index| cited.insert(**index)));
        prior.evidence_roles.extend(row.evidence_roles.iter().filter(|role| roles.insert(**role)));
        if prior.met {
            prior.status = row.status;
        }
        prior.met &= row.met;
    }

    fn finish(self) -> Report {
        let mut pending: Vec<String> = open_names(&self.rows).map(str::to_owned).collect();
        pending.extend(self.diagnostics);
        Report::new(self.rows, pending, self.reported_count)
    }
}
