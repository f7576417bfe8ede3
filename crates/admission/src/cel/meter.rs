//! What an evaluation may cost, and why it ended without a value.

use alloc::string::String;

/// Bytes that one step reads or creates.
const BYTES_OF_STEP: usize = 16;

/// Counts the steps of evaluations: one for each operation and each item created, and one for every 16 bytes of text.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    left: u64,
    spent: u64,
}

impl Meter {
    /// A meter with a limit of steps.
    pub const fn new(limit: u64) -> Self {
        Self {
            left: limit,
            spent: 0,
        }
    }

    /// The steps taken so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Pays for steps before they are taken.
    pub(crate) const fn pay(&mut self, steps: usize) -> Result<(), Fail> {
        match self.left.checked_sub(steps as u64) {
            Some(left) => {
                self.left = left;
                self.spent += steps as u64;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Fail::Cost)
            }
        }
    }

    /// Pays for reading or creating bytes.
    pub(crate) const fn pay_bytes(&mut self, bytes: usize) -> Result<(), Fail> {
        self.pay(bytes / BYTES_OF_STEP)
    }
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fail {
    /// It would exceed the limit. Nothing absorbs this.
    Cost,
    /// The expression has no value for this object, for this reason. `&&` and `||` absorb it if the other side decides.
    Error(String),
}

impl Fail {
    pub(super) fn error(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }
}
