//! The writes of plans as commands: `kubectl patch` for updates, in the order of writing.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use super::patches::{self, PatchKind, Patches};
use super::{Plan, SliceRef};
use crate::json::{self, shown};
use crate::model::EndpointSlice;
use crate::model::text::is_obeyed;

/// The updates of a plan as patches. `slices` are those the plan was made from.
pub fn updates<'p, 'a>(
    plan: &'p Plan<'a>,
    slices: &'p [EndpointSlice<'_>],
    kind: PatchKind,
) -> impl Iterator<Item = (&'p EndpointSlice<'a>, Patches)> {
    let names = slices.iter();
    let before: BTreeMap<_, _> = names.map(|slice| (key(slice), slice)).collect();
    plan.update.iter().filter_map(move |slice| {
        let before = before.get(&key(slice))?;
        Some((slice, patches::one(before, slice, &[kind])))
    })
}

/// A shell script that applies the plans. `slices` are those the plans were made from.
pub fn script(plans: &[&Plan<'_>], slices: &[EndpointSlice<'_>], kind: PatchKind) -> String {
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
    script
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
            let manager = quoted(&apply.field_manager);
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
        quoted(slice.name()),
        quoted(&slice.metadata.namespace),
        quoted_json(&patch)
    ));
}

fn delete(namespace: &str, slice: &SliceRef<'_>) -> String {
    let name = quoted(&slice.name);
    format!(
        "kubectl delete endpointslice {name} -n {}\n",
        quoted(namespace)
    )
}

/// JSON as one shell word on one line. Raw input may have newlines between its values.
fn quoted_json(json: &str) -> String {
    quoted(&shown(json).replace('\n', " "))
}

/// A quoted shell word.
fn quoted(text: &str) -> String {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    if text.chars().any(is_obeyed) {
        return quoted_bytes(text);
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// One shell word, in the `$'…'` quotes of bash, ksh and zsh, which allow any byte as a number.
fn quoted_bytes(text: &str) -> String {
    let mut quoted = String::from("$'");
    for byte in text.bytes() {
        match byte {
            b'\'' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_take_them_apart() {
        for (text, expected) in [
            ("cart-a", "cart-a"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("a\u{1b}[2J'\n", r"$'a\033[2J\'\012'"),
            ("\u{202e}x", r"$'\342\200\256x'"),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
