//! How test runners say how many tests they executed: one table.
//!
//! A line counts only where its runner would print it, from its beginning. All counts of an output
//! are added up, whoever reported them: a suite without tests beside one with some is no empty run,
//! and neither is a real pass whose output quotes an empty one. What remains doubtful falls on the
//! side of withholding: an output whose only report is one of no tests passes only where the policy
//! allows that. A runner that is not in the table, and one whose lines get a prefix, is read by its
//! exit status alone.

use std::sync::LazyLock;

use regex::{Captures, Regex, RegexSet};

/// What a line says.
#[derive(Clone, Copy, Debug)]
enum Says {
    /// No test was executed.
    None,
    /// Some were.
    Some,
    /// As many as the groups `ran…` less the groups `not…`; or, of a group `list`, as many as its
    /// entries that name something executed.
    Count,
}

use Says::{Count, None as Nothing, Some as Something};

/// Runner, line, and what it says. The first that matches is taken.
const TABLE: [(&str, Says, &str); 38] = [
    (
        "cargo test",
        Count,
        r"^test result: \w+\. (?<ran_a>\d+) passed; (?<ran_b>\d+) failed; \d+ ignored; (?<ran_c>\d+) measured; \d+ filtered out",
    ),
    ("nextest", Count, r"^\s*Summary \[[^\]]*\]\s+(?<ran>\d+)(?:/\d+)? tests? run:"),
    (
        "pytest",
        Count,
        r"^(?:=+ )?(?<list>\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$",
    ),
    ("unittest, bun", Count, r"^Ran (?<ran>\d+) tests? (?:in|across) "),
    ("go test", Nothing, r"^ok  \t\S+\t.*\[no tests to run\]$"),
    ("go test", Nothing, r"^\?   \t\S+\t\[no test files\]$"),
    ("go test", Something, r"^ok  \t\S+\t(?:[\d.]+s|\(cached\))"),
    ("jest", Count, r"^Tests:\s+(?<list>(?:\d+ [a-z]+, )*\d+ total)$"),
    ("phpunit", Count, r"^Tests: (?<ran>\d+), Assertions: \d+(?:.*, Skipped: (?<not>\d+))?"),
    ("vitest", Nothing, r"^\s*(?:Tests|Test Files)\s+no tests$"),
    ("vitest", Count, r"^\s*Tests\s\s(?<list>\d+ [a-z]+(?: \| \d+ [a-z]+)*)(?: \(\d+\))?$"),
    ("mocha", Count, r"^\s+(?<ran>\d+) (?:passing|failing)(?: \(\d+m?s\))?$"),
    ("node --test", Count, r"^(?:#|ℹ) (?:pass|fail) (?<ran>\d+)$"),
    ("bun test", Count, r"^\s*(?<ran>\d+) (?:pass|fail)$"),
    (
        "deno test",
        Count,
        r"^(?:ok|FAILED) \| (?<ran_a>\d+) passed(?: \(\d+ steps?\))? \| (?<ran_b>\d+) failed",
    ),
    ("TAP", Nothing, r"^1\.\.0(?: |$)"),
    ("TAP", Nothing, r"^ok \d+ .*# (?i:skip)"),
    ("TAP", Something, r"^(?:not )?ok \d+(?: |$)"),
    ("prove", Nothing, r"^Result: NOTESTS$"),
    ("prove", Count, r"^Files=\d+, Tests=(?<ran>\d+),"),
    (
        "maven",
        Count,
        r"^(?:\[\w+\] )?Tests run: (?<ran>\d+), Failures: \d+, Errors: \d+(?:, Skipped: (?<not>\d+))?",
    ),
    ("maven", Nothing, r"^(?:\[\w+\] )?No tests to run\.$"),
    ("junit, phpunit", Count, r"^OK \((?<ran>\d+) tests?(?:, \d+ assertions?)?\)$"),
    ("junit", Count, r"^\[\s*(?<ran>\d+) tests (?:successful|failed)\s*\]$"),
    ("gradle", Nothing, r"^> Task :(?:\S+:)?\w*[tT]est (?:NO-SOURCE|SKIPPED)$"),
    ("gradle", Something, r"^> Task :(?:\S+:)?\w*[tT]est(?: UP-TO-DATE| FROM-CACHE)?$"),
    ("ctest", Count, r"^\d+% tests passed, \d+ tests? failed out of (?<ran>\d+)$"),
    ("rspec", Count, r"^(?<ran>\d+) examples?, \d+ failures?(?:, (?<not>\d+) pending)?"),
    (
        "minitest",
        Count,
        r"^(?<ran>\d+) runs, \d+ assertions, \d+ failures, \d+ errors, (?<not>\d+) skips$",
    ),
    (
        "test-unit",
        Count,
        r"^(?<ran>\d+) tests, \d+ assertions, \d+ failures, \d+ errors, (?<not_a>\d+) pendings, (?<not_b>\d+) omissions",
    ),
    (
        "exunit, bats",
        Count,
        r"^(?:(?<ran_a>\d+) (?:doctests?|propert(?:y|ies)), )*(?<ran_b>\d+) tests?, \d+ failures?(?:, (?<not_a>\d+) excluded)?(?:, (?<not_b>\d+) skipped)?$",
    ),
    (
        "dotnet test",
        Count,
        r"^\s*(?:Passed|Failed|Skipped)!\s+- Failed:\s+(?<ran_a>\d+), Passed:\s+(?<ran_b>\d+),",
    ),
    ("dotnet test", Nothing, r"^No test (?:is available in|matches the given testcase filter) "),
    (
        "swift test",
        Count,
        r"^\s*(?:Executed (?<ran_a>\d+) tests?, with|.*Test run with (?<ran_b>\d+) tests? )",
    ),
    ("gtest", Count, r"^\[==========\] (?<ran>\d+) tests? from \d+ test (?:suites?|cases?) ran\."),
    (
        "catch2, doctest",
        Count,
        r"^(?:All tests passed \(\d+ assertions? in|(?:\[doctest\] )?test cases:)\s+(?<ran>\d+)",
    ),
    (
        "make",
        Nothing,
        r"^make(?:\[\d+\])?: (?:Nothing to be done for|) ?['`‘](?:test|tests|check)['’](?:\.| is up to date\.)$",
    ),
    // pytest, jest, vitest, ctest, phpunit, catch2, exunit, flutter and others.
    (
        "any",
        Nothing,
        r"^(?:=+ )?(?i:no tests?(?: files?| cases?)? (?:ran|found|(?:were )?(?:found|executed|run)|to run|collected)|there are no tests to run)\b",
    ),
];

