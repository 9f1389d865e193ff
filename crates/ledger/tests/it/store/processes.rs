//! Many processes at once, and processes that are killed.

use std::collections::BTreeSet;
use std::time::Duration;

use quittance_ledger::store::{Filter, Lookup};

use super::child::{Job, reports, start};
use super::ledger::{Ledger, refusals, scope, whole};

const PROCESSES: usize = 64;

/// Starts all, lets all go, and gives what they reported.
fn at_once(job: Job, ledger: &Ledger) -> Vec<String> {
    let mut children: Vec<_> = (0..PROCESSES).map(|_| start(job, &ledger.path())).collect();
    for child in &mut children {
        drop(child.stdin.take());
    }
    let mut ids = Vec::new();
    for mut child in children {
        ids.extend(reports(child.stdout.take().unwrap()));
        assert!(child.wait().unwrap().success());
    }
    ids
}

/// Not even the ledger is there when they begin.
#[test]
fn sixty_four_processes_count_exactly_on_one_turn() {
    let ledger = Ledger::new();
    let ids = at_once(Job::CommitTwo, &ledger);
    let boundaries = 2 * PROCESSES as u64;
    let store = ledger.open();
    let loaded = store.load(&scope("shared")).unwrap();
    assert_eq!((loaded.version.boundaries(), refusals(&loaded.state)), (boundaries, boundaries));

    let listing = store.reader().list(&Filter { limit: 1_000, ..Filter::default() }).unwrap();
    let numbers: Vec<_> = listing.receipts.iter().rev().map(|r| r.boundary).collect();
    assert_eq!(numbers, (1..=boundaries).collect::<Vec<_>>());
    for [newer, older] in listing.receipts.array_windows() {
        assert_eq!(newer.supersedes, Some(older.id));
    }
    let listed: BTreeSet<_> = listing.receipts.iter().map(|r| r.id.to_string()).collect();
    assert_eq!(listed, ids.into_iter().collect());
    assert_eq!(store.reader().check().unwrap(), [""; 0]);
}

#[test]
fn a_damaged_ledger_is_set_aside_once_by_sixty_four_who_find_it() {
    let ledger = Ledger::new();
    std::fs::create_dir(ledger.path().parent().unwrap()).unwrap();
    std::fs::write(ledger.path(), "this is no database, whatever it was before").unwrap();
    let ids = at_once(Job::Mend, &ledger);
    assert_eq!(ids.len(), PROCESSES);
    let store = ledger.open();
    assert_eq!(store.load(&scope("shared")).unwrap().version.boundaries(), PROCESSES as u64);
    let folder = std::fs::read_dir(ledger.path().parent().unwrap()).unwrap();
    let names = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let aside: Vec<_> = names.filter(|name| name.contains("corrupt")).collect();
    assert_eq!(aside, ["ledger.db.corrupt-1"]);
}

const KILLS: u32 = 1_000;
/// Ledgers are made anew again and again, so that some processes die making one.
const KILLS_PER_LEDGER: u32 = 25;
const LANES: u32 = 2;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Kills processes that commit to one ledger; how many commits had been reported. Two run at a time,
/// so that one dies while the other waits for it.
fn kill_some(numbers: &mut Numbers) -> usize {
    let ledger = Ledger::new();
    let mut reported = Vec::new();
    for _ in 0..KILLS_PER_LEDGER / LANES {
        let children = [(); LANES as usize].map(|()| start(Job::CommitForEver, &ledger.path()));
        for mut child in children {
            std::thread::sleep(Duration::from_micros(numbers.below(30_000)));
            child.kill().unwrap();
            reported.extend(reports(child.stdout.take().unwrap()));
            child.wait().unwrap();
        }
    }
    let reader = ledger.open();
    assert_eq!(reader.reader().check().unwrap(), [""; 0]);
    for id in &reported {
        whole(reader.reader(), id);
    }
    reported.len()
}

#[test]
fn a_thousand_kills_lose_no_receipt_that_was_reported_and_tear_none() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut kills = 0;
    let mut reported = 0;
    while kills < KILLS {
        reported += kill_some(&mut numbers);
        kills += KILLS_PER_LEDGER / LANES * LANES;
    }
    println!("{kills} kills, {reported} receipts reported before");
    // Otherwise they died before they came to anything.
    assert!(reported > KILLS as usize / 2, "{reported}");
}

#[test]
fn a_reader_of_nothing_finds_nothing() {
    let ledger = Ledger::new();
    drop(ledger.open());
    assert_eq!(ledger.read().find("00").unwrap(), Lookup::None);
}
