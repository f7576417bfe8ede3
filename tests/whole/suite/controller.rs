//! What scenarios in JSON (`slicewise_live::json::controller_stream`) cannot show: calls in the wrong order, failing lists, and that
//! nothing is left behind.

use std::time::Duration;

use crate::api_server::ApiServer;
use crate::controller::{
    ClusterEvent, Command, Config, Controller, Kind, ListError, PlanObject, Reception, SyncOutcome,
    Versioned,
};
use crate::model::{EndpointSlice, NamespacedName, Service};
use crate::plan::apply::{Applied, ApplyError};

fn service(name: &str) -> ClusterEvent<'static> {
    let text = format!(
        r#"{{"metadata": {{"namespace": "shop", "name": "{name}", "uid": "{name}"}}, "spec": {{"selector": {{"app": "{name}"}}, "ipFamilies": ["IPv4"]}}}}"#
    );
    let service: Service<'_> = serde_json::from_str(&text).unwrap();
    ClusterEvent::Set(Box::new(Versioned::new(
        PlanObject::Service(service.into_owned()),
        "",
    )))
}

fn removed(kind: Kind, name: &str) -> ClusterEvent<'static> {
    ClusterEvent::Removed {
        kind,
        key: key(name),
        resource_version: "".into(),
    }
}

fn key(name: &str) -> NamespacedName {
    NamespacedName {
        namespace: "shop".into(),
        name: name.into(),
    }
}

fn controller() -> Controller {
    Controller::new({
        let mut made = Config::default();
        made.wait_for_sync = false;
        made
    })
}

const START: Duration = Duration::ZERO;

/// Writes all plans, and delivers the server's changes, until nothing is due.
fn settle(controller: &mut Controller, server: &mut ApiServer, now: Duration) {
    while let Some(command) = controller.due(now) {
        if let Command::Sync { service, plan } = command {
            let outcome = plan.apply(server);
            assert!(controller.complete(&service, outcome, now));
        }
        while let Some(change) = server.next_change() {
            controller.handle(change.into(), now);
        }
    }
}

fn done() -> Result<Applied<EndpointSlice<'static>>, ApplyError<EndpointSlice<'static>, String>> {
    Ok(Applied::default())
}

#[test]
fn a_result_nobody_waits_for_changes_nothing() {
    let mut controller = controller();
    assert!(!controller.complete(&key("cart"), done(), START));
    let error = ListError::Pods("x".into());
    assert!(!controller.abandon(&key("cart"), &error, START));
    assert!(controller.is_empty());
    controller.handle(service("cart"), START);
    assert!(matches!(controller.due(START), Some(Command::Sync { .. })));
    assert!(controller.due(START).is_none(), "one sync at a time");
    assert!(controller.complete(&key("cart"), done(), START));
    assert!(!controller.complete(&key("cart"), done(), START));
}

#[test]
fn an_event_that_comes_before_the_answer_ends_the_wait() {
    let (mut controller, mut server) = (controller(), ApiServer::default());
    controller.handle(service("cart"), START);
    let Some(Command::Sync { service, plan }) = controller.due(START) else {
        panic!("the Service is due")
    };
    let outcome = plan.apply(&mut server);
    while let Some(change) = server.next_change() {
        controller.handle_change(&change, START);
    }
    assert!(controller.complete(&service, outcome, START));
    while controller.due(START).is_some() {}
    controller.handle(ClusterEvent::Resync, START);
    let due = controller.due(START);
    assert!(matches!(due, Some(Command::Sync { .. })), "not stale");
}

#[test]
fn listing_that_fails_is_told_and_tried_again() {
    for (error, expected) in [
        (
            ListError::Pods("timeout".into()),
            "FailedToListPods: Error listing Pods for Service shop/cart: timeout",
        ),
        (
            ListError::EndpointSlices("timeout".into()),
            "FailedToListEndpointSlices: Error listing Endpoint Slices for Service shop/cart: timeout",
        ),
    ] {
        let mut controller = controller();
        controller.handle(service("cart"), START);
        controller.due(START);
        assert!(controller.abandon(&key("cart"), &error, START));
        let Some(Command::Ended {
            result: SyncOutcome::Error,
            is_dropped: false,
            ..
        }) = controller.due(START)
        else {
            panic!("the sync has failed")
        };
        let Some(Command::Publish { event, .. }) = controller.due(START) else {
            panic!("an event is published")
        };
        assert_eq!(format!("{}: {}", event.reason, event.message), expected);
        assert!(matches!(controller.due(START), Some(Command::Retry { .. })));
        assert_eq!(controller.next_timer(), Some(Duration::from_secs(1)));
    }
}

