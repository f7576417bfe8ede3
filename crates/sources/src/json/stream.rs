//! The objects of a snapshot, read as its bytes arrive.

use slicewise::api::stream::streams;

use super::mirror::MirrorObjects;

streams! {
    /// Reads the objects that mirrored slices depend on, piece by piece.
    MirrorStream of MirrorObjects gives MirrorObjects;
}
