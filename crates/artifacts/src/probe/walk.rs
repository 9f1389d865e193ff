//! From the root to a declared path, one step at a time.
//!
//! Owns every rule of resolving: what is inside, what a link may do, what counts as missing. It
//! reaches the world through [`Folder`] alone, which can look only at what lies directly in one
//! open folder, so no step it takes can end anywhere but inside the root. Links are followed here,
//! by their text, never by the system. What is found is never opened to be read.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};

use super::route::{self, RootNames, Step};
use super::spelling::{self, Listed, Search};
use crate::{Note, Sighting, Status};

/// How many links one path may go through; Linux allows as many.
const LINKS_MAX: usize = 40;

/// How many folders are held open at once. A process may often hold no more than 256 files, and a
/// path that deep is nobody's.
const DEPTH_MAX: usize = 128;

/// An open folder. No call follows a link, and a name is one name: it holds no slash and is
/// neither `.` nor `..`.
pub(super) trait Folder: Sized {
    /// What stands under a name.
    fn kind(&self, name: &[u8]) -> Result<Kind, Fault>;
    /// Opens a folder in this one.
    fn enter(&self, name: &[u8]) -> Result<Self, Fault>;
    /// The text of a link.
    fn target(&self, name: &[u8]) -> Result<Vec<u8>, Fault>;
    /// Shows the entries to a search until it has seen enough.
    fn list(&self, search: &mut Search<'_>) -> Result<(), Fault>;
    /// Whether the folder itself was removed.
    fn gone(&self) -> bool;
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// Why a folder did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing has that name.
    Absent,
    /// It is no longer what it was a moment ago.
    Changed,
    /// It may not be looked at.
    Denied,
    /// The name is longer than the file system takes.
    TooLong,
    /// The system failed, with its error number.
    Failed(i32),
}

/// Looks at one path beneath a root.
pub(super) fn look<F: Folder>(root: &F, names: &RootNames, path: &str) -> Sighting {
    let refuse = |note| Sighting::noted(Status::StatError, note);
    let text = path.as_bytes();
    if text.is_empty() {
        return refuse(Note::EmptyPath);
    }
    if text.contains(&0) {
        return refuse(Note::NulByte);
    }
    if text.len() > route::PATH_BYTES_MAX {
        return refuse(Note::PathTooLong);
    }
    let beneath =
        if text.starts_with(b"/") { names.beneath(text) } else { Some(route::steps(text)) };
    let Some(steps) = beneath else {
        return out_of_scope(Note::OutsideRoot);
    };
    Walk {
        root,
        names,
        trail: Vec::new(),
        leaf: None,
        ahead: vec![Leg { steps, link: None }],
        links: 0,
    }
    .run()
}

/// A path half walked.
struct Walk<'w, F> {
    root: &'w F,
    names: &'w RootNames,
    /// The folders entered beneath the root, each held open: `..` goes back to the very folder one
    /// came from, wherever it may have been moved to meanwhile.
    trail: Vec<(Vec<u8>, F)>,
    /// What was reached, once it is not a folder.
    leaf: Option<(Vec<u8>, Status)>,
    /// What is still to be walked; the last leg comes first.
    ahead: Vec<Leg>,
    links: usize,
}

/// Steps of the path itself, or of a link met on the way.
struct Leg {
    steps: VecDeque<Step>,
    /// Where the link lies whose text these are.
    link: Option<String>,
}

/// The walk goes on, or has its answer.
type Pace = ControlFlow<Sighting>;

