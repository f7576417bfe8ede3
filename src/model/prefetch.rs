//! Asks the processor to load what will be read soon.
//!
//! The objects of a large Service do not fit in the processor's own cache, and a decision reads a little of each. Nothing
//! waits for a prefetch, so it loads while the objects before it are compared.

use super::endpoint_set::DesiredEndpoint;
use super::endpoint_slice::Endpoint;
use super::pod::Pod;

/// How many items ahead an item is prefetched.
const ITEMS_AHEAD: usize = 16;
/// How many items ahead its texts are prefetched: where they are is known once the item has been loaded.
const TEXTS_AHEAD: usize = 8;

/// What is read of an item.
pub(crate) trait Prefetch {
    /// Prefetches the item itself.
    fn prefetch(&self);

    /// Prefetches its texts.
    fn prefetch_texts(&self);
}

/// Prefetches what follows this place in a list that is read in order.
#[inline]
pub(crate) fn prefetch_after<T: Prefetch>(items: &[T], place: usize) {
    let ahead = |count: usize| items.get(place + count);
    prefetch_ahead(ahead, T::prefetch, T::prefetch_texts);
}

/// Prefetches what follows a place; `ahead` finds the item that many places further on. WebAssembly has no instruction for it.
#[inline]
pub fn prefetch_ahead<T>(
    ahead: impl Fn(usize) -> Option<T>,
    prefetch: impl FnOnce(T),
    prefetch_texts: impl FnOnce(T),
) {
    if cfg!(target_arch = "wasm32") {
        return;
    }
    if let Some(item) = ahead(ITEMS_AHEAD) {
        prefetch(item);
    }
    if let Some(item) = ahead(TEXTS_AHEAD) {
        prefetch_texts(item);
    }
}

/// Prefetches the beginning of a text.
#[inline]
pub fn prefetch_text(text: &str) {
    prefetch_first(text.as_bytes());
}

/// Prefetches the cache line in which a field begins.
#[inline]
pub fn prefetch_field<T>(field: &T) {
    prefetch_first(core::slice::from_ref(field));
}

#[inline]
fn prefetch_first<T>(items: &[T]) {
    #[cfg(not(target_arch = "wasm32"))]
    prefetch_index::prefetch_index(items, 0);
    #[cfg(target_arch = "wasm32")]
    let _ = items;
}

impl Prefetch for Pod<'_> {
    #[inline]
    fn prefetch(&self) {
        prefetch_field(&self.metadata.name);
        prefetch_field(&self.metadata.uid);
        prefetch_field(&self.metadata.deletion_timestamp);
        prefetch_field(&self.spec.node_name);
        prefetch_field(&self.spec.hostname);
        prefetch_field(&self.status.phase);
        prefetch_field(&self.status.pod_ips);
        prefetch_field(&self.status.ready);
    }

    #[inline]
    fn prefetch_texts(&self) {
        let (metadata, spec) = (&self.metadata, &self.spec);
        for text in [&metadata.name, &metadata.uid, &spec.node_name] {
            prefetch_text(text);
        }
    }
}

impl Prefetch for Endpoint<'_> {
    #[inline]
    fn prefetch(&self) {
        prefetch_field(&self.addresses);
        prefetch_field(&self.conditions);
        prefetch_field(&self.hostname);
        prefetch_field(&self.target_ref);
        prefetch_field(&self.node_name);
        prefetch_field(&self.zone);
        prefetch_field(&self.hints);
    }

    #[inline]
    fn prefetch_texts(&self) {
        let target = self.target_ref.iter();
        let target = target.flat_map(|target| [&target.namespace, &target.name, &target.uid]);
        let own = self.addresses.first().into_iter().chain(&self.node_name);
        own.chain(&self.zone)
            .chain(target)
            .for_each(|text| prefetch_text(text));
    }
}

impl Prefetch for DesiredEndpoint<'_> {
    #[inline]
    fn prefetch(&self) {
        prefetch_field(&self.addresses);
        prefetch_field(&self.target);
        prefetch_field(&self.node_name);
    }

    #[inline]
    fn prefetch_texts(&self) {
        self.target.texts().into_iter().for_each(prefetch_text);
    }
}
