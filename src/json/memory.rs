//! What objects looked like: the keys in their order, and the values that are not read.
//!
//! The next Pod of a list has the same keys in the same order, and many of its unread values are the same, too. A
//! [`Memory`] holds both for each path: keys with the punctuation around them, the number of the field each one is, and
//! the last value that was skipped. Equal bytes need not be checked again; anything else is read strictly, and
//! remembered instead. It holds copies, so it may outlive the text and serve the next one.

use alloc::vec::Vec;
use core::fmt;

use super::scan::stands_at;

/// More bytes than this are not kept.
const MOST_BYTES: usize = 1 << 20;
/// More keys than this are not kept.
const MOST_MEMBERS: usize = 8192;
/// Longer values, and longer keys, are looked through each time.
const LONGEST: usize = 4096;
/// Of one object so many keys are remembered.
const MOST_KEYS: usize = 64;
/// An array has a memory for each of so many items; the last serves all that follow.
pub(super) const MOST_ITEMS: u32 = 16;
/// An object or array that differed is not compared again before it was skipped so many times more.
const PATIENCE: u8 = 6;
/// Anything else is compared again at once, then after one, three and more, up to one less than two to this power: names
/// and times differ from object to object.
const MOST_MISSES: u8 = 4;

/// What is remembered of the objects and arrays at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

/// What is remembered of a key and its value, or of an item of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member(u32);

/// There are so many roots.
const ROOTS: usize = 16;

/// That a key is not in the table.
pub(crate) const UNKNOWN: u8 = u8::MAX;
/// That there is none.
const NONE: u32 = u32::MAX;

/// Bytes that are kept, and the room they may grow into.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    len: u16,
    room: u16,
}

#[derive(Clone, Copy, Debug)]
struct NodeEntry {
    first: u32,
    /// Had it more keys than are remembered? Others are then not looked for among them.
    is_full: bool,
    /// Which table the fields are numbered by: the address of its shape.
    table: usize,
}

