//! The layout of objects seen so far: their keys in order, and the values that are skipped.
//!
//! The next Pod of a list has the same keys in the same order, and many of its skipped values are the same as well. A
//! [`LayoutMemory`] holds both for each path: the keys with the punctuation around them, the field number of each, and the
//! last value that was skipped. Equal bytes need not be checked again; anything else is read strictly and replaces what
//! was remembered. It holds copies, so it can outlive the text and serve the next one.

use alloc::vec::Vec;
use core::fmt;

use super::place::{ByteSpan, LayoutMember, LayoutNode, MemberEntry};
use super::scan::stands_at;
use super::templates::Templates;

/// The maximum number of bytes kept.
const MOST_BYTES: usize = 1 << 20;
/// The maximum number of keys kept.
const MOST_MEMBERS: usize = 8192;
/// Longer values and keys are scanned each time.
const LONGEST: usize = 4096;
/// The maximum number of keys remembered for one object.
const MOST_KEYS: usize = 64;
/// The first items of an array have separate memories; the last of these serves all further items.
pub(super) const MOST_ITEMS: u32 = 16;
/// An object or array that differed is skipped this many times before it is compared again.
const PATIENCE: u8 = 6;
/// Any other value is compared again at once, then after one, three and more skips, up to one less than two to this
/// power: names and times differ between objects.
const MOST_MISSES: u8 = 4;

/// The number of roots.
const ROOTS: usize = 16;

/// The field number of a key that is not in the table.
pub const UNKNOWN: u8 = u8::MAX;
/// Stands for a missing index.
const NONE: u32 = u32::MAX;
/// Stands for a table where a list is read as a whole; lists that are skipped have another one.
const READ_LIST: usize = 2;

#[derive(Clone, Copy, Debug)]
struct NodeEntry {
    first: u32,
    /// Did an object have more keys than are remembered? Unknown keys are then not searched for.
    is_full: bool,
    /// The table that numbers the fields: the address of its shape.
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

/// The layout of objects, by path.
#[derive(Clone, Default)]
pub struct LayoutMemory {
    nodes: Vec<NodeEntry>,
    members: Vec<MemberEntry>,
    bytes: Vec<u8>,
    /// The texts of whole objects.
    pub templates: Templates,
}

impl fmt::Debug for LayoutMemory {
    // Its contents affect the speed of reading, nothing else.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LayoutMemory")
            .finish_non_exhaustive()
    }
}

impl LayoutMemory {
    /// The root for objects read into one kind of table, which the caller numbers.
    #[inline]
    pub fn root(&mut self, number: u8) -> LayoutNode {
        while self.nodes.len() < ROOTS {
            self.nodes.push(NodeEntry::of(0));
        }
        LayoutNode(u32::from(number) % ROOTS as u32)
    }

    /// Starts again once it is full. Only called between texts, because it invalidates all nodes and members.
    pub(crate) fn renew(&mut self) {
        let is_full = self.bytes.len() > MOST_BYTES || self.templates.are_full();
        if is_full || self.members.len() > MOST_MEMBERS {
            *self = Self::default();
        }
    }

    /// Sets the table that numbers a node's fields. If it was another one, the node is reset.
    #[inline]
    pub fn use_table(&mut self, node: LayoutNode, table: usize) {
        if let Some(entry) = self.nodes.get_mut(node.0 as usize)
            && entry.table != table
        {
            *entry = NodeEntry::of(table);
            self.templates.forget(node);
        }
    }

    #[inline]
    fn member(&self, member: u32) -> Option<&MemberEntry> {
        self.members.get(member as usize)
    }

    #[inline]
    fn slice(&self, span: ByteSpan) -> &[u8] {
        let start = span.start as usize;
        self.bytes
            .get(start..start + usize::from(span.len))
            .unwrap_or_default()
    }

