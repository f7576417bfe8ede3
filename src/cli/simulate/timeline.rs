//! A timeline for people: a line for each thing that happened.

use std::io::{self, Write};

use slicewise::simulation::report::{ActionEntry, Entry, SyncEntry, What};

use super::table::time;

/// Writes all entries, and an empty line after them.
pub(super) fn write(entries: &[Entry], output: &mut impl Write) -> io::Result<()> {
    for entry in entries {
        let (what, subject, details) = texts(&entry.what);
        let line = format!("{:>10}  {what:6}  {subject}  {details}", time(entry.at));
        writeln!(output, "{}", line.trim_end())?;
    }
    if entries.is_empty() {
        Ok(())
    } else {
        writeln!(output)
    }
}

/// What happened, to what, and more of it.
fn texts(what: &What) -> (&'static str, &str, String) {
    match what {
        What::Action(action) => ("action", &action.action, about(action)),
        What::Sync(sync) => ("sync", &sync.service, came_of(sync)),
        What::Retry(retry) => {
            let details = format!("number {}, in {} ms", retry.retries, retry.after);
            ("retry", &retry.service, details)
        }
        What::Event(event) => {
            let details = format!("{:?} {}: {}", event.event_type, event.reason, event.message);
            ("event", &event.service, details)
        }
        What::List(list) => ("list", &list.kind, format!("{} objects", list.objects)),
        What::Edit(edit) => ("edit", &edit.slice, edit.edit.clone()),
    }
}

fn about(action: &ActionEntry) -> String {
    let zone = action.zone.as_ref().map(|zone| format!("zone {zone}"));
    let parts = [action.service.clone(), action.node.clone(), zone];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn came_of(sync: &SyncEntry) -> String {
    let (writes, result) = (&sync.writes, sync.result.as_deref());
    if writes.made() + writes.refused == 0 {
        return result.unwrap_or_default().to_owned();
    }
    let counts = format!(
        "{} created, {} updated, {} deleted, {} refused, {} bytes",
        writes.create, writes.update, writes.delete, writes.refused, sync.bytes
    );
    match result {
        None => format!("{counts}; nobody waited for it"),
        Some("success") => counts,
        Some(failed) => format!("{counts}; {failed}"),
    }
}
