//! Reading at once gives the same as reading in steps, whatever is wrong with a review and whatever was read before.

use alloc::vec::Vec;

use super::*;
use crate::objects::ReviewedEndpoint;

const SLICE: &str = r#"{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"name":"a","namespace":"shop",
    "labels":{"kubernetes.io/service-name":"a","x":"\u00e9\ud83d\ude00"},"managedFields":[{"f:a":{".":{},"f:b":{}}},{"f:a":{}}]},
    "addressType":"IPv4","endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true},"targetRef":{"kind":"Pod","name":"a-1","uid":"1"},"zone":"z"},
    {"addresses":["10.0.0.2"],"conditions":{"ready":false},"zone":"z","hints":{"forZones":[{"name":"z"}]}}],"ports":[{"name":"http","port":80}]}"#;
const SERVICE: &str = r#"{"kind":"Service","apiVersion":"v1","metadata":{"name":"a","namespace":"shop"},"spec":{"selector":{"app":"a"},
    "ports":[{"name":"http","port":80,"targetPort":"http"}],"clusterIP":"10.0.0.1","externalIPs":["192.0.2.1"],"internalTrafficPolicy":"Local"},
    "status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.2"}]}}}"#;
const NODE: &str = r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"a","labels":{"topology.kubernetes.io/zone":"z"}},
    "status":{"allocatable":{"cpu":"8"},"conditions":[{"type":"Ready","status":"True"}]}}"#;
const ENDPOINTS: &str = r#"{"kind":"Endpoints","apiVersion":"v1","metadata":{"name":"a","namespace":"shop"},
    "subsets":[{"addresses":[{"ip":"10.0.0.1","nodeName":"n"}],"notReadyAddresses":[],"ports":[{"port":80}]}]}"#;

const WORKLOAD: &str = r#"{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a","namespace":"shop"},"spec":{"replicas":2,
    "selector":{"matchLabels":{"app":"a"},"matchExpressions":[{"key":"app","operator":"In","values":["a"]}]},"template":{"metadata":{"labels":{"app":"a"}},
    "spec":{"containers":[{"name":"c","image":"i","ports":[{"name":"http","containerPort":80}]}]}}},"status":{"replicas":2}}"#;
const SCALE: &str = r#"{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"a","namespace":"shop"},"spec":{"replicas":2},
    "status":{"replicas":2,"selector":"app=a"}}"#;
const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","labels":{"app":"a"}},"spec":{"nodeName":"n"}}"#;
const EVICTION: &str = r#"{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"a","namespace":"shop"},"deleteOptions":{}}"#;

/// A review as the API server writes it, or with the objects before their kind.
fn review(
    group: &str,
    kind: &str,
    operation: &str,
    part: &str,
    objects: [&str; 2],
    is_as_sent: bool,
) -> String {
    let objects = format!("\"object\":{},\"oldObject\":{}", objects[0], objects[1]);
    let kind = format!(
        r#""kind":{{"group":"{group}","version":"v1","kind":"{kind}"}},"resource":{{"resource":"x"}}{part}"#
    );
    let (first, last) = match is_as_sent {
        true => (kind, objects),
        false => (objects, kind),
    };
    let namespace = if kind_has_namespace(&first, &last) {
        "shop"
    } else {
        ""
    };
    format!(
        r#"{{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{{"uid":"u",{first},"name":"a","namespace":"{namespace}","operation":"{operation}","userInfo":{{"username":"jane","groups":["g","g"]}},{last},"dryRun":false}}}}"#
    )
}

fn kind_has_namespace(first: &str, last: &str) -> bool {
    !first.contains("\"kind\":\"Node\"") && !last.contains("\"kind\":\"Node\"")
}

const SCALE_PART: &str = r#","subResource":"scale""#;
const EVICTION_PART: &str = r#","subResource":"eviction""#;

