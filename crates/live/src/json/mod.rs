//! JSON in, JSON out: sessions and controllers on bytes, fed with watch events and lists as API servers send them.
//!
//! Answers are one line of minified JSON, the same bytes on every platform. Invalid input is an
//! [`Error`](slicewise::Error) with a code, a JSON pointer and a position; nothing is dropped silently.

mod applied;
mod apply;
pub mod controller_stream;
pub mod events;
#[doc(hidden)]
pub mod intake;
mod list_pieces;
mod lists;
mod session;

pub use applied::{AppliedEvents, LeftOutObject, LineError, WatchError};
pub use apply::{AppliedPlan, RefusedWrite, applied, apply};
pub use controller_stream::ControllerStream;
pub(crate) use controller_stream::describe::{ControllerAnswer, ControllerLine};
pub(crate) use controller_stream::record::ControllerConfig;
pub use list_pieces::ListPieces;
#[doc(hidden)]
pub use lists::ONE_PAGE;
pub use lists::next_page;
pub use session::Session;
