//! The objects that traffic depends on, read as their bytes arrive.

use slicewise::api::stream::streams;

use super::route::TrafficObjects;

streams! {
    /// Reads the objects that traffic depends on, piece by piece.
    TrafficStream of TrafficObjects gives TrafficObjects;
}
