//! Compares the reported changes with the full state.

use alloc::collections::BTreeMap;

use super::*;

/// All endpoints, collected from all slices.
fn all_of(slices: &BTreeMap<String, Value>) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, (bool, String)> = BTreeMap::new();
    for endpoint in slices
        .values()
        .flat_map(|slice| slice["endpoints"].as_array().unwrap())
    {
        let address = endpoint["addresses"][0].as_str().unwrap().to_owned();
        let terminating = endpoint["conditions"]["terminating"] == true;
        let said = format!("{}{}", endpoint["conditions"], endpoint["hints"]);
        if !terminating || !all.contains_key(&address) {
            all.insert(address, (terminating, said));
        }
    }
    all.into_iter()
        .map(|(address, (_, said))| (address, said))
        .collect()
}

/// Derives the state from the reports.
fn believe(known: &mut BTreeMap<String, String>, changes: &[TrafficChange]) {
    for change in changes {
        let said = |endpoint: &SeenEndpoint| {
            let zones: Vec<Value> = endpoint
                .for_zones
                .iter()
                .map(|zone| json!({"name": zone}))
                .collect();
            let hints = if zones.is_empty() {
                Value::Null
            } else {
                json!({"forZones": zones})
            };
            let (ready, serving) = (endpoint.ready, endpoint.serving);
            let conditions =
                json!({"ready": ready, "serving": serving, "terminating": endpoint.terminating});
            format!("{conditions}{hints}")
        };
        match &change.what {
            TrafficChangeKind::EndpointGained { endpoint, .. } => {
                let before = known.insert(endpoint.address.clone(), said(endpoint));
                assert_eq!(before, None);
            }
            TrafficChangeKind::EndpointLost { endpoint, .. } => {
                assert_eq!(known.remove(&endpoint.address), Some(said(endpoint)));
            }
            TrafficChangeKind::EndpointChanged {
                endpoint, before, ..
            } => {
                let known = known.insert(endpoint.address.clone(), said(endpoint));
                assert_eq!(known, Some(said(before)));
            }
            _ => {}
        }
    }
}

#[test]
fn what_is_told_adds_up_to_what_there_is() {
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let mut world = World::new(&[], &[]);
    let mut slices: BTreeMap<String, Value> = BTreeMap::new();
    let mut known = BTreeMap::new();
    for _ in 0..600 {
        for _ in 0..=random(3) {
            let name = format!("cart-{}", random(4));
            if random(6) == 0 {
                slices.remove(&name);
                world.delete(Kind::EndpointSlice, &name);
                continue;
            }
            let endpoints: Vec<Value> = (0..random(6))
                .map(|_| match (random(8) as u8, random(4)) {
                    (number, 0) => draining(number),
                    (number, 1) => endpoint(number, false, &[]),
                    (number, 2) => endpoint(number, true, &["a"]),
                    (number, _) => endpoint(number, true, &[]),
                })
                .collect();
            world.write(&name, &endpoints);
            slices.insert(name.clone(), slice(&name, &endpoints));
        }
        believe(&mut known, &world.changes());
        let all = all_of(&slices);
        assert_eq!(known, all);
        let ready = all
            .values()
            .filter(|said| said.contains("\"ready\":true"))
            .count();
        let extent = world.watching.extent();
        assert_eq!((extent.endpoints, extent.ready), (all.len(), ready));
    }
}

#[test]
fn a_change_is_data_with_its_words() {
    let mut world = World::settled(&[1]);
    world.write(
        "cart-a",
        &[endpoint(1, true, &[]), endpoint(2, true, &["b"])],
    );
    let changes = serde_json::to_value(world.changes()).unwrap();
    assert_eq!(
        changes[0],
        json!({
            "service": {"namespace": "shop", "name": "cart"},
            "change": "endpointGained", "addressType": "IPv4",
            "endpoint": {
                "address": "10.0.0.2", "ports": [{"name": "", "port": 8080, "protocol": "TCP"}],
                "target": {"kind": "Pod", "name": "cart-2"}, "node": "n1", "zone": "a",
                "ready": true, "serving": true, "terminating": false, "state": "ready",
                "forZones": ["b"], "forNodes": [], "slice": "cart-a",
            },
            "ready": {"before": 1, "after": 2},
            "message": "gained 10.0.0.2:8080, Pod cart-2 on node n1 in zone a, ready, for zone b; 1 → 2 ready",
        })
    );
}
