//! The changes of plans as commands: `kubectl patch` for updates, in the order of writing.

use std::collections::BTreeMap;
use std::io::{self, Write};

use slicewise::json::shown;
use slicewise::model::EndpointSlice;
use slicewise::model::text::is_obeyed;
use slicewise::plan::patches::{self, PatchKind, Patches};
use slicewise::plan::{Plan, SliceRef};

use super::unified::key;

/// Writes a shell script that carries the plans out. `slices` are those the plans were made from.
pub(super) fn write(
    plans: &[&Plan<'_>],
    slices: &[EndpointSlice<'_>],
    kind: PatchKind,
    output: &mut impl Write,
) -> io::Result<()> {
    let before: BTreeMap<_, _> = slices.iter().map(|slice| (key(slice), slice)).collect();
    for plan in plans {
        for slice in &plan.create {
            let body = serde_json::to_string(slice)?;
            writeln!(
                output,
                "printf %s {} | kubectl create -f -",
                quoted_json(&body)
            )?;
        }
        for slice in &plan.update {
            if let Some(before) = before.get(&key(slice)) {
                let patches = patches::one(before, slice, &[kind]);
                write_update(slice, &patches, output)?;
            }
        }
        for slice in &plan.delete {
            write_delete(&plan.service.namespace, slice, output)?;
        }
    }
    Ok(())
}

fn write_update(
    slice: &EndpointSlice<'_>,
    patches: &Patches,
    output: &mut impl Write,
) -> io::Result<()> {
    let (kind, patch) = match patches {
        Patches {
            json: Some(json), ..
        } => ("json", serde_json::to_string(json)?),
        Patches {
            merge: Some(merge), ..
        } => ("merge", merge.get().to_owned()),
        Patches {
            apply: Some(apply), ..
        } => {
            let manager = quoted(&apply.field_manager);
            let body = quoted_json(apply.body.get());
            writeln!(
                output,
                "printf %s {body} | kubectl apply --server-side --force-conflicts --field-manager={manager} -f -"
            )?;
            match &apply.remove {
                Some(remove) => ("merge", remove.get().to_owned()),
                None => return Ok(()),
            }
        }
        _ => return Ok(()),
    };
    writeln!(
        output,
        "kubectl patch endpointslice {} -n {} --type={kind} -p {}",
        quoted(slice.name()),
        quoted(&slice.metadata.namespace),
        quoted_json(&patch)
    )
}

fn write_delete(namespace: &str, slice: &SliceRef<'_>, output: &mut impl Write) -> io::Result<()> {
    let name = quoted(&slice.name);
    writeln!(
        output,
        "kubectl delete endpointslice {name} -n {}",
        quoted(namespace)
    )
}

/// JSON as one word, on one line. What is kept as it came in may hold newlines between its values.
fn quoted_json(json: &str) -> String {
    quoted(&shown(json).replace('\n', " "))
}

/// One word of a shell.
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

/// One word, in the quotes in which bash, ksh and zsh take any byte by its number.
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
