//! Work on as many threads as there are processors.

use std::num::NonZero;
use std::thread::{self, ScopedJoinHandle};

use slicewise_diagnosis::{InTurn, Workers};

/// Explains Services in several threads, if there are many.
pub(crate) struct Threads;

/// Fewer items are not worth a thread.
const FEWEST: usize = 64;

fn count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Can threads run at once?
pub(crate) fn are_several() -> bool {
    count() > 1
}

/// What a thread returns, or its panic.
pub(crate) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    returned(thread.join())
}

/// What a thread has returned, or its panic.
pub(crate) fn returned<T>(result: thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Workers for Threads {
    fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let share = items.len().div_ceil(count()).max(FEWEST);
        if items.len() <= share {
            return InTurn.map(items, work);
        }
        thread::scope(|scope| {
            let work = &work;
            let part = |part| scope.spawn(move || InTurn.map(part, work));
            let threads: Vec<_> = items.chunks(share).map(part).collect();
            threads.into_iter().flat_map(joined).collect()
        })
    }
}
