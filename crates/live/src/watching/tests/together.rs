//! Changes that are noticed at once.

use super::*;

fn lines(world: &mut World) -> Vec<String> {
    let changes = world.changes();
    let lines = folded(&changes.iter().collect::<Vec<_>>());
    lines
        .into_iter()
        .map(|(service, line)| format!("{service}: {line}"))
        .collect()
}

#[test]
fn what_changes_at_once_is_a_line_for_people() {
    let mut world = World::settled(&[1]);
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
            "shop/cart: zone hints are in effect: all ready IPv4 endpoints (6) have one; 6 endpoints: no hint → zone a; 6 ready"
        ]
    );
    let mut less = all(&[]);
    less[5]["conditions"] = json!({"ready": false, "serving": false, "terminating": false});
    world.set(Kind::Pod, &pod(6, false));
    world.write("cart-a", &less);
    assert_eq!(
        lines(&mut world),
        [
            "shop/cart: zone hints are ignored: 0 of 5 ready IPv4 endpoints have one (Insufficient Node information: allocatable CPU or zone not specified on one or more nodes); 5 endpoints: zone a → no hint; 10.0.0.6:8080, Pod cart-6 on node n1 in zone a: ready → not ready, zone a → no hint; 6 → 5 ready"
        ]
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

#[test]
fn a_line_stays_short_however_much_differs() {
    let mut world = World::settled(&[1]);
    for number in 2..=40 {
        world.set(Kind::Pod, &pod(number, true));
    }
    let hinted = |number: u8| endpoint(number, true, &[&format!("z{number}")]);
    world.write("cart-a", &(1..=40).map(hinted).collect::<Vec<_>>());
    let told = lines(&mut world);
    assert_eq!(
        told[0],
        "shop/cart: zone hints are in effect: all ready IPv4 endpoints (40) have one; \
         10.0.0.1:8080, Pod cart-1 on node n1 in zone a: no hint → zone z1; \
         gained 10.0.0.2:8080, Pod cart-2 on node n1 in zone a, ready, for zone z2; \
         gained 10.0.0.3:8080, Pod cart-3 on node n1 in zone a, ready, for zone z3; \
         and 37 more endpoints; 1 → 40 ready"
    );
}
