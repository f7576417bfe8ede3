//! Where input comes from: a file or standard input.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use slicewise::api::Limits;

use crate::failure::CommandFailure;
use crate::screen;
use crate::usage::program;

/// The extensions of the files to read in a folder.
const EXTENSIONS: [&str; 3] = ["json", "yaml", "yml"];

/// The named file, if any.
pub(crate) fn named(file: Option<&Path>) -> Option<&Path> {
    file.filter(|file| file.as_os_str() != "-")
}

/// WASI has no working directory; the npm command passes it in this variable.
pub(crate) fn from_here(file: &Path) -> PathBuf {
    let folder = cfg!(target_os = "wasi").then(|| std::env::var_os("PWD"));
    PathBuf::from(folder.flatten().unwrap_or_default()).join(file)
}

/// A file, or standard input.
pub(crate) type Source = Box<dyn Read + Send>;

/// Opens the file, or standard input for a subcommand.
pub(crate) fn open(file: Option<&Path>, command: &str) -> Result<Source, CommandFailure> {
    if let Some(file) = named(file) {
        return match File::open(from_here(file)) {
            Ok(opened) if opened.metadata().is_ok_and(|about| about.is_dir()) => {
                let what = format!("cannot read {}", file.display());
                Err(CommandFailure::File(
                    what,
                    io::ErrorKind::IsADirectory.into(),
                ))
            }
            Ok(opened) => Ok(Box::new(opened)),
            Err(error) => {
                let what = format!("cannot open {}", file.display());
                Err(CommandFailure::File(what, error))
            }
        };
    }
    let stdin = io::stdin();
    if stdin.is_terminal() {
        // Users who forget the file should not face a silent prompt.
        let _ = writeln!(
            screen::stderr(),
            "slicewise: reading standard input; end it with Ctrl-D, or see {} {command} --help",
            program()
        );
    }
    Ok(Box::new(stdin))
}

/// The files to read: of a folder, those that `kubectl` would read, sorted by name.
pub(crate) fn expand(files: &[PathBuf]) -> Result<Vec<PathBuf>, CommandFailure> {
    let mut expanded = Vec::new();
    for file in files {
        if named(Some(file)).is_none() || !from_here(file).is_dir() {
            expanded.push(file.clone());
            continue;
        }
        let failed = |error| CommandFailure::File(format!("cannot read {}", file.display()), error);
        let mut within = Vec::new();
        for entry in std::fs::read_dir(from_here(file)).map_err(failed)? {
            let name = PathBuf::from(entry.map_err(failed)?.file_name());
            let extension = name.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                within.push(file.join(name));
            }
        }
        if within.is_empty() {
            let why = format!("it has no files that end in .{}", EXTENSIONS.join(", ."));
            return Err(failed(io::Error::other(why)));
        }
        within.sort();
        expanded.append(&mut within);
    }
    Ok(expanded)
}

/// Adds the file's name to a failure.
pub(crate) fn within(failure: CommandFailure, file: &Path) -> CommandFailure {
    match failure {
        CommandFailure::Input(error) => {
            let file =
                named(Some(file)).map_or_else(|| "standard input".into(), Path::to_string_lossy);
            CommandFailure::Input(error.told_of(&file))
        }
        other => other,
    }
}

/// Reads the rest of the input, after the bytes that are known of it, up to one byte beyond the limit, which shows that there
/// is more. Large inputs are neither copied nor held twice.
pub(crate) fn read_on(
    bytes: &mut Vec<u8>,
    source: impl Read,
    file: Option<&Path>,
    limits: Limits,
) -> Result<(), CommandFailure> {
    let read = up_to(limits, bytes.len(), source).read_to_end(bytes);
    read.map(drop).map_err(|error| failed(file, error))
}

fn up_to<R: Read>(limits: Limits, known: usize, source: R) -> io::Take<R> {
    let most = limits.max_input_bytes.saturating_sub(known);
    source.take(u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1))
}

fn failed(file: Option<&Path>, error: io::Error) -> CommandFailure {
    match named(file) {
        Some(_) => CommandFailure::File(what(file), error),
        None => CommandFailure::Io(what(file), error),
    }
}

/// The operation to name if reading fails.
pub(crate) fn what(file: Option<&Path>) -> String {
    match named(file) {
        Some(file) => format!("cannot read {}", file.display()),
        None => "cannot read the input".to_owned(),
    }
}