/// Words of a list that name nothing executed.
const NOT_EXECUTED: [&str; 9] = [
    "deselected",
    "disabled",
    "ignored",
    "pending",
    "skipped",
    "todo",
    "total",
    "warning",
    "warnings",
];

/// The table, ready for use. A test holds that every pattern can be read.
struct Table {
    any: RegexSet,
    each: Vec<(Says, Regex)>,
    entry: Regex,
}

static READY: LazyLock<Option<Table>> = LazyLock::new(|| {
    let any = RegexSet::new(TABLE.map(|(_, _, pattern)| pattern)).ok()?;
    let each = TABLE.into_iter().map(|(_, says, pattern)| Some((says, Regex::new(pattern).ok()?)));
    Some(Table { any, each: each.collect::<Option<_>>()?, entry: Regex::new(ENTRY).ok()? })
});

/// An entry of a list.
const ENTRY: &str = r"(?<count>\d+) (?<word>[a-z]+)";

impl Table {
    /// How many tests a line says were executed; none where it is no report.
    fn executed(&self, line: &str) -> Option<u64> {
        let first = self.any.matches(line).iter().next()?;
        let (says, pattern) = self.each.get(first)?;
        Some(match says {
            Nothing => 0,
            Something => 1,
            Count => self.counted(&pattern.captures(line)?, pattern),
        })
    }

