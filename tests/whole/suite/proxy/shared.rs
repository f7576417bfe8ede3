//! Shared slices: stored until a sync reads them, with the same results as slices that are read at once.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::json;

use super::{on_node, slice};
use crate::model::EndpointSlice;
use crate::proxy::{Proxier, ServicePortName};

fn shared(name: u8, version: u8, ready: bool, time: u8) -> Arc<EndpointSlice<'static>> {
    let endpoints = json!([
        {"addresses": [format!("10.0.0.{name}")], "conditions": {"ready": ready, "serving": ready}},
        {"addresses": ["10.0.1.1"], "nodeName": "node-1"},
    ]);
    let mut slice = slice(&format!("s-{name}"), &endpoints);
    slice["ports"][0]["protocol"] = "UDP".into();
    // Version 0 means no version, as in hand-written objects.
    if version > 0 {
        slice["metadata"]["resourceVersion"] = version.to_string().into();
    }
    slice["metadata"]["annotations"] = json!({"endpoints.kubernetes.io/last-change-trigger-time": format!("2026-01-01T00:00:0{time}Z")});
    let text = slice.to_string();
    let slice: EndpointSlice<'_> = serde_json::from_str(&text).unwrap();
    Arc::new(slice.into_owned())
}

#[test]
fn a_shared_slice_is_kept_until_another_takes_its_place() {
    let mut proxier = Proxier::new(on_node());
    let (first, last) = (shared(1, 1, true, 0), shared(1, 2, false, 0));
    assert!(proxier.set_shared_slice(Arc::clone(&first)));
    assert_eq!(Arc::strong_count(&first), 2, "it has been read");
    assert!(proxier.set_shared_slice(Arc::clone(&last)));
    let counts = (Arc::strong_count(&first), Arc::strong_count(&last));
    assert_eq!(counts, (1, 2));

    let update = proxier.sync();
    assert_eq!(Arc::strong_count(&last), 1, "it is still there");
    // One that no sync has seen never served.
    assert!(update.deleted_udp_endpoints.is_empty());
    assert_eq!(update.trigger_times.iter().next().unwrap().1.len(), 2);
}

#[test]
fn a_removed_slice_is_not_read() {
    let mut proxier = Proxier::new(on_node());
    proxier.set_shared_slice(shared(1, 1, true, 0));
    proxier.sync();
    let last = shared(1, 2, true, 0);
    assert!(proxier.remove_shared_slice(Arc::clone(&last)));
    assert_eq!(Arc::strong_count(&last), 2, "it has been read");
    assert!(!proxier.remove_shared_slice(last), "it is known");
    assert_eq!(proxier.sync().deleted_udp_endpoints.len(), 2);
}

/// One step of a history: a slice is removed or set; `None` is a sync.
type Step = Option<(bool, [u8; 4])>;

fn step() -> impl Strategy<Value = Step> {
    let numbers = (0..3_u8, 0..3_u8, 0..2_u8, 0..2_u8);
    let numbers = numbers.prop_map(|(name, version, ready, time)| [name, version, ready, time]);
    prop_oneof![
        5 => (prop::bool::weighted(0.3), numbers).prop_map(Some),
        1 => Just(None),
    ]
}

/// The endpoints of all ports, as text.
fn endpoints(proxier: &Proxier) -> Vec<(ServicePortName, String)> {
    let names = proxier.endpoint_ports();
    names
        .map(|name| {
            let endpoints = format!("{:?}", proxier.endpoints(&name));
            (name, endpoints)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// One proxy gets slices to store, one to read, and one gets either at random.
    #[test]
    fn when_a_slice_is_read_changes_no_answer(steps in prop::collection::vec((step(), any::<bool>()), 1..40)) {
        let mut proxies = [(); 3].map(|()| Proxier::new(on_node()));
        for (step, at_random) in steps.into_iter().chain([(None, false)]) {
            let mut answers = Vec::new();
            for (number, proxier) in proxies.iter_mut().enumerate() {
                let is_shared = number == 0 || (number == 2 && at_random);
                answers.push(match step {
                    None => (false, Some((proxier.sync(), endpoints(proxier)))),
                    Some((is_removed, [name, version, ready, time])) => {
                        let slice = shared(name, version, ready > 0, time);
                        let is_news = match (is_removed, is_shared) {
                            (true, true) => proxier.remove_shared_slice(slice),
                            (true, false) => proxier.remove_slice(&slice),
                            (false, true) => proxier.set_shared_slice(slice),
                            (false, false) => proxier.set_slice(&slice),
                        };
                        (is_news, None)
                    }
                });
            }
            prop_assert_eq!(&answers[0], &answers[1]);
            prop_assert_eq!(&answers[1], &answers[2]);
        }
    }
}
