//! The work queue: what to do next, what must wait, and what is in progress.
//!
//! Reference: client-go's `workqueue` (`Typed`, `delayingType`, `rateLimitingType`). Equal items merge. An item that is
//! added while it is being processed is queued again afterwards, so no two workers ever have the same item. Pure: each
//! call gets the time since the controller's start.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use core::time::Duration;

use super::config::RetryLimits;
use super::limiter::RetryLimiter;

/// The capacity that is kept when nothing is ready.
const KEPT: usize = 1024;

/// A rate-limited FIFO queue of items to work on.
#[derive(Clone, Debug)]
pub struct Queue<K> {
    /// In order; each is in `dirty`, and none in `processing`.
    ready: VecDeque<K>,
    /// What needs work.
    dirty: BTreeSet<K>,
    /// What is being processed. It may already be dirty again.
    processing: BTreeSet<K>,
    /// When each waiting item is added.
    waiting: BTreeMap<K, Due>,
    /// The same, sorted by time.
    by_time: BTreeMap<Due, K>,
    /// Numbers the entries, so that those with the same time keep their order.
    entered: u64,
    limiter: RetryLimiter<K>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    at: Duration,
    number: u64,
}

impl<K: Ord + Clone> Queue<K> {
    /// An empty queue.
    pub fn new(limits: RetryLimits) -> Self {
        Self {
            ready: VecDeque::new(),
            dirty: BTreeSet::new(),
            processing: BTreeSet::new(),
            waiting: BTreeMap::new(),
            by_time: BTreeMap::new(),
            entered: 0,
            limiter: RetryLimiter::new(limits),
        }
    }

    /// Adds an item to work on now. If it is ready already, nothing changes; if it is being processed, it is queued
    /// again afterwards.
    pub fn add(&mut self, item: K) {
        if self.dirty.contains(&item) {
            return;
        }
        if !self.processing.contains(&item) {
            self.ready.push_back(item.clone());
        }
        self.dirty.insert(item);
    }

    /// Adds an item after a delay. Of several delays the one that ends first counts; an [`Queue::add`] in the meantime
    /// does not cancel it, so the item is then processed twice.
    pub fn add_after(&mut self, item: K, delay: Duration, now: Duration) {
        let at = now.saturating_add(delay);
        if at <= now {
            self.add(item);
            return;
        }
        let waiting = self.waiting.get(&item).copied();
        if waiting.is_some_and(|due| due.at <= at) {
            return;
        }
        if let Some(due) = waiting {
            self.by_time.remove(&due);
        }
        let due = Due {
            at,
            number: self.entered,
        };
        self.entered += 1;
        self.by_time.insert(due, item.clone());
        self.waiting.insert(item, due);
    }

    /// Adds an item that has failed, after the delay that is returned.
    pub fn add_rate_limited(&mut self, item: K, now: Duration) -> Duration {
        let delay = self.limiter.when(&item, now);
        self.add_after(item, delay, now);
        delay
    }

    /// How often the item has failed since it was last forgotten.
    pub fn retries(&self, item: &K) -> u32 {
        self.limiter.failures(item)
    }

    /// Forgets the item's failures. A pending delay stays.
    pub fn forget(&mut self, item: &K) {
        self.limiter.forget(item);
    }

    /// Adds the items whose delays are over.
    pub fn advance(&mut self, now: Duration) {
        while let Some(entry) = self.by_time.first_entry() {
            if entry.key().at > now {
                break;
            }
            let item = entry.remove();
            self.waiting.remove(&item);
            self.add(item);
        }
    }

    /// Takes the next item to work on, until [`Queue::done`].
    pub fn get(&mut self) -> Option<K> {
        let item = self.ready.pop_front()?;
        if self.ready.is_empty() {
            // Releases the capacity that a burst took.
            self.ready.shrink_to(KEPT);
        }
        self.dirty.remove(&item);
        self.processing.insert(item.clone());
        Some(item)
    }

    /// The item has been processed. False if it was not being processed.
    pub fn done(&mut self, item: &K) -> bool {
        let was_processing = self.processing.remove(item);
        if was_processing && self.dirty.contains(item) {
            self.ready.push_back(item.clone());
        }
        was_processing
    }

    /// When the next delay ends.
    pub(crate) fn next_timer(&self) -> Option<Duration> {
        self.by_time.first_key_value().map(|(due, _)| due.at)
    }

    /// How many items are being processed.
    #[cfg(test)]
    pub(crate) fn processing(&self) -> usize {
        self.processing.len()
    }

    /// How many items are ready.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Is nothing ready, waiting, being processed or remembered?
    pub(crate) fn is_empty(&self) -> bool {
        self.dirty.is_empty()
            && self.processing.is_empty()
            && self.waiting.is_empty()
            && self.limiter.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue() -> Queue<&'static str> {
        Queue::new(RetryLimits::default())
    }

    fn second(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn equal_items_merge_and_keep_their_place() {
        let mut queue = queue();
        for item in ["a", "b", "a"] {
            queue.add(item);
        }
        assert_eq!(
            [queue.get(), queue.get(), queue.get()],
            [Some("a"), Some("b"), None]
        );
    }

    #[test]
    fn what_is_being_worked_on_comes_again_only_after() {
        let mut queue = queue();
        queue.add("a");
        queue.get();
        queue.add("a");
        queue.add("a");
        assert_eq!((queue.get(), queue.processing()), (None, 1));
        assert!(queue.done(&"a"));
        assert_eq!((queue.get(), queue.get()), (Some("a"), None));
        assert!(queue.done(&"a"));
        assert!(!queue.done(&"a"), "nobody was at it");
        assert!(queue.is_empty());
    }

    #[test]
    fn of_two_delays_the_one_that_ends_first_counts() {
        let mut queue = queue();
        queue.add_after("a", second(5), second(0));
        queue.add_after("a", second(9), second(0));
        queue.add_after("b", second(4), second(0));
        queue.add_after("a", second(2), second(1));
        assert_eq!(queue.next_timer(), Some(second(3)));
        queue.advance(second(2));
        assert_eq!(queue.ready(), 0);
        queue.advance(second(10));
        assert_eq!(
            [queue.get(), queue.get(), queue.get()],
            [Some("a"), Some("b"), None]
        );
        assert_eq!(queue.next_timer(), None);
    }

    #[test]
    fn an_immediate_add_does_not_end_a_wait() {
        let mut queue = queue();
        queue.add_after("a", second(1), second(0));
        queue.add("a");
        assert_eq!(queue.get(), Some("a"));
        queue.done(&"a");
        queue.advance(second(1));
        assert_eq!(queue.get(), Some("a"));
    }

    #[test]
    fn what_is_due_at_one_time_comes_in_the_order_it_was_added() {
        let mut queue = queue();
        for item in ["c", "a", "b"] {
            queue.add_after(item, second(1), second(0));
        }
        queue.advance(second(1));
        assert_eq!(
            [queue.get(), queue.get(), queue.get()],
            [Some("c"), Some("a"), Some("b")]
        );
    }

    #[test]
    fn a_delay_at_the_end_of_time_is_kept() {
        let mut queue = queue();
        queue.add_after("a", Duration::MAX, second(1));
        assert_eq!(queue.next_timer(), Some(Duration::MAX));
        queue.add_after("b", Duration::MAX, Duration::MAX);
        assert_eq!(queue.get(), Some("b"));
    }
}
