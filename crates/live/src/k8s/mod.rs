//! Sessions over `k8s_openapi` types: events of watches in, plans out.
//!
//! Objects are read as [`slicewise::k8s`] reads them, and plans are its [`Plan`](slicewise::k8s::Plan)s, written in the
//! same ways.

mod session;
mod watched;

pub use session::Session;
pub use watched::WatchedKind;

pub use crate::session::event::{Kind, Reception};
