//! JSON Schemas of the JSON interface, derived from the types that are read and written.

use schemars::Schema;

/// The schemas of all crates, by name.
pub fn all() -> Vec<(&'static str, Schema)> {
    [
        slicewise::schema::schemas(),
        slicewise_sources::schemas(),
        slicewise_live::schemas(),
        slicewise_traffic::schemas(),
        slicewise_diagnosis::schemas(),
        slicewise_simulation::schemas(),
        slicewise_admission::schemas(),
        slicewise_lint::schemas(),
    ]
    .concat()
}
