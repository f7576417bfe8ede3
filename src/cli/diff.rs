//! The changes of plans as `kubectl diff` shows them: one unified diff of YAML per slice.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::{RawValue, to_raw_value};
use similar::{ChangeTag, TextDiff};
use slicewise::model::EndpointSlice;
use slicewise::model::endpoint_slice::{API_VERSION, KIND};
use slicewise::plan::Plan;

use super::yaml::to_yaml;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";
const RESET: &str = "\u{1b}[0m";

type Fields = BTreeMap<String, Box<RawValue>>;

/// Writes the diffs of all plans. `slices` are those the plans were made from.
pub(super) fn write(
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    color: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let key = |slice: &EndpointSlice<'_>| {
        (
            slice.metadata.namespace.to_string(),
            slice.name().to_owned(),
        )
    };
    let before: BTreeMap<_, _> = slices.iter().map(|slice| (key(slice), slice)).collect();
    for plan in plans {
        for (number, slice) in plan.create.iter().enumerate() {
            let name = format!("{}{number}", slice.metadata.generate_name);
            write_one(
                &plan.service.namespace,
                &name,
                "",
                &shown(slice)?,
                color,
                output,
            )?;
        }
        for slice in &plan.update {
            let old = before
                .get(&key(slice))
                .map(|old| shown(old))
                .transpose()?
                .unwrap_or_default();
            write_one(
                &plan.service.namespace,
                slice.name(),
                &old,
                &shown(slice)?,
                color,
                output,
            )?;
        }
        for slice in &plan.delete {
            let old = before.get(&(plan.service.namespace.to_string(), slice.name.to_string()));
            let old = old.map(|old| shown(old)).transpose()?.unwrap_or_default();
            write_one(
                &plan.service.namespace,
                &slice.name,
                &old,
                "",
                color,
                output,
            )?;
        }
    }
    Ok(())
}

/// A slice as YAML, without `managedFields`, which `kubectl diff` leaves out, too. What this version does not know stays
/// the text it was.
fn shown(slice: &EndpointSlice<'_>) -> io::Result<String> {
    let mut object: Fields = serde_json::from_slice(&serde_json::to_vec(slice)?)?;
    object.insert("apiVersion".to_owned(), to_raw_value(API_VERSION)?);
    object.insert("kind".to_owned(), to_raw_value(KIND)?);
    if let Some(metadata) = object.get_mut("metadata") {
        let mut fields: Fields = serde_json::from_str(metadata.get())?;
        fields.remove("managedFields");
        *metadata = to_raw_value(&fields)?;
    }
    to_yaml(&object)
}

fn write_one(
    namespace: &str,
    name: &str,
    old: &str,
    new: &str,
    color: bool,
    output: &mut impl Write,
) -> io::Result<()> {
    let file = format!("discovery.k8s.io.v1.EndpointSlice.{namespace}.{name}");
    let paint = |code: &'static str| if color { code } else { "" };
    let reset = paint(RESET);
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    let hunks = unified.context_radius(3);
    writeln!(output, "diff -u -N LIVE/{file} MERGED/{file}")?;
    writeln!(output, "{}--- LIVE/{file}{reset}", paint(RED))?;
    writeln!(output, "{}+++ MERGED/{file}{reset}", paint(GREEN))?;
    for hunk in hunks.iter_hunks() {
        writeln!(output, "{}{}{reset}", paint(CYAN), hunk.header())?;
        for change in hunk.iter_changes() {
            let (sign, code) = match change.tag() {
                ChangeTag::Delete => ('-', paint(RED)),
                ChangeTag::Insert => ('+', paint(GREEN)),
                ChangeTag::Equal => (' ', ""),
            };
            let end = if code.is_empty() { "" } else { reset };
            writeln!(
                output,
                "{code}{sign}{}{end}",
                change.value().trim_end_matches('\n')
            )?;
        }
    }
    Ok(())
}
