//! Reads the parts of an input that explanations need and plans do not.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use crate::explain::details::{ExplanationDetails, Read};
use crate::explain::extras::{
    Beside, ElectionLease, NodeDetail, OtherObject, RecordedEvent, ServiceDetail,
};
use crate::explain::pod_detail::PodDetail;
use slicewise::Error;
use slicewise::api::objects::numbers::{
    BESIDE, ENDPOINTS, EVENTS, LEASES, NODE_DETAILS, POD_DETAILS, PROXIED_SERVICES, SERVICE_DETAILS,
};
use slicewise::api::objects::{
    CheckedObject as _, Gather, Halt, PendingObject, WantedObjects, read_objects,
};
use slicewise::api::{InputShape, detect, input};
use slicewise::marked;
use slicewise::model::own::Keep;
use slicewise::model::service::{DEFAULT_NAMESPACE, or_in};
use slicewise::model::{Endpoints, Named as _};
use slicewise::slim_object;
use slicewise_traffic::proxy::ProxiedService;

slim_object! {
    /// The parts of a request that hold details.
    #[derive(Default)]
    struct Holder<'a>("plan request") {
        "pods" pods: Vec<PodDetail<'a>>;
        "nodes" nodes: Vec<NodeDetail<'a>>;
        "service" service: Option<ProxiedService<'a>>;
    }
}

slim_object! {
    /// The same for the other part of the Service that is read.
    #[derive(Default)]
    struct OldHolder<'a>("plan request") {
        "service" service: Option<ServiceDetail<'a>>;
    }
}

/// Reads the details of all objects.
pub(crate) fn details(text: &str) -> Result<ExplanationDetails<'_>, Error> {
    if detect(text.as_bytes()) == InputShape::Request {
        let holder: Holder<'_> = input::decode(text)?;
        let old: OldHolder<'_> = input::decode(text)?;
        return Ok(ExplanationDetails::new(of_request(holder, old.service)));
    }
    let mut taken = DetailsTaker::default();
    read_objects(text, &mut taken)?;
    Ok(taken.finish())
}

/// The details of a request, whose objects are in the namespace of its Service if they name none.
fn of_request<'a>(holder: Holder<'a>, old: Option<ServiceDetail<'a>>) -> Read<'a> {
    let mut read = Read {
        pods: holder.pods,
        services: holder.service.into_iter().collect(),
        service_details: old.into_iter().collect(),
        nodes: holder.nodes,
        extras: Vec::new(),
    };
    let mut namespace = String::from(DEFAULT_NAMESPACE);
    for service in &mut read.services {
        service.complete(&namespace);
        namespace = service.metadata.namespace.to_string();
    }
    let details = read.service_details.iter_mut();
    let names = details.map(|detail| &mut detail.metadata);
    for metadata in names.chain(read.pods.iter_mut().map(|pod| &mut pod.metadata)) {
        or_in(&mut metadata.namespace, &namespace);
    }
    read
}

/// The details of the objects of an input.
#[derive(Default)]
pub(crate) struct DetailsTaker<'k> {
    read: Read<'k>,
}

impl<'k> DetailsTaker<'k> {
    pub(crate) fn finish(self) -> ExplanationDetails<'k> {
        ExplanationDetails::new(self.read)
    }
}

impl WantedObjects for DetailsTaker<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        match kind {
            "Pod" | "Service" | "Node" | "Endpoints" => matches!(version, "" | "v1"),
            "Event" => matches!(version, "" | "v1" | "events.k8s.io/v1"),
            "Lease" => matches!(version, "" | "coordination.k8s.io/v1"),
            "DaemonSet" | "Deployment" | "ReplicaSet" | "StatefulSet" => {
                matches!(version, "" | "apps/v1")
            }
            "ReplicationController" => matches!(version, "" | "v1"),
            "Ingress" => matches!(version, "" | "networking.k8s.io/v1"),
            "TargetGroupBinding" => matches!(version, "" | "elbv2.k8s.aws/v1beta1"),
            _ => false,
        }
    }

    fn ignore(&mut self, _: &str, _: &str) {}

    marked!(
        read.pods,
        read.services,
        read.service_details,
        read.nodes,
        read.extras
    );

    fn remove(&mut self, kind: &str, name: (&str, &str)) {
        // The others are only looked up for objects that exist, and Events are deleted because they are old.
        let is_it = |extra: &OtherObject<'_>| match extra {
            OtherObject::Endpoints(endpoints) => {
                kind == "Endpoints" && endpoints.full_name() == name
            }
            OtherObject::Lease(lease) => kind == "Lease" && *lease.metadata.name == *name.1,
            OtherObject::Event(_) => false,
            OtherObject::Beside(one) => {
                *one.kind == *kind && (&*one.metadata.namespace, &*one.metadata.name) == name
            }
        };
        if !matches!(kind, "Pod" | "Service" | "Node" | "Event") {
            self.read.extras.retain(|extra| !is_it(extra));
        }
    }
}

impl<'a, 'k, K> Gather<'a, K> for DetailsTaker<'k>
where
    K: Keep<PodDetail<'a>, Kept = PodDetail<'k>>
        + Keep<ProxiedService<'a>, Kept = ProxiedService<'k>>
        + Keep<ServiceDetail<'a>, Kept = ServiceDetail<'k>>
        + Keep<NodeDetail<'a>, Kept = NodeDetail<'k>>
        + Keep<RecordedEvent<'a>, Kept = RecordedEvent<'k>>
        + Keep<ElectionLease<'a>, Kept = ElectionLease<'k>>
        + Keep<Beside<'a>, Kept = Beside<'k>>
        + Keep<Endpoints<'a>, Kept = Endpoints<'k>>,
{
    fn gather(
        &mut self,
        object: &mut PendingObject<'_, '_, 'a>,
        kind: &str,
        keep: &K,
    ) -> Result<(), Halt> {
        let read = &mut self.read;
        match kind {
            "Pod" => {
                let mut pod: PodDetail<'a> = object.read(POD_DETAILS)?;
                or_in(&mut pod.metadata.namespace, object.namespace());
                read.pods.push(keep.keep(pod.without_what_is_well()));
            }
            "Node" => read
                .nodes
                .push(keep.keep(object.read::<NodeDetail<'a>>(NODE_DETAILS)?)),
            "Event" => {
                let event = keep.keep(object.read::<RecordedEvent<'a>>(EVENTS)?);
                read.extras.push(OtherObject::Event(event));
            }
            "Lease" => {
                let lease = keep.keep(object.read::<ElectionLease<'a>>(LEASES)?);
                read.extras.push(OtherObject::Lease(lease));
            }
            "Endpoints" => {
                let mut endpoints: Endpoints<'a> = object.read(ENDPOINTS)?;
                endpoints.complete(object.namespace());
                read.extras
                    .push(OtherObject::Endpoints(keep.keep(endpoints)));
            }
            kind if kind != "Service" => {
                let mut beside: Beside<'a> = object.read(BESIDE)?;
                or_in(&mut beside.metadata.namespace, object.namespace());
                read.extras.push(OtherObject::Beside(keep.keep(beside)));
            }
            _ => {
                let mut service: ProxiedService<'a> = object.read(PROXIED_SERVICES)?;
                service.complete(object.namespace());
                object.again();
                let mut old: ServiceDetail<'a> = object.read(SERVICE_DETAILS)?;
                or_in(&mut old.metadata.namespace, object.namespace());
                read.services.push(keep.keep(service));
                read.service_details.push(keep.keep(old));
            }
        }
        Ok(())
    }
}
