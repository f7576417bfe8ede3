//! The nodes of a session, by name.

use alloc::vec::Vec;

use crate::model::Node;

#[derive(Debug, Default)]
pub(super) struct Nodes(Vec<Node<'static>>);

impl Nodes {
    /// Takes a node. Is it new, or did its readiness or its zone change?
    pub(super) fn set(&mut self, node: &Node<'_>) -> bool {
        let own = node.clone().into_owned();
        match self.find(&node.metadata.name) {
            Ok(place) => {
                let Some(old) = self.0.get_mut(place) else {
                    return false;
                };
                let changed = old.is_ready() != node.is_ready() || old.zone() != node.zone();
                *old = own;
                changed
            }
            Err(place) => {
                self.0.insert(place, own);
                true
            }
        }
    }

    /// Drops a node. Was it known?
    pub(super) fn remove(&mut self, name: &str) -> bool {
        let place = self.find(name);
        if let Ok(place) = place {
            self.0.remove(place);
        }
        place.is_ok()
    }

    pub(super) fn all(&self) -> &[Node<'static>] {
        &self.0
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|node| node.metadata.name.as_str().cmp(name))
    }
}
