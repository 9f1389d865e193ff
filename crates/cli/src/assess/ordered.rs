//! Works on several things at a time and takes the results in the order of the things.
//!
//! A worker that is free takes the next thing, so one that has a large thing keeps nobody waiting.
//! Results that come before their turn are kept until it comes; how far a worker may run ahead of
//! the last result taken is bounded, and with it what is held at a time.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Things begun and not yet taken, for each worker.
const AHEAD: usize = 4;

/// Takes `work` of everything that `source` gives, in its order, until `take` fails.
pub(super) fn ordered<T: Send, R: Send, E>(
    jobs: NonZeroUsize,
    mut source: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
    take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if jobs == NonZeroUsize::MIN {
        let mut take = take;
        return source.try_for_each(|thing| take(work(thing)));
    }
    let window = Window::new(jobs.get() * AHEAD);
    let numbered = Mutex::new(source.enumerate());
    thread::scope(|scope| {
        // Whoever leaves, by an error or a panic, lets the others go.
        let _leaving = Leaving(&window);
        let (give, results) = channel();
        for _ in 0..jobs.get() {
            let give = give.clone();
            scope.spawn(|| {
                let give = give;
                let _leaving = Leaving(&window);
                while let Some((number, thing)) = next(&numbered, &window) {
                    if give.send((number, work(thing))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(give);
        in_turn(&results, &window, take)
    })
}

/// The next thing, once there is room for its result. Who waits for room keeps the others from the
/// source, and they would find no room either.
fn next<I: Iterator>(source: &Mutex<I>, window: &Window) -> Option<I::Item> {
    let mut source = source.lock().ok()?;
    if window.enter() { source.next() } else { None }
}

/// Hands the results over in the order of their numbers.
fn in_turn<R, E>(
    results: &Receiver<(usize, R)>,
    window: &Window,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut turn = 0;
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&turn) {
            take(result)?;
            turn += 1;
            window.leave();
        }
    }
    Ok(())
}

/// How many things may be begun before the first of them is taken.
#[derive(Debug)]
struct Window {
    /// None once it is closed.
    room: Mutex<Option<usize>>,
    changed: Condvar,
}

impl Window {
    fn new(room: usize) -> Self {
        Self { room: Mutex::new(Some(room)), changed: Condvar::new() }
    }

    /// Waits for room and takes it; false once the window is closed.
    fn enter(&self) -> bool {
        let room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.changed.wait_while(room, |room| *room == Some(0));
        let mut room = room.unwrap_or_else(PoisonError::into_inner);
        *room = room.and_then(|room| room.checked_sub(1));
        room.is_some()
    }

    fn leave(&self) {
        self.set(|room| room.map(|room| room + 1));
    }

    fn close(&self) {
        self.set(|_| None);
    }

    fn set(&self, to: impl FnOnce(Option<usize>) -> Option<usize>) {
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        *room = to(*room);
        drop(room);
        self.changed.notify_all();
    }
}

/// Closes the window when it goes, so that nobody waits for one who is no longer there.
struct Leaving<'window>(&'window Window);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{AHEAD, ordered};

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
            assert!(read.into_inner() <= 11 + count * AHEAD, "{count} jobs");
        }
    }

    #[test]
    fn a_thing_that_takes_long_lets_the_others_go_on_as_far_as_there_is_room() {
        // The first thing is done only once so many others are: in turn they would never be.
        let others = 2 * AHEAD - 1;
        let done = AtomicUsize::new(0);
        let mut taken = Vec::new();
        let ended: Result<(), ()> = ordered(
            jobs(2),
            0..100,
            |thing| {
                while thing == 0 && done.load(Ordering::Relaxed) < others {
                    std::thread::yield_now();
                }
                done.fetch_add(1, Ordering::Relaxed);
                thing
            },
            |thing| {
                taken.push(thing);
                Ok(())
            },
        );
        assert_eq!((ended, taken), (Ok(()), (0..100).collect()));
    }

    #[test]
    fn a_worker_that_panics_keeps_nobody_waiting() {
        for count in 2..6 {
            let ended = std::panic::catch_unwind(|| {
                let work = |thing: u32| assert_ne!(thing, 3);
                ordered(jobs(count), 0.., work, |()| Ok::<(), ()>(()))
            });
            assert!(ended.is_err(), "{count} jobs");
        }
    }
}
