//! Reads from an input what explanations need of pods beyond what plans do.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use serde_json::value::RawValue;

use crate::Error;
use crate::api::{input, place};
use crate::explain::details::{Details, PodDetail};
use crate::model::Text;
use crate::model::object::slim_object;

slim_object! {
    /// A pod, a list, or a request, as far as pods are to be found in it.
    #[derive(Default)]
    struct Holder<'a>("Kubernetes object") {
        "kind" kind: Option<Text<'a>>;
        "items" items: Option<&'a RawValue>;
        "pods" pods: Option<&'a RawValue>;
    }
}

/// Reads the details of all pods.
pub(super) fn details(text: &str) -> Result<Details<'_>, Error> {
    let mut pods = Vec::new();
    let root: &RawValue = input::decode_raw(text)?;
    let reader = DetailReader { text };
    if root.get().starts_with('[') {
        reader.items(root, "", "", &mut pods)?;
    } else {
        reader.object(root, "", "", &mut pods)?;
    }
    Ok(Details::new(pods))
}

struct DetailReader<'a> {
    text: &'a str,
}

impl<'a> DetailReader<'a> {
    fn items(
        &self,
        items: &'a RawValue,
        kind: &str,
        path: &str,
        pods: &mut Vec<PodDetail<'a>>,
    ) -> Result<(), Error> {
        let placed = |error| place::within(&error, path, self.text, items.get());
        let items: Option<Vec<&'a RawValue>> = input::decode_raw(items.get()).map_err(placed)?;
        for (index, item) in items.unwrap_or_default().into_iter().enumerate() {
            self.object(item, kind, &format!("{path}/{index}"), pods)?;
        }
        Ok(())
    }

    fn object(
        &self,
        object: &'a RawValue,
        kind: &str,
        path: &str,
        pods: &mut Vec<PodDetail<'a>>,
    ) -> Result<(), Error> {
        let placed = |error| place::within(&error, path, self.text, object.get());
        let holder: Holder<'a> = input::decode(object.get()).map_err(placed)?;
        let own = holder.kind.as_deref().filter(|kind| !kind.is_empty());
        let kind = own.unwrap_or(kind).to_owned();
        if kind == "Pod" {
            pods.push(input::decode(object.get()).map_err(placed)?);
        } else if let Some(items) = holder.items {
            let kind = kind.strip_suffix("List").unwrap_or_default();
            self.items(items, kind, &format!("{path}/items"), pods)?;
        } else if let Some(list) = holder.pods.filter(|_| path.is_empty() && kind.is_empty()) {
            self.items(list, "Pod", "/pods", pods)?;
        }
        Ok(())
    }
}
