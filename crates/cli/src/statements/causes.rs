//! Words of receipts as sentences: one for every cause that a boundary can end for.

/// What a cause means, in one sentence; nothing where the word is not known.
pub(crate) fn sentence(cause: &str) -> Option<&'static str> {
    gate(cause).or_else(|| judge(cause)).or_else(|| boundary(cause))
}

/// Causes of the deterministic stage.
fn gate(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "no_source_write" => "The turn had to change something, and no write is in the record.",
        "verification_after_write_red" | "failed_verification" => {
            "The verifier was run after the last write, and it failed."
        }
        "repeated_verification_failures" => {
            "The verifier failed again and again, no less each time."
        }
        "verified_after_write" => "The verifier was run after the last write, and it passed.",
        "verified" => "The verifier passed; the turn itself wrote nothing.",
        "missing_verification" => {
            "A verifier is declared and was due, but it gave no reading; that is not a pass."
        }
        "no_workspace_write" => "Nothing of the work was written, so there was nothing to verify.",
        "wrote_source_no_oracle" => "Something was written, and no verifier spoke of it.",
        "gate_abstain" => "The deterministic stage had nothing to go by.",
        "facts_unavailable" => "The facts of the run could not be had.",
        "verifier_unavailable" => "The verifier could not be run here; the agent cannot mend that.",
        "stale_verification" => "The check that passed is older than the last write.",
        "non_discriminating_verification" => "The verifier would have passed without the change.",
        "required_failure_unobserved" => {
            "The verifier had to fail before the change, and nobody saw it fail."
        }
        "requirements_unmet" => "Rows of the gate's own contract are open.",
        "veto_budget_exhausted" => {
            "The gate had refused as often as it may; it let go, unsatisfied."
        }
        "deadline" => "Our own clock ended the verifier; the agent cannot mend that.",
        _ => return None,
    })
}

/// Causes of a judge's stage.
fn judge(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "judge_done" => "A judge that was asked said that the work is done.",
        "judge_veto" => "A judge that was asked said what is missing.",
        "empty_answer" => "The last message holds neither a letter nor a digit.",
        "completion_requirements_pending" => {
            "A row of the contract has not been found met on evidence that counts for it."
        }
        "completion_judge_report_omitted" => "The judge approved and assessed no row.",
        "completion_judge_gap_contradicts_done" => "The judge approved and named a gap.",
        "failed_verification_contradicted_by_gate" => {
            "The judge missed a verification that the verifier says has passed."
        }
        "gap_contradicts_done_survived_reask_over_passing_verifier" => {
            "The judge approved beside a gap that it did not name, and the verifier has passed."
        }
        "completion_judge_deadline_admission_refused" => {
            "The judge's question did not fit before the deadline."
        }
        "completion_judge_model_unconfigured" => "The judge has no model that can answer.",
        "completion_judge_route_unavailable" => {
            "The judge could not be reached: a key is missing or refused, or something on this \
             machine is in the way."
        }
        "completion_judge_deadline_timeout" => "The judge did not answer in time.",
        "completion_judge_error" => "The judge answered twice, and neither answer could be read.",
        "completion_judge_cap_reached" | "turn_end_judge_cap_reached" => {
            "The judge had been asked as often as it may be."
        }
        "judge_cap_reached_over_verified_pass" => {
            "The judge had been asked as often as it may be, and the verifier has passed."
        }
        "repeated_criterion_over_verified_pass" => {
            "The judge refused on the same criterion again, over a verifier that has passed."
        }
        _ => return None,
    })
}

/// Causes of the boundary as a whole.
fn boundary(cause: &str) -> Option<&'static str> {
    Some(match cause {
        "accepted_stop" => "A typed record of the host shows that the user stopped the run.",
        "no_adjudicator" => "No verifier and no judge is declared.",
        "requirements_unassessed" => {
            "Rows are declared that no judge is there to assess, so nothing can be approved."
        }
        "red_verifier_not_confirmed" => "An approval stood over a verifier that failed.",
        "completion_verifier_invalid_result" => "The deterministic stage gave no usable answer.",
        "declared_artifact_missing" => "A declared path is not there.",
        "required_tool_missing" => "No call of a required tool went well.",
        "no_tool_call_succeeded" => "Every call is known to have failed.",
        "cap" => "The turn had been refused as often as it may be; it was let go, unsatisfied.",
        "repeat" => {
            "The same feedback on the same evidence had been given twice; it was let go, \
             unsatisfied."
        }
        "policy_untrusted" => "The project's policy is not one that this user has trusted.",
        "judge_unusable" => "A judge is declared that cannot be asked.",
        "ledger_unavailable" => "Refusals could not be counted, so none was given.",
        "record_unreadable" => "The run's transcript could not be read.",
        "internal" => "Quittance failed inside; the stop was let go.",
        "half_written" => "The record ends inside a line.",
        "pending_message" => "A message was sent that the agent has not received.",
        "question" => "The agent asked a person something.",
        "unanswered_call" => "A call has no answer yet.",
        "background" => "Something still runs in the background.",
        "unanswered" => "The agent has not answered what came last.",
        "interrupted" => "The run was interrupted.",
        "api_error" => "The model's server failed.",
        "max_turns" => "The host's limit of turns was reached.",
        "hook_stopped" => "A hook ended the run.",
        "max_tokens" => "The model's answer was cut at its limit of tokens.",
        "refusal" => "The model's provider refused to go on.",
        "pause_turn" => "The model paused, to be asked to go on.",
        "unfinished" => "The run has not come to an end.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use quittance_judge::abandonment::AbandonmentCause;
    use quittance_judge::gate::GateReason;
    use quittance_judge::verdict::{JudgeOutcome, Rule};

    use super::*;

    #[test]
    fn every_word_of_the_cores_has_a_sentence() {
        let words = GateReason::ALL.into_iter().map(GateReason::as_str);
        let words = words.chain(Rule::ALL.into_iter().map(Rule::as_str));
        let words = words.chain(JudgeOutcome::ALL.into_iter().filter_map(|o| o.terminal_reason()));
        let words = words.chain(AbandonmentCause::ALL.into_iter().map(AbandonmentCause::as_str));
        let without: Vec<&str> = words.filter(|word| sentence(word).is_none()).collect();
        assert_eq!(without, Vec::<&str>::new());
        assert_eq!(sentence("a word nobody knows"), None);
    }
}
