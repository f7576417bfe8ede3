//! The JSON Schemas of the public envelopes, from the Rust types that read and write them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::files::{say, write_if_changed};

/// Writes `pkg/schema/<name>.json` for every schema and removes files without a schema.
pub(crate) fn schemas(root: &Path) -> Result<()> {
    let folder = root.join("pkg/schema");
    let mut names = BTreeSet::new();
    let mut written = 0;
    for (name, schema) in slicewise_full::schema::all() {
        let file = format!("{name}.json");
        let mut text = serde_json::to_string_pretty(&schema)?;
        text.push('\n');
        written += usize::from(write_if_changed(&folder.join(&file), text.as_bytes())?);
        names.insert(file);
    }
    for entry in fs::read_dir(&folder).context("no schemas were written")? {
        let entry = entry?;
        if !names.contains(entry.file_name().to_string_lossy().as_ref()) {
            fs::remove_file(entry.path())?;
        }
    }
    say(&format!(
        "schema: {} files in pkg/schema, {written} changed",
        names.len()
    ))
}