fn reviews() -> Vec<String> {
    let mut reviews = Vec::new();
    for (group, kind, part, object) in [
        ("discovery.k8s.io", "EndpointSlice", "", SLICE),
        ("", "Service", "", SERVICE),
        ("", "Node", "", NODE),
        ("", "Endpoints", "", ENDPOINTS),
        ("apps", "Deployment", "", WORKLOAD),
        ("autoscaling", "Scale", SCALE_PART, SCALE),
        ("", "Pod", "", POD),
        ("policy", "Eviction", EVICTION_PART, EVICTION),
        ("apps", "ControllerRevision", "", SERVICE),
    ] {
        for (operation, objects) in [
            ("CREATE", [object, "null"]),
            ("UPDATE", [object, object]),
            ("DELETE", ["null", object]),
            ("CONNECT", [object, "null"]),
        ] {
            for part in [part, r#","subResource":"status""#] {
                for is_as_sent in [true, false] {
                    reviews.push(review(group, kind, operation, part, objects, is_as_sent));
                }
            }
        }
    }
    reviews
}

/// Reads it both ways. Was it read at once?
#[track_caller]
fn compare(text: &str, memory: &mut LayoutMemory) -> bool {
    let told = |read: Result<Request<'_>, Error>| {
        // The written form is only passed on to callers that ask for it.
        let written = RequestText::default();
        let read = read.map(|request| Request { written, ..request });
        format!("{read:?}")
    };
    let in_steps = told(read_in_steps(text));
    let at_once = read_at_once(text, memory);
    let is_at_once = at_once.is_some();
    if let Some(request) = at_once {
        assert_eq!(told(Ok(request)), in_steps, "{text}");
    }
    assert_eq!(
        told(read_request(text.as_bytes(), false, memory)),
        in_steps,
        "{text}"
    );
    is_at_once
}

#[test]
fn whole_reviews_are_read_at_once() {
    let mut memory = LayoutMemory::default();
    for _ in 0..3 {
        for text in reviews() {
            assert!(compare(&text, &mut memory), "{text}");
        }
    }
}

