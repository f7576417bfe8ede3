//! What the commands do, some of it at the same time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{available_parallelism, scope};

use anyhow::Result;

/// Something to build, which needs none of the others.
pub(crate) type Job<'a> = Box<dyn Fn() -> Result<()> + Sync + 'a>;

/// A compiler that optimizes a whole module uses one core most of the time, and more than a gigabyte of memory.
const MOST_AT_ONCE: usize = 4;

/// Runs the jobs, as many at once as there are cores.
///
/// # Errors
///
/// The first one; jobs that have not begun by then are left out.
pub(crate) fn run(jobs: &[Job<'_>]) -> Result<()> {
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = job() {
                next.store(jobs.len(), Ordering::Relaxed);
                failure
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(error);
            }
        }
    };
    let workers = available_parallelism()
        .map_or(1, usize::from)
        .min(MOST_AT_ONCE);
    scope(|threads| {
        for _ in 0..workers.min(jobs.len()) {
            threads.spawn(work);
        }
    });
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
