//! Changes that are noticed at once.

use super::*;

#[test]
fn what_changes_at_once_is_a_line_for_people() {
    let mut world = World::settled(&[1]);
    let lines = |world: &mut World| -> Vec<String> {
        let changes = world.changes();
        let lines = folded(&changes.iter().collect::<Vec<_>>());
        lines
            .into_iter()
            .map(|(service, line)| format!("{service}: {line}"))
            .collect()
    };
    let all = |zones: &[&str]| -> Vec<Value> {
        let numbers = 1..=6;
        numbers
            .map(|number| endpoint(number, true, zones))
            .collect()
    };
    for number in 2..=6 {
        world.set(Kind::Pod, &pod(number, true));
    }
    world.write("cart-a", &all(&[]));
    assert_eq!(
        lines(&mut world),
        ["shop/cart: gained 5 endpoints, ready; 1 → 6 ready"]
    );
    let mut auto = service();
    auto["metadata"]["annotations"] = json!({keys::TOPOLOGY_MODE_ANNOTATION: "Auto"});
    world.set(Kind::Service, &auto);
    world.write("cart-a", &all(&["a"]));
    assert_eq!(
        lines(&mut world),
        [
            "shop/cart: 6 endpoints: no hint → zone a; 6 ready",
            "shop/cart: zone hints are in effect: all ready IPv4 endpoints (6) have one",
        ]
    );
    let mut less = all(&[]);
    less[5]["conditions"] = json!({"ready": false, "serving": false, "terminating": false});
    world.set(Kind::Pod, &pod(6, false));
    world.write("cart-a", &less);
    let found = lines(&mut world);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(
        found[0],
        "shop/cart: 5 endpoints: zone a → no hint; 10.0.0.6:8080, Pod cart-6 on node n1 in zone a: ready → not ready, zone a → no hint; 6 → 5 ready"
    );
    assert_eq!(
        found[1],
        "shop/cart: zone hints are ignored: 0 of 5 ready IPv4 endpoints have one (Insufficient Node information: allocatable CPU or zone not specified on one or more nodes)"
    );
    // A single one is told as ever.
    world.set(Kind::Pod, &pod(6, true));
    world.write("cart-a", &all(&[]));
    assert_eq!(
        lines(&mut world),
        [
            "shop/cart: 10.0.0.6:8080, Pod cart-6 on node n1 in zone a: not ready → ready; 5 → 6 ready"
        ]
    );
}
