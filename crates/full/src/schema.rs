//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use schemars::Schema;

/// The schemas of all crates, by name.
pub fn all() -> Vec<(&'static str, Schema)> {
    [
        slicewise::schema::all(),
        slicewise_lint::schemas(),
        slicewise_simulation::schemas(),
    ]
    .concat()
}