    /// The expected first member of a node, or the one expected after `member`.
    #[inline]
    pub fn after(&self, node: LayoutNode, member: Option<LayoutMember>) -> Option<LayoutMember> {
        let next = match member {
            None => self.nodes.get(node.0 as usize)?.first,
            Some(member) => self.member(member.0)?.next,
        };
        (next != NONE).then_some(LayoutMember(next))
    }

    /// The member expected after `previous`, its field and the length of its lead, if that is what the text has here.
    #[inline]
    pub fn expect(
        &self,
        node: LayoutNode,
        previous: Option<LayoutMember>,
        text: &[u8],
        at: usize,
    ) -> Option<(LayoutMember, u8, usize)> {
        let member = self.after(node, previous)?;
        let entry = self.member(member.0)?;
        let lead = self.slice(entry.lead);
        let is_it = !lead.is_empty() && stands_at(text, at, lead);
        is_it.then_some((member, entry.field, lead.len()))
    }

    /// The member whose key this is, with its quotation marks.
    #[inline]
    pub fn named(&self, node: LayoutNode, name: &[u8]) -> Option<LayoutMember> {
        let (found, _) = self.find(node, None, None, name);
        found.map(|(_, member)| member)
    }

    /// The key, with its quotation marks.
    #[inline]
    fn name(&self, member: LayoutMember) -> Option<&[u8]> {
        let entry = self.member(member.0)?;
        let start = usize::from(entry.key.0);
        self.slice(entry.lead)
            .get(start..start + usize::from(entry.key.1))
    }