    fn counted(&self, found: &Captures<'_>, pattern: &Regex) -> u64 {
        let (mut ran, mut not) = (0u64, 0u64);
        for name in pattern.capture_names().flatten() {
            let Some(text) = found.name(name) else { continue };
            if name.starts_with("ran") {
                ran = ran.saturating_add(number(text.as_str()));
            } else if name.starts_with("not") {
                not = not.saturating_add(number(text.as_str()));
            } else {
                ran = ran.saturating_add(self.listed(text.as_str()));
            }
        }
        ran.saturating_sub(not)
    }

    fn listed(&self, list: &str) -> u64 {
        let entries = self.entry.captures_iter(list).filter_map(|entry| {
            let word = entry.name("word")?.as_str();
            let is_executed = !NOT_EXECUTED.contains(&word);
            is_executed.then(|| entry.name("count").map_or(0, |count| number(count.as_str())))
        });
        entries.fold(0, u64::saturating_add)
    }
}

/// A count; one too great to be written down is great.
fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

/// What the runners of one output reported, together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    has_reports: bool,
    executed: u64,
}

impl Tally {
    /// Takes one line, without colours.
    pub(super) fn take(&mut self, line: &str) {
        let executed = READY.as_ref().and_then(|table| table.executed(line.trim_end()));
        if let Some(executed) = executed {
            self.has_reports = true;
            self.executed = self.executed.saturating_add(executed);
        }
    }

    /// Whether somebody reported and nobody executed a test.
    pub(super) const fn is_empty(&self) -> bool {
        self.has_reports && self.executed == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_empty(output: &str) -> bool {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.take(line));
        tally.is_empty()
    }

    #[test]
    fn the_table_can_be_read() {
        for (runner, _, pattern) in TABLE {
            assert!(Regex::new(pattern).is_ok(), "{runner}: {pattern}");
        }
        assert!(READY.is_some());
    }

    const EMPTY: [&str; 41] = [
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 5783 filtered out\n",
        "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        "     Summary [   0.001s] 0 tests run: 0 passed, 12 skipped",
        "============================ no tests ran in 0.01s =============================",
        "no tests ran in 0.01s",
        "======================= 3 deselected, 1 warning in 0.02s =======================",
        "2 skipped in 0.01s",
        "Ran 0 tests in 0.000s\n\nOK",
        "Ran 0 tests across 0 files. [3.00ms]",
        "ok  \texample.com/a\t0.003s [no tests to run]\n?   \texample.com/b\t[no test files]",
        "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t(cached) [no tests to run]",
        "No tests found, exiting with code 0",
        "Tests:       2 skipped, 2 total",
        "Tests:       0 total",
        "No test files found, exiting with code 0",
        " Test Files  no tests\n      Tests  no tests",
        "      Tests  2 skipped (2)",
        "\n  0 passing (1ms)\n  3 pending",
        "# tests 0\n# suites 0\n# pass 0\n# fail 0",
        "ℹ tests 0\nℹ pass 0\nℹ fail 0",
        " 0 pass\n 0 fail",
        "ok | 0 passed | 0 failed | 4 filtered out (2ms)",
        "1..0 # SKIP nothing here",
        "ok 1 a # SKIP not today",
        "Files=0, Tests=0,  0 wallclock secs\nResult: NOTESTS",
        "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2",
        "[INFO] No tests to run.",
        "> Task :app:compileTestJava NO-SOURCE\n> Task :app:test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
        "No tests were found!!!",
        "0 examples, 0 failures",
        "3 examples, 0 failures, 3 pending",
        "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips",
        "No tests executed!",
        "OK (0 tests, 0 assertions)",
        "There are no tests to run",
        "No test matches the given testcase filter `X` in /a/b.dll",
        "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.001) seconds",
        "[==========] 0 tests from 0 test suites ran. (0 ms total)",
        "test cases: 0 | 0 passed | 0 failed",
        "make: 'test' is up to date.",
        "make: Nothing to be done for 'check'.",
    ];

