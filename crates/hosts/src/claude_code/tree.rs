//! The tree that lines stand in: who hangs on whom, and which lines a chain of parents visits.
//!
//! Only lines that say or do something are nodes. Every other line with an id (an attachment, a
//! system line, progress, a hook's words) stands for the node it hangs on, so a chain passes
//! through it. A parent that is not in the file, or is not named, is the line before: a damaged
//! line must not cut the run in two.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A node of the tree, in file order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct NodeId(u32);

/// The id of a line. Most are UUIDs, and a third of the memory that way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum LineId {
    Uuid(u128),
    Text(Box<str>),
}

impl LineId {
    fn of(text: &str) -> Self {
        uuid(text).map_or_else(|| Self::Text(text.into()), Self::Uuid)
    }
}

/// Reads a UUID as this host spells it: lower case, with its four dashes.
fn uuid(text: &str) -> Option<u128> {
    let mut bits = 0_u128;
    if text.len() != 36 {
        return None;
    }
    for (at, byte) in text.bytes().enumerate() {
        let digit = match (at, byte) {
            (8 | 13 | 18 | 23, b'-') => continue,
            (_, b'0'..=b'9') => byte - b'0',
            (_, b'a'..=b'f') => byte - b'a' + 10,
            _ => return None,
        };
        bits = bits << 4 | u128::from(digit);
    }
    // Digits may stand where a dash belongs; then the text is longer than a UUID's digits.
    (text.bytes().filter(|byte| *byte == b'-').count() == 4).then_some(bits)
}

/// How a line takes part in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A piece of the agent's message with this id; all its pieces belong together.
    Piece,
    /// It belongs to the call it answers, wherever it hangs; a chain through it passes that call.
    Answer { to: Option<NodeId> },
    /// It is on a chain only where the chain passes through it.
    Words,
    /// A command of the host: nothing, unless it opens a turn.
    Command,
}

/// What a chain last passed through: a line that hangs where the chain stands has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Footing {
    /// The first piece of the agent's last message.
    message: NodeId,
    /// The last words of a person, or the opening.
    words: NodeId,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Node {
    parent: Option<NodeId>,
    footing: Footing,
    /// The agent's message this line is a piece of: pieces of one message belong together.
    message: u32,
    /// It says something as it stands.
    speaks: bool,
}

/// What the id of a line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    node: NodeId,
    /// The line is the node, and does not only stand for it.
    is_node: bool,
}

/// The tree of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tree {
    ids: BTreeMap<LineId, Named>,
    nodes: Vec<Node>,
    /// The last line of progress, which the next one of its row replaces.
    progress: Option<LineId>,
    /// The first line that named a parent that is in the file.
    linked: Option<NodeId>,
    /// The agent's message at hand, its first piece, and where that one hangs.
    message: u32,
    first_piece: NodeId,
    under_first: Footing,
}