    /// The length of the last value seen here, if the text has it again, and it ends there.
    #[inline]
    pub(super) fn value_at(
        &mut self,
        member: LayoutMember,
        text: &[u8],
        at: usize,
    ) -> Option<usize> {
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

    /// The node of the object or array that is this member's value.
    #[inline]
    pub fn child(&mut self, member: Option<LayoutMember>) -> Option<LayoutNode> {
        let member = member?.0 as usize;
        let entry = self.members.get_mut(member)?;
        if entry.child == NONE {
            entry.child = self.nodes.len() as u32;
            self.nodes.push(NodeEntry::of(0));
        }
        Some(LayoutNode(entry.child))
    }

    /// Stores bytes, in place of others if they fit; `None` if there is no space.
    fn keep(&mut self, old: ByteSpan, bytes: &[u8]) -> Option<ByteSpan> {
        let start = old.start as usize;
        if bytes.len() <= old.room.into()
            && let Some(place) = self.bytes.get_mut(start..start + bytes.len())
        {
            place.copy_from_slice(bytes);
            let len = bytes.len() as u16;
            return Some(ByteSpan { len, ..old });
        }
        if bytes.len() > LONGEST || self.bytes.len() > MOST_BYTES {
            return None;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(32), 0);
        Some(ByteSpan {
            start: start as u32,
            len: bytes.len() as u16,
            room: (self.bytes.len() - start) as u16,
        })
    }

    /// Remembers a skipped value, unless the next one will not be compared anyway.
    pub(super) fn remember(&mut self, member: LayoutMember, value: &[u8]) {
        let Some(entry) = self.member(member.0).copied() else {
            return;
        };
        if entry.patience > 0 {
            return;
        }
        let none = ByteSpan {
            len: 0,
            ..entry.value
        };
        let span = self.keep(entry.value, value).unwrap_or(none);
        if let Some(entry) = self.members.get_mut(member.0 as usize) {
            entry.value = span;
            entry.is_open = !matches!(value.last(), Some(b'"' | b'}' | b']'));
        }
    }

    /// Remembers a key that was not expected after `previous`: updates a known one, or adds it.
    ///
    /// A key that is known further on stays there: those between may only be missing from this object. One that is known
    /// earlier is moved here: the order of keys has changed, as it does from a sorted dump to the events of a watch.
    #[inline(never)]
    pub fn learn(
        &mut self,
        node: LayoutNode,
        previous: Option<LayoutMember>,
        lead: &[u8],
        key: (usize, usize),
        field: u8,
    ) -> Option<LayoutMember> {
        let (Ok(start), Ok(len)) = (u16::try_from(key.0), u16::try_from(key.1)) else {
            return None;
        };
        if self.nodes.get(node.0 as usize)?.is_full {
            return None;
        }
        let name = lead.get(key.0..key.0 + key.1)?;
        let (further, count) = self.find(node, previous, None, name);
        let (known, count) = match (further, previous) {
            (None, Some(_)) => {
                let (before, more) = self.find(node, None, previous, name);
                let moved = before.map(|before| self.move_behind(node, before, previous?));
                (moved.flatten(), count + more)
            }
            _ => (further.map(|(_, member)| member), count),
        };
        if let Some(member) = known {
            let lead = self.keep(self.member(member.0)?.lead, lead)?;
            let entry = self.members.get_mut(member.0 as usize)?;
            (entry.lead, entry.key, entry.field) = (lead, (start, len), field);
            return Some(member);
        }
        if count >= MOST_KEYS {
            self.nodes.get_mut(node.0 as usize)?.is_full = true;
            return None;
        }
        self.insert(node, previous, lead, (start, len), field)
    }

    /// The member of that name behind one and up to another, with the one before it; and how many were looked at.
    fn find(
        &self,
        node: LayoutNode,
        mut behind: Option<LayoutMember>,
        last: Option<LayoutMember>,
        name: &[u8],
    ) -> (Option<(Option<LayoutMember>, LayoutMember)>, usize) {
        let mut count = 0;
        while let Some(member) = self.after(node, behind) {
            count += 1;
            if self.name(member) == Some(name) {
                return (Some((behind, member)), count);
            }
            if last == Some(member) {
                break;
            }
            behind = Some(member);
        }
        (None, count)
    }

    /// Moves a member, which stands behind another or is the first, behind a third.
    fn move_behind(
        &mut self,
        node: LayoutNode,
        (behind, member): (Option<LayoutMember>, LayoutMember),
        place: LayoutMember,
    ) -> Option<LayoutMember> {
        if member == place {
            return Some(member);
        }
        let next = self.member(member.0)?.next;
        *self.next_mut(node, behind)? = next;
        let next = core::mem::replace(self.next_mut(node, Some(place))?, member.0);
        *self.next_mut(node, Some(member))? = next;
        Some(member)
    }

    #[inline]
    fn next_mut(&mut self, node: LayoutNode, member: Option<LayoutMember>) -> Option<&mut u32> {
        Some(match member {
            None => &mut self.nodes.get_mut(node.0 as usize)?.first,
            Some(member) => &mut self.members.get_mut(member.0 as usize)?.next,
        })
    }

    /// The node for all items of a list that is read.
    #[inline]
    pub fn only_item(&mut self, list: LayoutNode) -> Option<LayoutNode> {
        self.use_table(list, READ_LIST);
        let item = self
            .after(list, None)
            .or_else(|| self.learn_item(list, None));
        self.child(item)
    }

    /// Remembers another item of an array.
    pub(super) fn learn_item(
        &mut self,
        node: LayoutNode,
        previous: Option<LayoutMember>,
    ) -> Option<LayoutMember> {
        self.insert(node, previous, &[], (0, 0), UNKNOWN)
    }

    fn insert(
        &mut self,
        node: LayoutNode,
        previous: Option<LayoutMember>,
        lead: &[u8],
        key: (u16, u16),
        field: u8,
    ) -> Option<LayoutMember> {
        if self.members.len() > MOST_MEMBERS || self.bytes.len() > MOST_BYTES {
            return None;
        }
        let lead = self.keep(ByteSpan::default(), lead)?;
        let new = self.members.len() as u32;
        let next = core::mem::replace(self.next_mut(node, previous)?, new);
        self.members.push(MemberEntry {
            lead,
            key,
            value: ByteSpan::default(),
            is_open: false,
            child: NONE,
            next,
            field,
            misses: 0,
            patience: 0,
        });
        Some(LayoutMember(new))
    }
}

#[cfg(test)]
mod tests;