    const EXECUTED: [&str; 33] = [
        "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s",
        "     Summary [   1.501s] 12/15 tests run: 12 passed, 3 skipped",
        "======================== 3 passed, 1 skipped in 0.12s =========================",
        "3 passed in 75.12s (0:01:15)",
        "1 xfailed in 0.01s",
        "Ran 3 tests in 0.000s\n\nOK",
        "ok  \texample.com/a\t0.003s\n?   \texample.com/b\t[no test files]",
        "ok  \texample.com/a\t(cached)\tcoverage: 12.0% of statements",
        "Tests:       1 skipped, 3 passed, 4 total",
        "      Tests  3 passed | 1 skipped (4)",
        "  3 passing (10ms)\n  1 pending",
        "ℹ tests 1\nℹ pass 1\nℹ fail 0",
        " 3 pass\n 0 fail",
        "ok | 3 passed (2 steps) | 0 failed (12ms)",
        "1..2\nok 1 a\nok 2 b # skip",
        "Files=2, Tests=5,  0 wallclock secs\nResult: PASS",
        "[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
        "> Task :test\n\nBUILD SUCCESSFUL in 1s",
        "> Task :a:test NO-SOURCE\n> Task :b:integrationTest UP-TO-DATE",
        "100% tests passed, 0 tests failed out of 12",
        "3 examples, 0 failures, 1 pending",
        "3 runs, 5 assertions, 0 failures, 0 errors, 0 skips",
        "2 doctests, 5 tests, 0 failures",
        "OK (3 tests, 5 assertions)",
        "Tests: 3, Assertions: 5, Skipped: 1.",
        "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 5 ms",
        "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.001) seconds\n✔ Test run with 3 tests passed after 0.001 seconds.",
        "[==========] 3 tests from 1 test suite ran. (0 ms total)",
        "All tests passed (5 assertions in 2 test cases)",
        "[doctest] test cases:  3 |  3 passed | 0 failed | 0 skipped",
        // Several suites, one of them without tests.
        "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        "No tests found, exiting with code 0\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
        // A real pass that quotes an empty run.
        "no tests ran in 0.01s\n3 passed in 0.12s",
    ];

    /// Nobody reports here: the exit status is all there is.
    const SILENT: [&str; 10] = [
        "",
        "   Compiling a v0.1.0\n    Finished `dev` profile",
        "assert 'test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out'",
        "the log said: no tests ran in 0.01s",
        "make: 'build' is up to date.",
        "Found 0 errors. Watching for file changes.",
        "0 problems",
        "We passed 0 arguments in 0 calls",
        "ok",
        "> Task :compileTestJava NO-SOURCE",
    ];

    #[test]
    fn an_empty_run_is_told_by_every_runner() {
        for output in EMPTY {
            assert!(is_empty(output), "{output}");
        }
    }

    #[test]
    fn a_run_of_tests_is_not_empty() {
        for output in EXECUTED.iter().chain(&SILENT) {
            assert!(!is_empty(output), "{output}");
        }
    }

    #[test]
    fn a_run_beside_an_empty_one_is_not_empty() {
        for empty in EMPTY {
            for executed in EXECUTED {
                assert!(!is_empty(&format!("{empty}\n{executed}")), "{empty}\n{executed}");
                assert!(!is_empty(&format!("{executed}\n{empty}")), "{executed}\n{empty}");
            }
        }
    }

    #[test]
    fn silence_beside_an_empty_run_stays_empty() {
        for empty in EMPTY {
            for silent in SILENT {
                assert!(is_empty(&format!("{silent}\n{empty}")), "{silent}\n{empty}");
            }
        }
    }

    #[test]
    fn counts_do_not_overflow() {
        let huge = "9".repeat(40);
        assert!(!is_empty(&format!("{huge} passed, {huge} failed in 1.0s")));
        assert!(!is_empty(&format!("Ran {huge} tests in 1s\nRan {huge} tests in 1s")));
    }
}