impl NodeEntry {
    const fn of(table: usize) -> Self {
        Self {
            first: NONE,
            is_full: false,
            table,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct MemberEntry {
    /// From behind the comma to the value.
    lead: Span,
    /// Where in the lead the key begins, and how long it is.
    key: (u16, u16),
    /// The last unread value; empty if there is none.
    value: Span,
    /// Does the value end by itself, or only where something follows it, as numbers do?
    is_open: bool,
    child: u32,
    next: u32,
    field: u8,
    /// How often the value differed since it was last the same.
    misses: u8,
    /// How often it is to be skipped before it is compared again.
    patience: u8,
}

/// What objects looked like, by their path.
#[derive(Clone, Default)]
pub struct Memory {
    nodes: Vec<NodeEntry>,
    members: Vec<MemberEntry>,
    bytes: Vec<u8>,
}

impl fmt::Debug for Memory {
    // What it holds changes how fast is read, and nothing else.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Memory").finish_non_exhaustive()
    }
}

impl Memory {
    /// The root of what is read into tables of one sort, told by a number of the caller's own.
    pub(crate) fn root(&mut self, number: u8) -> Node {
        while self.nodes.len() < ROOTS {
            self.nodes.push(NodeEntry::of(0));
        }
        Node(u32::from(number) % ROOTS as u32)
    }

    /// Starts again once it is full. Called between texts only: places in the memory do not survive it.
    pub(crate) fn renew(&mut self) {
        if self.bytes.len() > MOST_BYTES || self.members.len() > MOST_MEMBERS {
            self.nodes.clear();
            self.members.clear();
            self.bytes.clear();
        }
    }

    /// Says by which table a node's fields are numbered. If that was another one, the node is forgotten.
    pub(crate) fn use_table(&mut self, node: Node, table: usize) {
        if let Some(entry) = self.nodes.get_mut(node.0 as usize)
            && entry.table != table
        {
            *entry = NodeEntry::of(table);
        }
    }

    fn member(&self, member: u32) -> Option<&MemberEntry> {
        self.members.get(member as usize)
    }

    fn slice(&self, span: Span) -> &[u8] {
        let start = span.start as usize;
        self.bytes
            .get(start..start + usize::from(span.len))
            .unwrap_or_default()
    }

    /// What is expected first in a node, or after one of its members.
    #[inline]
    pub(crate) fn after(&self, node: Node, member: Option<Member>) -> Option<Member> {
        let next = match member {
            None => self.nodes.get(node.0 as usize)?.first,
            Some(member) => self.member(member.0)?.next,
        };
        (next != NONE).then_some(Member(next))
    }

    /// The member that is expected in a node after another, its field and the length of its lead, if that is what
    /// stands here.
    #[inline]
    pub(crate) fn expect(
        &self,
        node: Node,
        previous: Option<Member>,
        text: &[u8],
        at: usize,
    ) -> Option<(Member, u8, usize)> {
        let member = self.after(node, previous)?;
        let entry = self.member(member.0)?;
        let lead = self.slice(entry.lead);
        let is_it = !lead.is_empty() && stands_at(text, at, lead);
        is_it.then_some((member, entry.field, lead.len()))
    }

    /// Where in the lead the key is.
    fn key(&self, member: Member) -> (usize, usize) {
        let (start, len) = self.member(member.0).map_or((0, 0), |entry| entry.key);
        (start.into(), len.into())
    }

    /// The length of the value last seen here, if it stands here again, and ends here.
    #[inline]
    pub(super) fn value_at(&mut self, member: Member, text: &[u8], at: usize) -> Option<usize> {
        let entry = *self.member(member.0)?;
        if entry.value.len == 0 {
            return None;
        }
        if entry.patience > 0 {
            self.members.get_mut(member.0 as usize)?.patience -= 1;
            return None;
        }
        let value = self.slice(entry.value);
        let len = value.len();
        if stands_at(text, at, value) {
            let is_end = || {
                matches!(
                    text.get(at + len),
                    Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
                )
            };
            if entry.is_open && !is_end() {
                return None;
            }
            if entry.misses > 0 {
                self.members.get_mut(member.0 as usize)?.misses = 0;
            }
            return Some(len);
        }
        let is_container = matches!(value.first(), Some(b'{' | b'['));
        let entry = self.members.get_mut(member.0 as usize)?;
        entry.patience = if is_container {
            PATIENCE
        } else {
            (1 << entry.misses) - 1
        };
        entry.misses = MOST_MISSES.min(entry.misses + 1);
        None
    }

    /// What is remembered of the object or array that is this member's value.
    pub(crate) fn child(&mut self, member: Option<Member>) -> Option<Node> {
        let member = member?.0 as usize;
        let entry = self.members.get_mut(member)?;
        if entry.child == NONE {
            entry.child = self.nodes.len() as u32;
            self.nodes.push(NodeEntry::of(0));
        }
        Some(Node(entry.child))
    }

    /// Remembers bytes, in the place of others where they fit; none if there is no room.
    fn keep(&mut self, old: Span, bytes: &[u8]) -> Option<Span> {
        let start = old.start as usize;
        if bytes.len() <= old.room.into()
            && let Some(place) = self.bytes.get_mut(start..start + bytes.len())
        {
            place.copy_from_slice(bytes);
            let len = bytes.len() as u16;
            return Some(Span { len, ..old });
        }
        if bytes.len() > LONGEST || self.bytes.len() > MOST_BYTES {
            return None;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(32), 0);
        Some(Span {
            start: start as u32,
            len: bytes.len() as u16,
            room: (self.bytes.len() - start) as u16,
        })
    }

    /// Remembers a value that was skipped, unless the next one is not compared with it anyway.
    pub(super) fn remember(&mut self, member: Member, value: &[u8]) {
        let Some(entry) = self.member(member.0).copied() else {
            return;
        };
        if entry.patience > 0 {
            return;
        }
        let none = Span {
            len: 0,
            ..entry.value
        };
        let span = self.keep(entry.value, value).unwrap_or(none);
        if let Some(entry) = self.members.get_mut(member.0 as usize) {
            entry.value = span;
            entry.is_open = !matches!(value.last(), Some(b'"' | b'}' | b']'));
        }
    }

    /// Remembers a key that was not expected after `previous`: where it is among those known, or as a new one.
    #[inline(never)]
    pub(crate) fn learn(
        &mut self,
        node: Node,
        previous: Option<Member>,
        lead: &[u8],
        key: (usize, usize),
        field: u8,
    ) -> Option<Member> {
        let (Ok(start), Ok(len)) = (u16::try_from(key.0), u16::try_from(key.1)) else {
            return None;
        };
        let entry = self.nodes.get(node.0 as usize)?;
        if entry.is_full {
            return None;
        }
        let name = lead.get(key.0..key.0 + key.1)?;
        let mut place = self.after(node, None);
        let mut count = 0;
        while let Some(member) = place {
            let entry = *self.member(member.0)?;
            let known = self.slice(entry.lead);
            let (known_start, known_len) = self.key(member);
            if known.get(known_start..known_start + known_len) == Some(name) {
                let lead = self.keep(entry.lead, lead)?;
                let entry = self.members.get_mut(member.0 as usize)?;
                (entry.lead, entry.key, entry.field) = (lead, (start, len), field);
                return Some(member);
            }
            place = self.after(node, Some(member));
            count += 1;
        }
        if count >= MOST_KEYS {
            self.nodes.get_mut(node.0 as usize)?.is_full = true;
            return None;
        }
        self.insert(node, previous, lead, (start, len), field)
    }

    /// Remembers one more item of an array.
    pub(super) fn learn_item(&mut self, node: Node, previous: Option<Member>) -> Option<Member> {
        self.insert(node, previous, &[], (0, 0), UNKNOWN)
    }

    fn insert(
        &mut self,
        node: Node,
        previous: Option<Member>,
        lead: &[u8],
        key: (u16, u16),
        field: u8,
    ) -> Option<Member> {
        if self.members.len() > MOST_MEMBERS || self.bytes.len() > MOST_BYTES {
            return None;
        }
        let lead = self.keep(Span::default(), lead)?;
        let new = self.members.len() as u32;
        let next = match previous {
            None => &mut self.nodes.get_mut(node.0 as usize)?.first,
            Some(previous) => &mut self.members.get_mut(previous.0 as usize)?.next,
        };
        let next = core::mem::replace(next, new);
        self.members.push(MemberEntry {
            lead,
            key,
            value: Span::default(),
            is_open: false,
            child: NONE,
            next,
            field,
            misses: 0,
            patience: 0,
        });
        Some(Member(new))
    }
}