#[test]
fn parts_of_workloads_and_pods() {
    let subject = |group: &str, kind: &str, operation: &str, part: &str, objects: [&str; 2]| {
        let text = review(group, kind, operation, part, objects, true);
        let request = read_in_steps(&text).unwrap();
        assert_eq!(request.title(), format!("{kind} shop/a"));
        (request.subject.kind(), format!("{:?}", request.subject))
    };
    let zero = SCALE.replace(r#""spec":{"replicas":2}"#, r#""spec":{}"#);
    let (kind, read) = subject("autoscaling", "Scale", "UPDATE", SCALE_PART, [&zero, SCALE]);
    assert_eq!(kind, Some("Scale"));
    assert!(
        read.contains("replicas: 0") && read.contains("replicas: 2") && read.contains("app=a"),
        "{read}"
    );
    let objects = [EVICTION, "null"];
    let (kind, _) = subject("policy", "Eviction", "CREATE", EVICTION_PART, objects);
    assert_eq!(kind, Some("Eviction"));
    for kind in WORKLOADS {
        let workload = WORKLOAD.replace("Deployment", kind);
        let (read, _) = subject("apps", kind, "UPDATE", "", [&workload, &workload]);
        assert_eq!(read, Some(kind));
    }
    // Neither the kind nor the part alone makes one.
    for (group, kind, part, object) in [
        ("autoscaling", "Scale", "", SCALE),
        ("policy", "Eviction", "", EVICTION),
        ("apps", "Deployment", r#","subResource":"status""#, WORKLOAD),
        ("extensions", "Deployment", "", WORKLOAD),
        ("", "Pod", r#","subResource":"exec""#, POD),
    ] {
        assert_eq!(
            subject(group, kind, "UPDATE", part, [object, object]).0,
            None,
            "{kind}"
        );
    }
}

#[test]
fn what_stands_where_it_is_expected_is_read_where_it_stands() {
    let text = review("", "Service", "UPDATE", "", [SERVICE, SERVICE], true);
    let mut reader = ObjectReader::unambiguous(&text, LayoutMemory::default());
    let mut envelope = ReviewEnvelope::default();
    envelope.request.is_at_once = true;
    reader.object(&mut envelope, None).unwrap();
    let sent = envelope.request;
    assert!(sent.object.service.is_some() && sent.old_object.service.is_some());
    assert!(sent.request.object.is_none() && sent.request.old_object.is_none());
}

#[test]
fn what_an_update_repeats_is_read_once() {
    let endpoint = |name: &str| format!(r#"{{"addresses":["10.0.0.1"],"zone":"{name}"}}"#);
    let slice = |zones: &[&str]| {
        let endpoints: Vec<_> = zones.iter().map(|zone| endpoint(zone)).collect();
        let endpoints = endpoints.join(",");
        let meta = r#""metadata":{"name":"a","namespace":"shop"},"addressType":"IPv4""#;
        format!(r#"{{"kind":"EndpointSlice",{meta},"endpoints":[{endpoints}]}}"#)
    };
    let old = ["a", "b", "c", "d"];
    // How many of the old endpoints are in the same place in the new slice.
    for (new, repeated) in [
        (&["a", "b", "c", "d"][..], 4),
        (&["a", "x", "c", "d"], 3),
        (&["b", "c", "d"], 0),
        (&["a", "b"], 2),
        (&["a", "b", "c", "d", "e"], 4),
        (&["a", "\\u0062", "c", "d"], 3),
        (&[], 0),
    ] {
        let objects = [slice(new), slice(&old)];
        let objects = [objects[0].as_str(), objects[1].as_str()];
        let group = "discovery.k8s.io";
        let text = review(group, "EndpointSlice", "UPDATE", "", objects, true);
        assert!(compare(&text, &mut LayoutMemory::default()), "{new:?}");
        let read = read_at_once(&text, &mut LayoutMemory::default()).unwrap();
        let ReviewSubject::EndpointSlice(ObjectChange::Update { old, new }) = &read.subject else {
            panic!("{text}")
        };
        let pairs = old.endpoints.iter().zip(&*new.endpoints);
        let place = |zone: &Option<Text<'_>>| zone.as_ref().map(|zone| zone.as_ptr());
        let is_same = |(old, new): &(&ReviewedEndpoint<'_>, &ReviewedEndpoint<'_>)| {
            place(&old.zone) == place(&new.zone)
        };
        assert_eq!(pairs.filter(is_same).count(), repeated, "{new:?}");
        assert_eq!(old.endpoints.len(), 4);
    }
}

#[test]
fn what_is_wrong_is_told_as_in_steps() {
    const PIECES: [&str; 24] = [
        "null",
        "{}",
        "[]",
        "\"\"",
        "0",
        "-",
        "1e999",
        "\"a\"",
        "\"name\":\"a\",",
        "\"x\":1,",
        "\"\\u0078\":1,",
        "\"f:a\":{},",
        "\"zone\":\"y\",",
        "\\ud800",
        "\\ude00",
        "\\u0041",
        "\\",
        "\"",
        ",",
        "}",
        "[[[[",
        "\"kind\":\"Node\"",
        "\"externalIPs\":7,",
        "\n",
    ];
    let reviews = reviews();
    let (mut memory, mut number) = (LayoutMemory::default(), 7_u64);
    let mut random = |below: usize| {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        (number % below as u64) as usize
    };
    let (mut read, mut refused) = (0, 0);
    for round in 0..30_000 {
        let mut text = reviews[round % reviews.len()].clone();
        for _ in 0..=random(2) {
            let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
            // Most pieces fit after a bracket or a comma.
            let fits: Vec<usize> = text
                .match_indices(['{', ',', '[', ':'])
                .map(|(place, _)| place + 1)
                .collect();
            let start = if random(3) > 0 && !fits.is_empty() {
                fits[random(fits.len())]
            } else {
                places[random(places.len())]
            };
            let end = places
                .iter()
                .copied()
                .find(|place| *place >= start + random(6) * random(3))
                .unwrap_or(start);
            let end = if random(2) == 0 {
                start
            } else {
                end.max(start)
            };
            text.replace_range(start..end, PIECES[random(PIECES.len())]);
        }
        match compare(&text, &mut memory) {
            true => read += 1,
            false => refused += 1,
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} {refused}");
}
