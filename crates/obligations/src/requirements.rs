//! A requirement contract as it stands under the obligations.

use quittance_evidence::contract::{Contract, Requirement};
use serde::Serialize;

use crate::record::Obligations;

/// What is still required, and what a retarget retired. A retired row is neither pending nor met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RequirementsUnderObligations {
    /// The contract in force.
    pub contract: Option<Contract>,
    /// The rows declared for a replaced objective, to be recorded.
    pub retired: Vec<Requirement>,
}

impl Obligations {
    /// Applies the obligations to a contract: under a retarget every row is retired.
    #[must_use]
    pub fn requirements(&self, contract: Option<Contract>) -> RequirementsUnderObligations {
        match contract {
            Some(contract) if self.retarget.is_some() => RequirementsUnderObligations {
                contract: None,
                retired: contract.into_requirements(),
            },
            contract => RequirementsUnderObligations { contract, retired: Vec::new() },
        }
    }
}
