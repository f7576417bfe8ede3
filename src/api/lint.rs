//! Checks webhook configurations.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::vec::Vec;

use super::input;
use crate::lint::{Given, KINDS, Linted, lint as look};
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::model::{ObjectMeta, SortedMap, Text, Timestamp};
use crate::{Code, Error};

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

/// Checks the webhook configurations among Kubernetes objects, each a JSON text. Namespaces among them provide their
/// labels; everything else is skipped. `now` is used to check when certificates expire, which is skipped without it.
///
/// # Errors
/// When an object cannot be read or has another version, or when there is no configuration among them. The path begins
/// with the object's index.
pub fn lint(objects: &[&str], now: Option<Timestamp>) -> Result<Linted, Error> {
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
        let head = input::decode::<TypeMeta<'_>>(text).map_err(below)?;
        if KINDS.contains(&head.kind.as_str()) {
            check_version(&head.api_version).map_err(below)?;
            configurations.push(input::decode(text).map_err(below)?);
        } else if head.kind == "Namespace" && head.api_version == "v1" {
            let Namespace { metadata } = input::decode(text).map_err(below)?;
            namespaces.push((metadata.name.as_str().to_owned(), metadata.labels));
        }
    }
    if configurations.is_empty() {
        let message = format!(
            "there is no {} among the objects; give the output of `kubectl get validatingwebhookconfigurations -o yaml`, or manifests that contain one",
            KINDS.join(" or ")
        );
        return Err(Error::new(Code::InvalidValue, message));
    }
    let given = Given {
        configurations,
        // If a namespace is given twice, the last one counts, as for `kubectl apply`.
        namespaces: SortedMap::merged(namespaces, core::mem::swap),
        now,
    };
    Ok(look(&given))
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
