//! Finds the workspace, and writes files only when their content changes.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The nearest ancestor of the current folder that contains `xtask/Cargo.toml`.
pub(crate) fn workspace_root() -> Result<PathBuf> {
    let start = std::env::current_dir().context("no current directory")?;
    start
        .ancestors()
        .find(|folder| folder.join("xtask/Cargo.toml").is_file())
        .map(Path::to_path_buf)
        .context("run this inside the repository")
}

/// Writes `content` unless the file already has it; returns whether it wrote.
pub(crate) fn write_if_changed(path: &Path, content: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(true)
}

/// One line of progress.
pub(crate) fn say(line: &str) -> Result<()> {
    writeln!(stdout(), "{line}").context("cannot write to stdout")
}
