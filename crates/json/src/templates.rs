//! The templates of a memory: one for each place where objects are alike.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::place::LayoutNode;
use super::template::{Mismatch, Template};

/// The maximum number of bytes of all templates that are made before a memory starts again.
const MOST_BYTES: usize = 1 << 20;
/// The number of texts in a row that may be of another form.
const MOST_MISSES: u8 = 4;

/// The templates by node.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    entries: Vec<TemplateEntry>,
    /// The length of all templates made so far.
    bytes: usize,
}

#[derive(Clone, Debug)]
struct TemplateEntry {
    template: Option<Box<Template>>,
    /// How many objects to read key by key before a template is made, and the number before the next one.
    due: (u16, u16),
}

impl Default for TemplateEntry {
    fn default() -> Self {
        Self {
            template: None,
            due: (1, 2),
        }
    }
}

impl Templates {
    /// Takes a template out, to be put back.
    #[inline]
    pub fn take(&mut self, node: LayoutNode) -> Option<Box<Template>> {
        self.entries.get_mut(node.0 as usize)?.template.take()
    }

    /// Puts it back, after a text that matched or differed from it. One that matches no longer is dropped.
    #[inline]
    pub fn put(
        &mut self,
        node: LayoutNode,
        mut template: Box<Template>,
        difference: Option<Mismatch>,
    ) {
        if let Some(entry) = self.entries.get_mut(node.0 as usize)
            && template.note(difference) < MOST_MISSES
        {
            entry.template = Some(template);
        }
    }

    /// Counts an object that was read key by key. Is it time to make a template?
    #[inline]
    pub fn is_due(&mut self, node: LayoutNode, len: usize) -> bool {
        let place = node.0 as usize;
        if self.entries.len() <= place {
            self.entries.resize_with(place + 1, TemplateEntry::default);
        }
        let are_full = self.are_full();
        let Some(entry) = self.entries.get_mut(place) else {
            return false;
        };
        if are_full || entry.template.is_some() {
            return false;
        }
        let (left, next) = entry.due;
        if left > 0 {
            entry.due.0 -= 1;
            return false;
        }
        entry.due = (next, next.saturating_mul(2));
        self.bytes += len;
        true
    }

    /// Objects of this node have no use for a template.
    pub fn avoid(&mut self, node: LayoutNode) {
        if let Some(entry) = self.entries.get_mut(node.0 as usize) {
            entry.due = (u16::MAX, u16::MAX);
        }
    }

    /// The node is for other objects from now on.
    #[inline]
    pub(crate) fn forget(&mut self, node: LayoutNode) {
        if let Some(entry) = self.entries.get_mut(node.0 as usize) {
            *entry = TemplateEntry::default();
        }
    }

    /// Is there no room for more?
    #[inline]
    pub(crate) const fn are_full(&self) -> bool {
        self.bytes > MOST_BYTES
    }
}
