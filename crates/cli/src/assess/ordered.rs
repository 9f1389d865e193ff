//! Works on several things at a time and takes the results in the order of the things.
//!
//! The things are dealt to the workers in turn and the results taken from them in turn, each over a
//! channel that holds few: so the order keeps itself, no lock is needed, and what is held at a time
//! is bounded by the number of workers. A worker that has a large thing makes the others wait; the
//! channels' room evens that out.

use std::num::NonZeroUsize;
use std::sync::mpsc::sync_channel;
use std::thread;

/// Things that wait before each worker, and results behind it.
const ROOM: usize = 2;

/// Takes `work` of everything that `source` gives, in its order, until `take` fails.
pub(super) fn ordered<T: Send, R: Send, E>(
    jobs: NonZeroUsize,
    source: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if jobs == NonZeroUsize::MIN {
        let mut source = source;
        return source.try_for_each(|thing| take(work(thing)));
    }
    let work = &work;
    thread::scope(|scope| {
        let mut deal = Vec::new();
        let mut collect = Vec::new();
        for _ in 0..jobs.get() {
            let (give, given) = sync_channel::<T>(ROOM);
            let (answer, answers) = sync_channel::<R>(ROOM);
            deal.push(give);
            collect.push(answers);
            scope.spawn(move || {
                // An answer that nobody takes any more ends the worker, and that the dealer.
                let _ = given.into_iter().try_for_each(|thing| answer.send(work(thing)));
            });
        }
        scope.spawn(move || {
            let mut workers = deal.iter().cycle();
            for thing in source {
                let Some(worker) = workers.next() else { return };
                if worker.send(thing).is_err() {
                    return;
                }
            }
        });
        // A worker without an answer was dealt nothing more, and neither was any after it.
        collect.iter().cycle().map_while(|answers| answers.recv().ok()).try_for_each(take)
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{ROOM, ordered};

    fn jobs(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_come_in_the_order_of_the_things() {
        for count in 1..6 {
            for things in [0, 1, 2, 5, 6, 7, 100] {
                let mut taken = Vec::new();
                let done: Result<(), ()> = ordered(
                    jobs(count),
                    0..things,
                    |thing| {
                        // The earlier a thing, the longer it takes.
                        let spins = (things - thing) * 1000;
                        (0..spins)
                            .fold(thing, |thing, spin| std::hint::black_box(thing + spin - spin))
                    },
                    |thing| {
                        taken.push(thing);
                        Ok(())
                    },
                );
                assert_eq!((done, taken), (Ok(()), (0..things).collect()), "{count} jobs");
            }
        }
    }

    #[test]
    fn a_taker_that_fails_ends_everything_and_little_was_read() {
        for count in 1..6 {
            let read = AtomicUsize::new(0);
            let source = std::iter::repeat_with(|| read.fetch_add(1, Ordering::Relaxed));
            let done = ordered(
                jobs(count),
                source,
                |thing| thing,
                |thing| {
                    if thing < 10 { Ok(()) } else { Err("enough") }
                },
            );
            assert_eq!(done, Err("enough"));
            // Each worker holds what waits before it, what it works on and what waits behind it.
            assert!(read.into_inner() <= 11 + 1 + count * (2 * ROOM + 2), "{count} jobs");
        }
    }
}
