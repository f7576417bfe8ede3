//! Which change is switched on: the one whose number is in `MUTANT`. With a file in `MUTANTS_REACHED`, none is, and the numbers of those
//! that would have made a difference, as the program passes them, are written to it.

extern crate std;

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};

static CHOSEN: LazyLock<usize> = LazyLock::new(|| match std::env::var("MUTANT") {
    Ok(number) => number.parse().unwrap(),
    Err(_) if REACHED.is_some() => TRACE,
    Err(_) => NONE,
});
static REACHED: LazyLock<Option<Mutex<File>>> = LazyLock::new(|| std::env::var("MUTANTS_REACHED").ok().map(|path| Mutex::new(File::create(path).unwrap())));
static SEEN: [AtomicBool; 10_000] = [const { AtomicBool::new(false) }; 10_000];

const NONE: usize = usize::MAX;
const TRACE: usize = usize::MAX - 1;

#[inline]
pub(crate) fn on(number: usize) -> bool {
    let chosen = *CHOSEN;
    if chosen == TRACE {
        note(number);
    }
    chosen == number
}

#[cold]
fn note(number: usize) {
    // Nearly always it has been: a load costs less.
    if !SEEN[number].load(Ordering::Relaxed)
        && !SEEN[number].swap(true, Ordering::Relaxed)
        && let Some(file) = &*REACHED
    {
        file.lock().unwrap().write_all(std::format!("{number}\n").as_bytes()).unwrap();
    }
}

/// What a function returns as an `impl Iterator`: one that has been changed, or its own.
#[derive(Clone)]
pub(crate) enum Either<A, B> {
    First(A),
    Second(B),
}

impl<A: Iterator, B: Iterator<Item = A::Item>> Iterator for Either<A, B> {
    type Item = A::Item;

    fn next(&mut self) -> Option<A::Item> {
        match self {
            Self::First(iterator) => iterator.next(),
            Self::Second(iterator) => iterator.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::First(iterator) => iterator.size_hint(),
            Self::Second(iterator) => iterator.size_hint(),
        }
    }
}

impl<A: DoubleEndedIterator, B: DoubleEndedIterator<Item = A::Item>> DoubleEndedIterator for Either<A, B> {
    fn next_back(&mut self) -> Option<A::Item> {
        match self {
            Self::First(iterator) => iterator.next_back(),
            Self::Second(iterator) => iterator.next_back(),
        }
    }
}

impl<A: ExactSizeIterator, B: ExactSizeIterator<Item = A::Item>> ExactSizeIterator for Either<A, B> {}