#[test]
fn time_that_goes_back_stands_still() {
    let mut controller = controller();
    let second = Duration::from_secs;
    controller.handle(service("cart"), second(10));
    controller.due(second(10));
    controller.abandon(&key("cart"), &ListError::Pods("x".into()), second(3));
    while controller.due(second(2)).is_some() {}
    assert_eq!(controller.next_timer(), Some(second(11)));
}

#[test]
fn a_service_made_anew_before_its_sync_keeps_what_is_remembered() {
    let mut controller = controller();
    let mut server = ApiServer::default();
    controller.handle(service("cart"), START);
    settle(&mut controller, &mut server, START);
    controller.handle(removed(Kind::Service, "cart"), START);
    controller.handle(service("cart"), START);
    let Some(Command::Sync { plan, .. }) = controller.due(START) else {
        panic!("it is there, and planned")
    };
    assert!(plan.is_empty());
}

#[test]
fn what_a_list_object_by_object_lacks_is_gone() {
    let mut controller = controller();
    for name in ["cart", "till"] {
        controller.handle(service(name), START);
    }
    let mut server = ApiServer::default();
    settle(&mut controller, &mut server, START);
    assert_eq!(controller.metrics().services(), 2);
    for event in [
        ClusterEvent::Listing(Kind::Service),
        service("till"),
        service("sign"),
        ClusterEvent::Synced(Kind::Service),
        // Ends no list, so nothing is missing.
        ClusterEvent::Synced(Kind::Service),
    ] {
        assert_eq!(controller.handle(event, START), Reception::Taken);
    }
    settle(&mut controller, &mut server, START);
    let keys = controller.session().keys(Kind::Service);
    assert_eq!(keys, ["sign", "till"].map(key));
}

#[test]
fn a_list_is_taken_whatever_versions_it_has() {
    let versioned = |version: &'static str| {
        let ClusterEvent::Set(mut object) = service("cart") else {
            unreachable!()
        };
        if let PlanObject::Service(service) = &mut object.object {
            service.metadata.resource_version = version.into();
        }
        object.resource_version = version.into();
        ClusterEvent::Set(object)
    };
    let mut controller = controller();
    let mut handle = |event| controller.handle(event, START);
    assert_eq!(handle(versioned("9")), Reception::Taken);
    assert_eq!(handle(versioned("8")), Reception::Late);
    // The server was restored from a backup.
    handle(ClusterEvent::Listing(Kind::Service));
    assert_eq!(handle(versioned("7")), Reception::Taken);
    handle(ClusterEvent::Synced(Kind::Service));
    assert_eq!(handle(versioned("6")), Reception::Late);
}

#[test]
fn a_written_slice_that_a_list_lacks_is_not_waited_for() {
    let mut controller = controller();
    controller.handle(service("cart"), START);
    let Some(Command::Sync { service, plan }) = controller.due(START) else {
        panic!("the Service is due")
    };
    let outcome = plan.apply(&mut ApiServer::default());
    controller.complete(&service, outcome, START);
    while controller.due(START).is_some() {}
    // It was created and deleted between two watches.
    controller.handle(ClusterEvent::Listing(Kind::EndpointSlice), START);
    controller.handle(ClusterEvent::Synced(Kind::EndpointSlice), START);
    let second = Duration::from_secs(1);
    assert_eq!(controller.next_timer(), Some(second));
    let Some(Command::Sync { plan, .. }) = controller.due(second) else {
        panic!("it is planned, not stale")
    };
    assert_eq!(plan.create.len(), 1);
}

