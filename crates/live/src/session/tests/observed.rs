//! What a session shows of its cluster: dumps, excerpts, and what reviews ask for.

use core::net::IpAddr;

use super::*;

fn observer() -> Session {
    let mut session = Session::observer(Options::default());
    let text = service(&json!({"app": "cart"}));
    session.set_service(&serde_json::from_str(&text).unwrap());
    session.set_node(&serde_json::from_str(&node("n1", "a", "4", true)).unwrap());
    session.set_node(&serde_json::from_str(&node("n2", "b", "2500m", false)).unwrap());
    let mut control_plane: Value = serde_json::from_str(&node("n3", "b", "1", false)).unwrap();
    control_plane["metadata"]["labels"]["node-role.kubernetes.io/control-plane"] = "".into();
    session.set_node(&serde_json::from_str(&control_plane.to_string()).unwrap());
    for (name, app) in [("p", "cart"), ("q", "till"), ("r", "cart")] {
        set_pod(&mut session, &pod(name, app, true), "7");
    }
    for (name, manager) in [("cart-a", OURS), ("cart-b", "somebody")] {
        let mut slice: Value = serde_json::from_str(&slice(name, "cart", manager, 1)).unwrap();
        slice["endpoints"] = json!([
            {"addresses": ["10.0.0.1"], "hints": {"forZones": [{"name": "a"}]}},
            {"addresses": ["10.0.0.2"], "conditions": {"ready": true}},
        ]);
        set_slice(&mut session, &slice.to_string());
    }
    set_slice(&mut session, &slice("till-a", "till", OURS, 1));
    session
}

fn excerpt(session: &Session) -> Vec<Value> {
    let mut objects = Vec::new();
    let told: Result<(), core::convert::Infallible> = session.excerpt(&key("cart"), |object| {
        objects.push(serde_json::from_str(object).unwrap());
        Ok(())
    });
    told.unwrap();
    objects
}

#[test]
fn an_excerpt_has_the_pods_nodes_and_slices_of_a_service() {
    let objects = excerpt(&observer());
    let text = |object: &Value, field: &str| object[field].as_str().unwrap().to_owned();
    let title = |object: &Value| {
        let name = object["metadata"]["name"].as_str().unwrap();
        format!(
            "{} {} {name}",
            text(object, "apiVersion"),
            text(object, "kind")
        )
    };
    assert_eq!(
        objects.iter().map(title).collect::<Vec<_>>(),
        [
            "v1 Pod p",
            "v1 Pod r",
            "v1 Node n1",
            "v1 Node n2",
            "v1 Node n3",
            "discovery.k8s.io/v1 EndpointSlice cart-a",
            "discovery.k8s.io/v1 EndpointSlice cart-b",
        ]
    );
    // Read again, they are the same.
    let mut again = Session::observer(Options::default());
    let text = service(&json!({"app": "cart"}));
    again.set_service(&serde_json::from_str(&text).unwrap());
    for object in &objects {
        let text = object.to_string();
        match object["kind"].as_str().unwrap() {
            "Pod" => drop(set_pod(&mut again, &text, "7")),
            "Node" => drop(again.set_node(&serde_json::from_str(&text).unwrap())),
            _ => drop(set_slice(&mut again, &text)),
        }
    }
    assert_eq!(excerpt(&again), objects);
    assert_eq!(objects[0]["spec"]["nodeName"], "n1");
    assert_eq!(objects[5]["endpoints"].as_array().unwrap().len(), 2);
    assert!(excerpt(&Session::observer(Options::default())).is_empty());
}

#[test]
fn a_dump_has_what_plans_depend_on() {
    let mut session = observer();
    let mut pods = Vec::new();
    for (name, ip, ips, ports) in [
        ("a", "", json!(["10.0.0.9"]), json!([])),
        (
            "b",
            "10.0.0.9",
            json!(["10.0.0.9"]),
            json!([{"name": "http", "containerPort": 80, "protocol": "TCP"}]),
        ),
        ("c", "10.0.0.9", json!([]), json!([])),
    ] {
        let mut text: Value = serde_json::from_str(&pod(name, "cart", false)).unwrap();
        let ips: Vec<_> = ips
            .as_array()
            .unwrap()
            .iter()
            .map(|ip| json!({"ip": ip}))
            .collect();
        text["status"]["podIP"] = ip.into();
        text["status"]["podIPs"] = json!(ips);
        text["status"]["conditions"][0]["lastTransitionTime"] = "2026-01-02T03:04:05Z".into();
        text["spec"]["containers"] = json!([{"ports": ports}]);
        set_pod(&mut session, &text.to_string(), "8");
        pods.push((
            name,
            if ips.is_empty() { "0.0.0.0" } else { ip },
            ips,
            ports,
        ));
    }
    let dump = serde_json::to_value(&session).unwrap();
    for ((name, ip, ips, ports), dumped) in pods.iter().zip(dump["pods"].as_array().unwrap()) {
        assert_eq!(dumped["metadata"]["name"], *name);
        assert_eq!(
            (&dumped["status"]["podIP"], &dumped["status"]["podIPs"]),
            (&json!(ip), &json!(ips))
        );
        assert_eq!(
            dumped["status"]["conditions"],
            json!([{"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-02T03:04:05Z"}])
        );
        let containers: &[Value] = dumped["spec"]["containers"].as_array().unwrap();
        let listed: Vec<&Value> = containers
            .iter()
            .map(|container| &container["ports"])
            .collect();
        let expected: &[&Value] = if *ports == json!([]) { &[] } else { &[ports] };
        assert_eq!(listed, expected);
    }
    assert_eq!(dump["options"]["maxEndpointsPerSlice"], 100);
    assert_eq!(
        dump["nodes"][1],
        json!({
            "metadata": {"name": "n2", "resourceVersion": "", "labels": {"topology.kubernetes.io/zone": "b"}},
            "status": {"allocatable": {"cpu": "2500000000n"}, "conditions": []},
        })
    );
    assert_eq!(
        dump["nodes"][2]["metadata"]["labels"],
        json!({"topology.kubernetes.io/zone": "b", "node-role.kubernetes.io/control-plane": ""})
    );
    let text = dump.to_string();
    let restored = Session::restored(serde_json::from_str(&text).unwrap());
    assert_eq!(
        serde_json::to_value(&restored).unwrap()["pods"],
        dump["pods"]
    );
}