impl<F: Folder> Walk<'_, F> {
    fn run(mut self) -> Sighting {
        while let Some(step) = self.next_step() {
            if let Break(sighting) = self.take(step) {
                return sighting;
            }
        }
        Sighting::bare(self.leaf.map_or(Status::PresentDir, |(_, status)| status))
    }

    /// A leg stays until the step after its last, so that [`missing`](Self::missing) knows whose
    /// step it was.
    fn next_step(&mut self) -> Option<Step> {
        while let Some(leg) = self.ahead.last_mut() {
            if let Some(step) = leg.steps.pop_front() {
                return Some(step);
            }
            self.ahead.pop();
        }
        None
    }

    fn take(&mut self, step: Step) -> Pace {
        if let Some((name, _)) = &self.leaf {
            let at = self.place(name);
            return Break(self.absent(Note::FileInTheWay { at }, &[step]));
        }
        match step {
            Step::Stay => Continue(()),
            Step::Up => match self.trail.pop() {
                Some(_) => Continue(()),
                None => Break(self.leaves()),
            },
            Step::Name(name) => self.name(name),
        }
    }

    fn name(&mut self, name: Vec<u8>) -> Pace {
        let kind = match self.here().kind(&name) {
            Ok(kind) => kind,
            Err(Fault::Absent) => return Break(self.missing(&name)),
            Err(fault) => return Break(self.failed(fault, &name)),
        };
        self.spelled(&name)?;
        match kind {
            Kind::File => self.leaf = Some((name, Status::PresentFile)),
            Kind::Other => self.leaf = Some((name, Status::PresentOther)),
            Kind::Folder => return self.enter(name),
            Kind::Link => return self.follow(&name),
        }
        Continue(())
    }

    fn enter(&mut self, name: Vec<u8>) -> Pace {
        if self.trail.len() >= DEPTH_MAX {
            return Break(untold(Note::TooDeep { at: self.place(&name) }));
        }
        match self.here().enter(&name) {
            Ok(folder) => {
                self.trail.push((name, folder));
                Continue(())
            }
            Err(fault) => Break(self.failed(fault, &name)),
        }
    }

    fn follow(&mut self, name: &[u8]) -> Pace {
        let at = self.place(name);
        self.links += 1;
        if self.links > LINKS_MAX {
            return Break(untold(Note::LinkLoop { at }));
        }
        let target = match self.here().target(name) {
            Ok(target) => target,
            Err(fault) => return Break(self.failed(fault, name)),
        };
        let steps = if target.starts_with(b"/") {
            let Some(steps) = self.names.beneath(&target) else {
                return Break(out_of_scope(Note::LeavesRoot { at }));
            };
            self.trail.clear();
            steps
        } else if target.is_empty() {
            return Break(self.absent(Note::DanglingLink { at }, &[]));
        } else {
            route::steps(&target)
        };
        self.ahead.push(Leg { steps, link: Some(at) });
        Continue(())
    }

    /// Goes on only if the name stands there as it was spelled.
    ///
    /// DIFFERENCE: on a file system that ignores case the original takes any case for present.
    /// Here `README.md` is missing where `readme.md` is, on every machine; a name equal in any
    /// other way (composed letters, short names) cannot be told.
    fn spelled(&self, name: &[u8]) -> Pace {
        let here = self.here();
        if let Some(rival) = spelling::rival(name)
            && here.kind(&rival) == Err(Fault::Absent)
        {
            return Continue(());
        }
        let at = self.place(name);
        match listed(here, name) {
            Ok(Listed::Exactly) => Continue(()),
            Ok(Listed::OtherCase(found)) => {
                let found = self.place(&found);
                Break(self.absent(Note::OtherCase { at, found }, &[]))
            }
            Ok(Listed::NotUtf8 | Listed::Nowhere) => Break(untold(Note::OtherSpelling { at })),
            Ok(Listed::TooMany) => Break(untold(Note::FolderTooLarge { at })),
            Err(fault) => Break(self.failed(fault, name)),
        }
    }

    /// Nothing has this name. Says so, unless the path goes on to leave the root, or the root is
    /// gone and with it the evidence.
    fn missing(&self, name: &[u8]) -> Sighting {
        if let Some(at) = self.ahead.last().and_then(|leg| leg.link.clone()) {
            return self.absent(Note::DanglingLink { at }, &[]);
        }
        let at = self.place(name);
        match listed(self.here(), name) {
            Ok(Listed::OtherCase(found)) => {
                let found = self.place(&found);
                self.absent(Note::OtherCase { at, found }, &[])
            }
            // The declaration may be this very name after a lossy decoding somewhere on its way.
            Ok(Listed::NotUtf8) => untold(Note::NotUtf8 { at }),
            // The folder says both that the name is there and that it is not.
            Ok(Listed::Exactly) => untold(Note::Changed { at }),
            Ok(Listed::Nowhere | Listed::TooMany) | Err(_) => self.absent(None, &[]),
        }
    }

    fn absent(&self, note: impl Into<Option<Note>>, taken: &[Step]) -> Sighting {
        let rest = self.ahead.iter().rev().flat_map(|leg| &leg.steps);
        // What is not there, or is not a folder, counts as one: a path whose text leaves the root
        // names a place outside, and that nothing is on the way there convicts nobody.
        if route::climbs_out(self.trail.len() + 1, taken.iter().chain(rest)) {
            return out_of_scope(Note::OutsideRoot);
        }
        if self.root.gone() {
            return untold(Note::RootGone);
        }
        Sighting { status: Status::Missing, note: note.into() }
    }

    fn failed(&self, fault: Fault, name: &[u8]) -> Sighting {
        let at = self.place(name);
        untold(match fault {
            // It was there a moment ago.
            Fault::Absent | Fault::Changed => Note::Changed { at },
            Fault::Denied => Note::PermissionDenied { at },
            Fault::TooLong => Note::NameTooLong { at },
            Fault::Failed(errno) => Note::Failed { at, errno },
        })
    }

    /// The present leg climbs above the root.
    fn leaves(&self) -> Sighting {
        let link = self.ahead.last().and_then(|leg| leg.link.clone());
        out_of_scope(link.map_or(Note::OutsideRoot, |at| Note::LeavesRoot { at }))
    }

    fn here(&self) -> &F {
        self.trail.last().map_or(self.root, |(_, folder)| folder)
    }

    /// Where a name in the present folder lies, from the root.
    fn place(&self, name: &[u8]) -> String {
        let mut place = Vec::new();
        for (folder, _) in &self.trail {
            place.extend_from_slice(folder);
            place.push(b'/');
        }
        place.extend_from_slice(name);
        route::legible(&place)
    }
}

fn listed<F: Folder>(folder: &F, name: &[u8]) -> Result<Listed, Fault> {
    let mut search = Search::of(name);
    folder.list(&mut search)?;
    Ok(search.answer())
}

fn untold(note: Note) -> Sighting {
    Sighting::noted(Status::StatError, note)
}

fn out_of_scope(note: Note) -> Sighting {
    Sighting::noted(Status::ScopeDenied, note)
}