#[test]
fn a_list_that_was_asked_for_before_a_write_does_not_end_its_wait() {
    let mut controller = controller();
    let mut server = ApiServer::default();
    controller.handle(service("cart"), START);
    let Some(Command::Sync { service, plan }) = controller.due(START) else {
        panic!("the Service is due")
    };
    controller.handle(ClusterEvent::Listing(Kind::EndpointSlice), START);
    let outcome = plan.apply(&mut server);
    controller.complete(&service, outcome, START);
    controller.handle(ClusterEvent::Synced(Kind::EndpointSlice), START);
    while controller.due(START).is_some() {}
    assert_eq!(controller.next_timer(), None);
    controller.handle(ClusterEvent::Resync, START);
    let Some(Command::Ended { result, .. }) = controller.due(START) else {
        panic!("nothing is planned without the slice")
    };
    assert_eq!(result, SyncOutcome::Stale);
}

#[test]
fn an_earlier_list_takes_a_slice_away_but_not_what_is_expected_of_it() {
    let (mut controller, mut server) = (controller(), ApiServer::default());
    let list = |server: &ApiServer| ClusterEvent::Listed {
        kind: Kind::EndpointSlice,
        objects: server.slices().cloned().map(Versioned::slice).collect(),
        resource_version: server.resource_version(),
    };
    let before = list(&server);
    controller.handle(service("cart"), START);
    settle(&mut controller, &mut server, START);
    let now = list(&server);
    controller.handle(before, START);
    assert_eq!(controller.next_timer(), None);
    controller.handle(ClusterEvent::Resync, START);
    let Some(Command::Ended { result, .. }) = controller.due(START) else {
        panic!("nothing is planned without the slice")
    };
    assert_eq!(result, SyncOutcome::Stale);
    // A current list shows it.
    controller.handle(now, START);
    settle(&mut controller, &mut server, Duration::from_secs(5));
    assert_eq!(server.len(), 1);
    assert_eq!(controller.next_timer(), None);
}

#[test]
fn churn_leaves_nothing_behind() {
    const SERVICES: usize = 2_000;
    let (mut controller, mut server) = (controller(), ApiServer::default());
    for round in 0..3 {
        let name = |number: usize| format!("s{round}-{number}");
        let now = Duration::from_secs(round * 10);
        for number in 0..SERVICES {
            controller.handle(service(&name(number)), now);
        }
        settle(&mut controller, &mut server, now);
        assert_eq!(server.len(), SERVICES);
        for number in 0..SERVICES {
            let (kind, name) = (Kind::Service, name(number));
            assert_eq!(
                controller.handle(removed(kind, &name), now),
                Reception::Taken
            );
            server.collect_garbage(&key(&name));
        }
        settle(&mut controller, &mut server, now);
        // Slices that were deleted before their Service was synced have queued it again.
        settle(&mut controller, &mut server, now + Duration::from_secs(5));
        assert!(controller.is_empty() && server.is_empty());
    }
}

#[test]
fn plans_writes_and_syncs_are_counted() {
    let (mut controller, mut server) = (controller(), ApiServer::default());
    controller.handle(service("cart"), START);
    settle(&mut controller, &mut server, START);
    let figures = |controller: &Controller| {
        let text = crate::metrics::prometheus_text(&controller.metrics().gather());
        let wanted = [
            "endpoint_slice_controller_num_endpoint_slices ",
            "endpoint_slice_controller_desired_endpoint_slices ",
            "endpoint_slice_controller_changes{",
            "endpoint_slice_controller_syncs{",
        ];
        let lines = text
            .lines()
            .filter(|line| wanted.iter().any(|start| line.starts_with(start)));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        figures(&controller),
        [
            r#"endpoint_slice_controller_changes{operation="create"} 1"#,
            "endpoint_slice_controller_desired_endpoint_slices 1",
            "endpoint_slice_controller_num_endpoint_slices 1",
            r#"endpoint_slice_controller_syncs{result="success"} 1"#,
        ]
    );
    assert_eq!(controller.metrics().services(), 1);
    controller.handle(removed(Kind::Service, "cart"), START);
    settle(&mut controller, &mut server, START);
    assert_eq!(controller.metrics().services(), 0);
}
