//! The changes of plans as `kubectl diff` shows them: one unified diff of YAML per slice.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::value::{RawValue, to_raw_value};
use similar::{ChangeTag, TextDiff};
use slicewise::model::endpoint_slice::{API_VERSION, KIND};
use slicewise::model::{EndpointSlice, Endpoints, endpoints};
use slicewise::plan::Plan;
use slicewise_json::yaml::to_yaml;

use crate::screen::painted;

const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const CYAN: &str = "\u{1b}[36m";

/// The style of a diff.
#[derive(Clone, Copy)]
pub(crate) struct LineLook {
    /// Whether to use colours.
    pub(crate) color: bool,
    /// The names of the two sides.
    pub(crate) sides: [&'static str; 2],
}

impl LineLook {
    /// The style of `kubectl diff`.
    pub(crate) const fn kubectl(color: bool) -> Self {
        Self {
            color,
            sides: ["LIVE", "MERGED"],
        }
    }
}

type RawFields = BTreeMap<String, Box<RawValue>>;

/// Writes the diffs of all plans. `slices` are the slices before the plans.
pub(crate) fn write(
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    look: LineLook,
    output: &mut impl Write,
) -> io::Result<()> {
    let before: BTreeMap<_, _> = slices.iter().map(|slice| (key(slice), slice)).collect();
    for plan in plans {
        let namespace = plan.service.namespace.as_str();
        for (number, slice) in plan.create.iter().enumerate() {
            let name = format!("{}{number}", slice.metadata.generate_name);
            write_slice((namespace, &name), (None, Some(slice)), look, output)?;
        }
        for slice in &plan.update {
            let old = before.get(&key(slice)).copied();
            write_slice((namespace, slice.name()), (old, Some(slice)), look, output)?;
        }
        for slice in &plan.delete {
            let key = (namespace, slice.name.as_str());
            let old = before.get(&key).copied();
            write_slice(key, (old, None), look, output)?;
        }
    }
    Ok(())
}

/// Namespace and name.
pub(crate) fn key<'s>(slice: &'s EndpointSlice<'_>) -> (&'s str, &'s str) {
    (&slice.metadata.namespace, slice.name())
}

/// A slice as YAML.
pub(crate) fn slice(slice: &EndpointSlice<'_>) -> io::Result<String> {
    shown(slice, API_VERSION, KIND)
}

/// Endpoints as YAML.
pub(crate) fn endpoints(endpoints: &Endpoints<'_>) -> io::Result<String> {
    shown(endpoints, endpoints::API_VERSION, endpoints::KIND)
}

/// An object as YAML, without `managedFields`, which `kubectl diff` also omits. Fields unknown to this version are
/// unchanged.
fn shown(object: &impl serde::Serialize, api_version: &str, kind: &str) -> io::Result<String> {
    let mut object: RawFields = serde_json::from_slice(&serde_json::to_vec(object)?)?;
    object.insert("apiVersion".to_owned(), to_raw_value(api_version)?);
    object.insert("kind".to_owned(), to_raw_value(kind)?);
    if let Some(metadata) = object.get_mut("metadata") {
        let mut fields: RawFields = serde_json::from_str(metadata.get())?;
        fields.remove("managedFields");
        *metadata = to_raw_value(&fields)?;
    }
    Ok(to_yaml(&object)?)
}

/// Writes the diff between a slice before and after.
pub(crate) fn write_slice(
    (namespace, name): (&str, &str),
    (before, after): (Option<&EndpointSlice<'_>>, Option<&EndpointSlice<'_>>),
    look: LineLook,
    output: &mut impl Write,
) -> io::Result<()> {
    let file = format!("discovery.k8s.io.v1.EndpointSlice.{namespace}.{name}");
    let text = |side: Option<&EndpointSlice<'_>>| side.map(slice).transpose();
    let (old, new) = (
        text(before)?.unwrap_or_default(),
        text(after)?.unwrap_or_default(),
    );
    write_file(&file, &old, &new, look, output)
}

/// Writes the diff of one object under a file-like name.
pub(crate) fn write_file(
    file: &str,
    old: &str,
    new: &str,
    look: LineLook,
    output: &mut impl Write,
) -> io::Result<()> {
    let LineLook {
        color,
        sides: [old_side, new_side],
    } = look;
    let paint = |code: &'static str| color.then_some(code);
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    let hunks = unified.context_radius(3);
    writeln!(output, "diff -u -N {old_side}/{file} {new_side}/{file}")?;
    painted(output, paint(RED), format_args!("--- {old_side}/{file}"))?;
    writeln!(output)?;
    painted(output, paint(GREEN), format_args!("+++ {new_side}/{file}"))?;
    writeln!(output)?;
    for hunk in hunks.iter_hunks() {
        painted(output, paint(CYAN), format_args!("{}", hunk.header()))?;
        writeln!(output)?;
        for change in hunk.iter_changes() {
            let (sign, code) = match change.tag() {
                ChangeTag::Delete => ('-', paint(RED)),
                ChangeTag::Insert => ('+', paint(GREEN)),
                ChangeTag::Equal => (' ', None),
            };
            let line = change.value().trim_end_matches('\n');
            painted(output, code, format_args!("{sign}{line}"))?;
            writeln!(output)?;
        }
    }
    Ok(())
}
