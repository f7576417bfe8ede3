//! Reads from an input what explanations need of pods and Services beyond what plans do.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::vec::Vec;

use crate::Error;
use crate::api::{input, place};
use crate::explain::details::{Details, PodDetail};
use crate::json::Raw;
use crate::model::Text;
use crate::model::object::slim_object;
use crate::proxy::Service;

slim_object! {
    /// A pod, a Service, a list, or a request, as far as pods and Services are to be found in it.
    #[derive(Default)]
    struct Holder<'a>("Kubernetes object") {
        "kind" kind: Option<Text<'a>>;
        "apiVersion" api_version: Option<Text<'a>>;
        "items" items: Option<Raw<'a>>;
        "pods" pods: Option<Raw<'a>>;
        "service" service: Option<Raw<'a>>;
    }
}

/// Reads the details of all pods and Services.
pub(super) fn details(text: &str) -> Result<Details<'_>, Error> {
    let root = input::decode_raw(text)?;
    let mut reader = DetailReader {
        text,
        pods: Vec::new(),
        services: Vec::new(),
    };
    if root.get().starts_with('[') {
        reader.items(root, "", "")?;
    } else {
        reader.object(root, "", "")?;
    }
    Ok(Details::new(reader.pods, reader.services))
}

struct DetailReader<'a> {
    text: &'a str,
    pods: Vec<PodDetail<'a>>,
    services: Vec<Service<'a>>,
}

impl<'a> DetailReader<'a> {
    fn items(&mut self, items: Raw<'a>, kind: &str, path: &str) -> Result<(), Error> {
        let text = self.text;
        let placed = |error| place::within(&error, path, text, items.get());
        let items = input::decode_items(items.get()).map_err(placed)?;
        for (index, item) in items.into_iter().enumerate() {
            self.object(item, kind, &format!("{path}/{index}"))?;
        }
        Ok(())
    }

    fn object(&mut self, object: Raw<'a>, kind: &str, path: &str) -> Result<(), Error> {
        let text = self.text;
        let placed = |error| place::within(&error, path, text, object.get());
        let holder: Holder<'a> = input::decode(object.get()).map_err(placed)?;
        let own = holder.kind.as_deref().filter(|kind| !kind.is_empty());
        let kind = own.unwrap_or(kind).to_owned();
        // Others have Services, too.
        let is_core = matches!(holder.api_version.as_deref(), None | Some("" | "v1"));
        if kind == "Pod" {
            self.pods.push(input::decode(object.get()).map_err(placed)?);
        } else if kind == "Service" && is_core {
            self.services
                .push(input::decode(object.get()).map_err(placed)?);
        } else if let Some(items) = holder.items {
            let kind = kind.strip_suffix("List").unwrap_or_default();
            self.items(items, kind, &format!("{path}/items"))?;
        } else if path.is_empty() && kind.is_empty() {
            if let Some(service) = holder.service {
                self.object(service, "Service", "/service")?;
            }
            if let Some(list) = holder.pods {
                self.items(list, "Pod", "/pods")?;
            }
        }
        Ok(())
    }
}