impl Tree {
    /// The node the next line that says something will be, if nothing else comes before.
    pub(super) fn next(&self) -> NodeId {
        NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX))
    }

    /// The node that a line with this id is, or stands for.
    pub(super) fn find(&self, id: Option<&str>) -> Option<NodeId> {
        self.ids.get(&LineId::of(id?)).map(|named| named.node)
    }

    /// The node that a line with this id is.
    pub(super) fn node(&self, id: Option<&str>) -> Option<NodeId> {
        self.ids.get(&LineId::of(id?)).filter(|named| named.is_node).map(|named| named.node)
    }

    /// Whether lines of this file name their parents at all, as far as up to a node.
    pub(super) fn is_linked(&self, until: NodeId) -> bool {
        self.linked.is_some_and(|since| since < until)
    }

    /// Adds a line that says something.
    pub(super) fn add(&mut self, id: Option<&str>, parent: Option<NodeId>, part: Part) -> NodeId {
        let node = self.next();
        let parent = self.through_call(parent, part);
        let under = parent.map(|parent| self.footing(parent)).unwrap_or_default();
        let (footing, message) = match part {
            Part::Piece => (Footing { message: self.piece_of(node, under), ..under }, self.message),
            Part::Answer { .. } | Part::Command => (under, 0),
            Part::Words => (Footing { words: node, ..under }, 0),
        };
        let speaks = part != Part::Command;
        self.nodes.push(Node { parent, footing, message, speaks });
        if let Some(id) = id {
            self.ids.insert(LineId::of(id), Named { node, is_node: true });
        }
        node
    }

    /// What an answer hangs on: where it says, if the chain there passed the message of its call,
    /// else on the call itself.
    fn through_call(&self, parent: Option<NodeId>, part: Part) -> Option<NodeId> {
        let Part::Answer { to: Some(call) } = part else { return parent };
        let message = self.footing(call).message;
        let passed = parent.is_some_and(|parent| self.footing(parent).message == message);
        if passed { parent } else { Some(call) }
    }

    /// The message that a piece stands for: another one if it hangs where its message does not.
    fn piece_of(&mut self, node: NodeId, under: Footing) -> NodeId {
        if node == self.first_piece {
            self.under_first = under;
        }
        let hangs_there = under.message == self.first_piece || under == self.under_first;
        if hangs_there { self.first_piece } else { node }
    }

    /// Adds a line that says nothing; it stands for the node it hangs on.
    pub(super) fn alias(&mut self, id: &str, node: NodeId, progress: bool) {
        let id = LineId::of(id);
        if progress {
            // Rows of progress reach millions of lines; only their last one is hung upon.
            let last = self.progress.replace(id.clone());
            let named = Named { node, is_node: false };
            if let Some(last) = last.filter(|last| self.ids.get(last) == Some(&named)) {
                self.ids.remove(&last);
            }
        }
        self.ids.entry(id).or_insert(Named { node, is_node: false });
    }

    /// Notes that a line named a parent that is here.
    pub(super) fn link(&mut self, node: NodeId) {
        self.linked.get_or_insert(node);
    }

    /// Starts a new message of the agent with the next line.
    pub(super) fn start_message(&mut self) {
        self.message = self.message.wrapping_add(1);
        self.first_piece = self.next();
    }

    /// Whether a piece goes on with a message that began before it.
    pub(super) fn goes_on(&self, piece: NodeId) -> bool {
        piece != self.first_piece
    }

    /// What a chain that ends in a node last passed through.
    pub(super) fn footing(&self, node: NodeId) -> Footing {
        self.get(node).map(|node| node.footing).unwrap_or_default()
    }

    /// Lets a chain that passes a node begin there: it opens a turn.
    pub(super) fn open(&mut self, at: NodeId) {
        if let Some(node) = self.nodes.get_mut(at.0 as usize) {
            node.footing = Footing { message: at, words: at };
        }
    }

    /// Whether a line says something as it stands.
    pub(super) fn speaks(&self, node: NodeId) -> bool {
        self.get(node).is_some_and(|node| node.speaks)
    }

    /// What a node hangs on.
    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.get(node).and_then(|node| node.parent)
    }

    /// The chain of parents from a node to the opening of its turn, or to the root.
    pub(super) fn chain(&self, from: NodeId, to: Option<NodeId>) -> ChainSet {
        let mut set = ChainSet::default();
        for node in self.ancestors(from) {
            set.nodes.insert(node);
            let message = self.get(node).map_or(0, |node| node.message);
            if message > 0 {
                set.messages.insert(message);
            }
            if Some(node) == to {
                break;
            }
        }
        set
    }

    /// Whether a node is of a chain, itself or as a piece of a message of it.
    pub(super) fn is_of(&self, node: NodeId, chain: &ChainSet) -> bool {
        let message = self.get(node).map_or(0, |node| node.message);
        chain.nodes.contains(&node) || chain.messages.contains(&message)
    }

    /// A node and its parents; parents stand earlier in the file, so this ends.
    pub(super) fn ancestors(&self, from: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let parent = |node: &NodeId| self.parent(*node).filter(|parent| parent < node);
        std::iter::successors(Some(from), parent)
    }

    fn get(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.0 as usize)
    }
}

/// The lines a chain visits.
#[derive(Clone, Debug, Default)]
pub(super) struct ChainSet {
    nodes: BTreeSet<NodeId>,
    messages: BTreeSet<u32>,
}

impl NodeId {
    /// The node after this one in the file.
    pub(super) const fn following(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_of_ids_stay_apart() {
        let id = "0c1944d5-cd28-4567-85cb-31750f4284c7";
        assert_eq!(LineId::of(id), LineId::Uuid(0x0c19_44d5_cd28_4567_85cb_3175_0f42_84c7));
        for other in [
            "0C1944d5-cd28-4567-85cb-31750f4284c7",
            "0c1944d5ccd28f4567a85cba31750f4284c7",
            "u1",
            "",
        ] {
            assert!(matches!(LineId::of(other), LineId::Text(_)), "{other}");
        }
    }

    #[test]
    fn a_chain_passes_through_silent_lines() {
        let mut tree = Tree::default();
        let a = tree.add(Some("a"), None, Part::Words);
        tree.open(a);
        tree.alias("att", a, false);
        let left = tree.add(Some("b"), tree.find(Some("att")), Part::Words);
        let right = tree.add(Some("c"), tree.find(Some("att")), Part::Words);
        let chain = tree.chain(right, None);
        assert!(tree.is_of(a, &chain) && tree.is_of(right, &chain) && !tree.is_of(left, &chain));
        assert_ne!(tree.footing(left), tree.footing(right));
        assert!(tree.ancestors(right).eq([right, a]));
    }

    #[test]
    fn progress_keeps_one_id() {
        let mut tree = Tree::default();
        let a = tree.add(Some("a"), None, Part::Words);
        for number in 0..1000 {
            tree.alias(&format!("p{number}"), a, true);
        }
        assert_eq!(tree.ids.len(), 2);
        assert_eq!(tree.find(Some("p999")), Some(a));
    }
}
