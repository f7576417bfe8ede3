//! What the server stores, refuses and reports.

use super::*;

fn slice(json: &str) -> EndpointSlice<'static> {
    let slice: EndpointSlice<'_> = serde_json::from_str(json).unwrap();
    slice.into_owned()
}

fn new(prefix: &str) -> EndpointSlice<'static> {
    slice(&format!(
        r#"{{"metadata": {{"namespace": "shop", "generateName": "{prefix}", "labels": {{"a": "b"}}, "ownerReferences": [{{"kind": "Service", "name": "cart", "uid": "1"}}]}}, "addressType": "IPv4"}}"#
    ))
}

fn reference(slice: &EndpointSlice<'_>) -> SliceRef<'static> {
    SliceRef {
        name: slice.metadata.name.clone().into_owned(),
        uid: slice.metadata.uid.clone().into_owned(),
        resource_version: slice.metadata.resource_version.clone().into_owned(),
        address_type: slice.address_type.clone().into_owned(),
    }
}

/// Changes since the last call: `+` or `-`, name, version and generation.
fn told(server: &mut ApiServer) -> Vec<String> {
    let mut told = Vec::new();
    while let Some(StoredChange { is_deletion, slice }) = server.next_change() {
        let sign = if is_deletion { '-' } else { '+' };
        let metadata = &slice.metadata;
        told.push(format!(
            "{sign}{} {} {}",
            metadata.name,
            metadata.resource_version,
            metadata.generation.unwrap()
        ));
    }
    told
}

#[test]
fn versions_count_writes_and_generations_count_changes_of_content() {
    let mut server = ApiServer::default();
    let mut stored = server.create(&new("cart-")).unwrap();
    assert_eq!(stored.metadata.name, "cart-bbbbc");
    assert_eq!(server.update(&stored).unwrap(), stored, "nothing to store");
    let annotations = &mut Arc::make_mut(&mut stored).metadata.annotations;
    annotations.insert("c".into(), "d".into());
    let stored = server.update(&stored).unwrap();
    let mut labelled = stored.clone();
    let labels = &mut Arc::make_mut(&mut labelled).metadata.labels;
    labels.insert("e".into(), "f".into());
    let labelled = server.update(&labelled).unwrap();
    server.delete("shop", &reference(&labelled)).unwrap();
    assert_eq!(
        told(&mut server),
        [
            "+cart-bbbbc 1 1",
            "+cart-bbbbc 2 1",
            "+cart-bbbbc 3 2",
            "-cart-bbbbc 4 2"
        ]
    );
    assert!(server.is_empty());
}

#[test]
fn writes_for_another_version_or_object_are_refused() {
    let mut server = ApiServer::default();
    let first = server.create(&new("cart-")).unwrap();
    let mut changed = EndpointSlice::clone(&first);
    changed.metadata.labels.insert("e".into(), "f".into());
    server.update(&changed).unwrap();
    let refusal = |result: Result<StoredSlice, ApiError>| result.unwrap_err().refusal;
    assert_eq!(refusal(server.update(&changed)), Refusal::Conflict);
    changed.metadata.resource_version = "".into();
    changed.address_type = "IPv6".into();
    assert_eq!(refusal(server.update(&changed)), Refusal::Invalid);
    changed.metadata.uid = "another".into();
    assert_eq!(refusal(server.update(&changed)), Refusal::Conflict);
    assert_eq!(refusal(server.create(&first)), Refusal::AlreadyExists);
    changed.metadata.name = "gone".into();
    assert_eq!(refusal(server.update(&changed)), Refusal::NotFound);
    let mut other = reference(&first);
    other.uid = "another".into();
    let error = server.delete("shop", &other).unwrap_err();
    assert_eq!(error.refusal, Refusal::Conflict);
    server.delete("shop", &reference(&first)).unwrap();
    let error = server.delete("shop", &reference(&first)).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"endpointslices.discovery.k8s.io "cart-bbbbc" not found"#
    );
}

#[test]
fn a_terminating_namespace_takes_nothing_new() {
    let mut server = ApiServer::default();
    let stored = server.create(&new("cart-")).unwrap();
    server.terminate_namespace("shop");
    let error = server.create(&new("cart-")).unwrap_err();
    assert!(server.is_namespace_terminating(&error));
    server.delete("shop", &reference(&stored)).unwrap();
}

#[test]
fn refusals_to_come_are_used_up() {
    let mut server = ApiServer::default();
    server.refuse(Refusal::ServerError);
    assert_eq!(
        server.create(&new("cart-")).unwrap_err().refusal,
        Refusal::ServerError
    );
    server.create(&new("cart-")).unwrap();
}

#[test]
fn finalizers_keep_a_slice() {
    let mut server = ApiServer::default();
    server.set_time(Duration::from_secs(5));
    let text = r#"{"metadata": {"namespace": "shop", "name": "kept", "finalizers": ["a/b"]}, "addressType": "IPv4"}"#;
    let stored = server.put(&slice(text)).clone();
    for _ in 0..2 {
        server.delete("shop", &reference(&stored)).unwrap();
    }
    assert_eq!(told(&mut server), ["+kept 2 2"]);
    let kept = server.slices().next().unwrap();
    assert_eq!(
        kept.metadata.deletion_timestamp.as_deref(),
        Some("1970-01-01T00:00:05Z")
    );
}

#[test]
fn what_others_write_is_filled_in() {
    let mut server = ApiServer::default();
    let text = r#"{"metadata": {"namespace": "shop", "name": "own"}, "addressType": "IPv4"}"#;
    let first = server.put(&slice(text)).metadata.clone();
    assert_eq!((&*first.resource_version, first.generation), ("1", Some(1)));
    let changed = text.replace("IPv4\"", "IPv4\", \"ports\": [{\"port\": 80}]");
    let second = server.put(&slice(&changed)).metadata.clone();
    assert_eq!(second.uid, first.uid);
    assert_eq!(
        (&*second.resource_version, second.generation),
        ("2", Some(2))
    );
    let versioned = text.replace("\"own\"", "\"own\", \"resourceVersion\": \"77\"");
    assert_eq!(
        server.put(&slice(&versioned)).metadata.resource_version,
        "77"
    );
    let key = key_of("shop", "own");
    assert_eq!(server.take(&key).unwrap().metadata.resource_version, "78");
    assert!(server.take(&key).is_none());
}

#[test]
fn a_service_that_is_gone_takes_its_slices_with_it() {
    let mut server = ApiServer::default();
    server.create(&new("cart-")).unwrap();
    let mut other = new("till-");
    other.metadata.owner_references[0].name = "till".into();
    server.create(&other).unwrap();
    server.collect_garbage(&key_of("shop", "cart"));
    assert_eq!(server.len(), 1);
    assert_eq!(told(&mut server).last().unwrap(), "-cart-bbbbc 3 1");
}
