//! Reads the objects that are checked, and those that say more about them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::vec::Vec;

use slicewise::api::decode;
use slicewise::model::{ObjectMeta, SortedMap, Text, Timestamp};
use slicewise::{Code, Error, slim_object};
use slicewise_json::shorten;

use super::{KINDS, LintInput};

slim_object! {
    /// The type of an object.
    #[derive(Default)]
    struct TypeMeta<'a>("object") {
        "apiVersion" api_version: Text<'a>;
        "kind" kind: Text<'a>;
    }
}

slim_object! {
    /// A namespace with its labels.
    #[derive(Default)]
    struct Namespace<'a>("Namespace") {
        "metadata" metadata: ObjectMeta<'a> = required;
    }
}

/// The configurations and namespaces among objects.
pub(super) fn given<'g>(
    objects: &[&'g str],
    now: Option<Timestamp>,
) -> Result<LintInput<'g>, Error> {
    let mut configurations = Vec::new();
    let mut namespaces = Vec::new();
    for (number, text) in objects.iter().enumerate() {
        let below = |error: Error| {
            let placed = Error::new(
                error.code(),
                format!("object {}: {}", number + 1, error.message()),
            );
            placed
                .at(error.path().unwrap_or_default())
                .below(&format!("/{number}"))
        };
        let head = decode::<TypeMeta<'_>>(text).map_err(below)?;
        if KINDS.contains(&head.kind.as_str()) {
            check_version(&head.api_version).map_err(below)?;
            configurations.push(decode(text).map_err(below)?);
        } else if head.kind == "Namespace" && head.api_version == "v1" {
            let Namespace { metadata } = decode(text).map_err(below)?;
            namespaces.push((metadata.name.as_str().to_owned(), metadata.labels));
        }
    }
    Ok(LintInput {
        configurations,
        // If a namespace is given twice, the last one counts, as for `kubectl apply`.
        namespaces: SortedMap::merged(namespaces, core::mem::swap),
        now,
    })
}

fn check_version(version: &str) -> Result<(), Error> {
    if version == "admissionregistration.k8s.io/v1" {
        return Ok(());
    }
    let message = format!(
        "`{}` is not supported; use `admissionregistration.k8s.io/v1`, available since v1.16",
        shorten(version)
    );
    Err(Error::new(Code::Unsupported, message).at("/apiVersion"))
}
