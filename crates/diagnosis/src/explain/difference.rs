//! How a slice differs before and after a plan, endpoint by endpoint.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::zones::title;
use slicewise::model::{Endpoint, EndpointSlice, SortedMap};

/// The differences between the endpoints of a slice, by their first address.
#[derive(Default)]
pub(super) struct SliceDifference {
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) changed: usize,
    pub(super) hinted: usize,
    /// How the first few of them changed.
    pub(super) examples: Vec<String>,
}

impl SliceDifference {
    pub(super) fn between(before: Option<&EndpointSlice<'_>>, after: &EndpointSlice<'_>) -> Self {
        let mut difference = Self::default();
        let Some(before) = before else {
            return difference;
        };
        let key = |endpoint: &Endpoint<'_>| {
            let address = endpoint.addresses.first();
            address.map(ToString::to_string).unwrap_or_default()
        };
        let old: SortedMap<String, &Endpoint<'_>> = before
            .endpoints
            .iter()
            .map(|endpoint| (key(endpoint), endpoint))
            .collect();
        let mut kept = 0;
        for endpoint in &after.endpoints {
            let Some(was) = old.get(key(endpoint).as_str()) else {
                difference.added += 1;
                continue;
            };
            kept += 1;
            difference.hinted += usize::from(was.hints != endpoint.hints);
            let what = what_changed(was, endpoint);
            if !what.is_empty() {
                difference.changed += 1;
                if difference.examples.len() < 3 {
                    difference
                        .examples
                        .push(format!("{} ({})", title(endpoint), what.join(", ")));
                }
            }
        }
        difference.removed = old.len().saturating_sub(kept);
        difference
    }
}

fn what_changed(was: &Endpoint<'_>, is: &Endpoint<'_>) -> Vec<String> {
    let conditions = [
        ("ready", was.conditions.ready, is.conditions.ready),
        ("serving", was.conditions.serving, is.conditions.serving),
        (
            "terminating",
            was.conditions.terminating,
            is.conditions.terminating,
        ),
    ];
    let mut what: Vec<String> = conditions
        .iter()
        .filter(|(_, was, is)| was != is)
        .map(|(name, _, is)| match is {
            Some(is) => format!("{name}: {is}"),
            None => format!("{name} gone"),
        })
        .collect();
    let texts = [
        ("node", &was.node_name, &is.node_name),
        ("zone", &was.zone, &is.zone),
        ("hostname", &was.hostname, &is.hostname),
    ];
    for (name, was, is) in texts {
        if was != is {
            what.push(format!("{name}: {}", is.as_deref().unwrap_or("none")));
        }
    }
    if was.target_ref != is.target_ref {
        what.push("another pod".to_string());
    }
    if was.addresses != is.addresses {
        what.push("addresses".to_string());
    }
    what
}
