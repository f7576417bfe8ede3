//! The writes of plans as commands: `kubectl patch` for updates, in the order of writing.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use super::patches::{self, PatchKind, Patches};
use super::{Plan, SliceRef};
use crate::json::{self, shown};
use crate::model::order::gathered;
use crate::model::shell::word;
use crate::model::text::shorten;
use crate::model::{EndpointSlice, dns};
use crate::{Code, Error};

/// The updates of a plan as patches. `slices` are those the plan was made from.
pub fn updates<'p, 'a>(
    plan: &'p Plan<'a>,
    slices: &'p [EndpointSlice<'_>],
    kind: PatchKind,
) -> impl Iterator<Item = (&'p EndpointSlice<'a>, Patches)> {
    let names = slices.iter();
    let before: BTreeMap<_, _> = gathered(names.map(|slice| (key(slice), slice)));
    plan.update.iter().filter_map(move |slice| {
        let before = before.get(&key(slice))?;
        Some((slice, patches::one(before, slice, &[kind])))
    })
}

/// A shell script that applies the plans. `slices` are those the plans were made from.
///
/// # Errors
/// `InvalidValue` for a slice whose name or namespace the API server would refuse: neither can be in a cluster, and a
/// name that begins with a dash would be an option. The path is that of the slice in `slices`.
pub fn script(
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    kind: PatchKind,
) -> Result<String, Error> {
    let mut named = plans.iter().flat_map(|plan| {
        let updated = plan.update.iter().map(key);
        let namespace = &*plan.service.namespace;
        updated.chain(
            plan.delete
                .iter()
                .map(move |slice| (namespace, &*slice.name)),
        )
    });
    named.try_for_each(|key| check_names(key, slices))?;
    let mut script = String::new();
    for plan in plans {
        for slice in &plan.create {
            let body = quoted_json(&written(slice));
            script.push_str(&format!("printf %s {body} | kubectl create -f -\n"));
        }
        for (slice, patches) in updates(plan, slices, kind) {
            update(slice, &patches, &mut script);
        }
        for slice in &plan.delete {
            script.push_str(&delete(&plan.service.namespace, slice));
        }
    }
    Ok(script)
}

fn check_names((namespace, name): (&str, &str), slices: &[EndpointSlice<'_>]) -> Result<(), Error> {
    let (field, given, what) = if !dns::is_label(namespace) {
        ("namespace", namespace, "a DNS label")
    } else if !dns::is_subdomain(name) {
        ("name", name, "a DNS subdomain")
    } else {
        return Ok(());
    };
    let place = slices
        .iter()
        .position(|slice| key(slice) == (namespace, name));
    let message = format!(
        "`{}` is the {field} of no slice in a cluster, so no command can be given for it; use {what}: lower case letters, \
         digits and `-`",
        shorten(given)
    );
    let error = Error::new(Code::InvalidValue, message);
    Err(match place {
        Some(place) => error.at(format!("/slices/{place}/metadata/{field}")),
        None => error,
    })
}

fn key<'s>(slice: &'s EndpointSlice<'_>) -> (&'s str, &'s str) {
    (&slice.metadata.namespace, slice.name())
}

/// Our own values always serialize.
fn written(value: &impl serde::Serialize) -> String {
    json::write::to_string(value).unwrap_or_default()
}

fn update(slice: &EndpointSlice<'_>, patches: &Patches, script: &mut String) {
    let (kind, patch) = match patches {
        Patches {
            json: Some(json), ..
        } => ("json", written(json)),
        Patches {
            merge: Some(merge), ..
        } => ("merge", merge.get().to_owned()),
        Patches {
            apply: Some(apply), ..
        } => {
            let manager = word(&apply.field_manager);
            let body = quoted_json(apply.body.get());
            script.push_str(&format!(
                "printf %s {body} | kubectl apply --server-side --force-conflicts --field-manager={manager} -f -\n"
            ));
            match &apply.remove {
                Some(remove) => ("merge", remove.get().to_owned()),
                None => return,
            }
        }
        _ => return,
    };
    script.push_str(&format!(
        "kubectl patch endpointslice {} -n {} --type={kind} -p {}\n",
        word(slice.name()),
        word(&slice.metadata.namespace),
        quoted_json(&patch)
    ));
}

fn delete(namespace: &str, slice: &SliceRef<'_>) -> String {
    let name = word(&slice.name);
    format!(
        "kubectl delete endpointslice {name} -n {}\n",
        word(namespace)
    )
}

/// JSON as one shell word on one line. Raw input may have newlines between its values.
fn quoted_json(json: &str) -> String {
    word(&shown(json).replace('\n', " ")).into_owned()
}
