//! Places in a memory of layouts.

/// The memory of the objects and arrays at one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutNode(pub(super) u32);

/// The memory of a key and its value, or of an item of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutMember(pub(super) u32);

/// Bytes that are kept, and the space they may grow into.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByteSpan {
    pub(super) start: u32,
    pub(super) len: u16,
    pub(super) room: u16,
}

/// What is remembered of a key and its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberEntry {
    /// From after the comma to the value.
    pub(super) lead: ByteSpan,
    /// Where the key begins in the lead, and its length.
    pub(super) key: (u16, u16),
    /// The last skipped value; empty if there is none.
    pub(super) value: ByteSpan,
    /// Does the value, like a number, end only where something follows it?
    pub(super) is_open: bool,
    pub(super) child: u32,
    pub(super) next: u32,
    pub(super) field: u8,
    /// How often the value has differed since it last matched.
    pub(super) misses: u8,
    /// How often to skip it before comparing again.
    pub(super) patience: u8,
}
