//! A turn that is held while its run is read.

use std::sync::Arc;

use super::super::tree::Footing;
use super::super::turn::{Live, Work};
use super::Before;
use crate::session::{Past, Turn};
use crate::sink::Sink;
use crate::writes::{Observed, Writes};

/// A turn, and where it was opened.
#[derive(Debug)]
pub(in crate::claude_code) struct Open<S: Sink> {
    pub(in crate::claude_code) live: Live<S>,
    pub(super) before: Before,
    /// Where its chain stands; a line that goes on with it hangs there.
    pub(super) footing: Footing,
    pub(super) standing: Standing,
    /// A command opened it, some lines before it was answered.
    pub(super) by_command: bool,
    /// The agent spoke in it, on the chain or off it.
    pub(super) heard: bool,
    /// Of the turn that was asked for: what came before it.
    pub(super) past: Option<BeforeTurn>,
}

/// How far a turn's lines were read as its chain has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Clean,
    /// It was just read again, which is done once.
    Again,
    /// A line hangs beside its chain.
    Dirty,
}

/// What came before a turn.
#[derive(Clone, Debug)]
pub(in crate::claude_code) struct BeforeTurn {
    pub(in crate::claude_code) writes: Arc<Writes>,
    pub(in crate::claude_code) history: Vec<Past>,
}

/// All of an open turn but the turn itself, which a session holds meanwhile.
#[derive(Debug)]
pub(in crate::claude_code) struct Parked<S: Sink> {
    observed: Option<Observed>,
    lent: Option<S::Mark>,
    work: Work,
    before: Before,
    footing: Footing,
    standing: Standing,
    by_command: bool,
    heard: bool,
    past: Option<BeforeTurn>,
}

impl<S: Sink> Open<S> {
    pub(super) fn is_dirty(&self) -> bool {
        self.standing == Standing::Dirty
    }

    pub(super) fn soil(&mut self, dirty: bool) {
        if dirty {
            self.standing = Standing::Dirty;
        }
    }

    pub(in crate::claude_code) fn park(self) -> (Turn<S>, Parked<S>) {
        let Self { live, before, footing, standing, by_command, heard, past } = self;
        let Live { turn, observed, lent, work } = live;
        (turn, Parked { observed, lent, work, before, footing, standing, by_command, heard, past })
    }

    pub(in crate::claude_code) fn unpark(turn: Turn<S>, parked: Parked<S>) -> Self {
        let Parked { observed, lent, work, before, footing, standing, by_command, heard, past } =
            parked;
        let live = Live { turn, observed, lent, work };
        Self { live, before, footing, standing, by_command, heard, past }
    }

    pub(in crate::claude_code) fn past(&self) -> Option<&BeforeTurn> {
        self.past.as_ref()
    }
}