#[test]
fn reviews_find_slices_by_service_and_address() {
    let mut session = observer();
    let holding = |session: &Session, address: &str| -> Vec<String> {
        let address: IpAddr = address.parse().unwrap();
        let slices = session.slices_holding(&key("cart"), [&address].into_iter());
        slices
            .iter()
            .map(|slice| slice.head.metadata.name.to_string())
            .collect()
    };
    assert_eq!(holding(&session, "10.0.0.1"), ["cart-a", "cart-b"]);
    assert!(holding(&session, "10.0.0.3").is_empty());
    let labelled = |session: &Session| -> Vec<(String, usize)> {
        let slices = session.slices_labelled(&key("cart"));
        let slice = |slice: &observer::ObservedSlice<'_>| {
            (slice.head.metadata.name.to_string(), slice.hinted())
        };
        slices.iter().map(slice).collect()
    };
    assert_eq!(
        labelled(&session),
        [("cart-a".into(), 1), ("cart-b".into(), 1)]
    );
    set_slice(&mut session, &slice("cart-b", "till", OURS, 2));
    assert_eq!(labelled(&session), [("cart-a".into(), 1)]);
    assert_eq!(holding(&session, "10.0.0.1"), ["cart-a"]);
    assert_eq!(session.zone_of_node("n1"), Some(Some("a")));
    assert_eq!(session.zone_of_node("n4"), None);
    assert!(session.has_zone("b") && !session.has_zone("c") && !session.has_zone(""));
}

#[test]
fn an_address_counts_once_per_slice_and_names_are_not_indexed() {
    let mut session = observer();
    let count = |session: &Session| session.observed.as_ref().unwrap().slices.len();
    let before = count(&session);
    let repeated = |family: &str, address: &str| {
        let mut many: Value = serde_json::from_str(&slice("many", "cart", OURS, 2)).unwrap();
        many["addressType"] = family.into();
        many["endpoints"] = json!(vec![json!({"addresses": vec![address; 100]}); 20]);
        many.to_string()
    };
    set_slice(&mut session, &repeated("IPv4", "10.7.7.7"));
    assert_eq!(count(&session), before + 1);
    set_slice(&mut session, &repeated("FQDN", "10.7.7.7"));
    assert_eq!(count(&session), before);
}

#[test]
fn nothing_is_left_of_what_reviews_have_seen() {
    let mut session = observer();
    assert!(session.names.len() > 0);
    for name in ["cart-a", "cart-b", "till-a"] {
        session.remove_slice(&key(name)).unwrap();
    }
    for name in ["p", "q", "r"] {
        session.remove_pod(&key(name));
    }
    for name in ["n1", "n2", "n3"] {
        session.remove_node(name);
    }
    assert!(session.remove_service(&key("cart")));
    assert_eq!(session.names.len(), 0);
    assert!(session.is_empty(), "{session:?}");
    let empty = Session::observer(Options::default());
    assert_eq!(
        format!("{:?}", session.observed),
        format!("{:?}", empty.observed)
    );
}

#[test]
fn a_session_has_the_options_that_it_was_given() {
    let options: Options<'_> =
        serde_json::from_str(r#"{"managedBy": "someone", "maxEndpointsPerSlice": 7}"#).unwrap();
    let session = Session::new(options.into_owned());
    let dump = serde_json::to_value(&session).unwrap();
    assert_eq!(dump["options"]["managedBy"], "someone");
    assert_eq!(dump["options"]["maxEndpointsPerSlice"], 7);
    assert_eq!(session.options().settings().managed_by(), "someone");
}
