//! Reads from an input what explanations need of pods and Services beyond what plans do.

use alloc::vec::Vec;

use crate::Error;
use crate::api::detect::{Shape, detect};
use crate::api::input;
use crate::api::objects::numbers::{PODS, SERVICES};
use crate::api::objects::{Halt, Standing, Taker, read_objects};
use crate::explain::details::{Details, PodDetail};
use crate::model::object::slim_object;
use crate::proxy::Service;

slim_object! {
    /// A request, as far as pods and Services are to be found in it.
    #[derive(Default)]
    struct Holder<'a>("plan request") {
        "pods" pods: Vec<PodDetail<'a>>;
        "service" service: Option<Service<'a>>;
    }
}

/// Reads the details of all pods and Services.
pub(super) fn details(text: &str) -> Result<Details<'_>, Error> {
    if detect(text.as_bytes()) == Shape::Request {
        let holder: Holder<'_> = input::decode(text)?;
        let services: Vec<_> = holder.service.into_iter().collect();
        return Ok(Details::new(holder.pods, services));
    }
    let mut taken = Taken::default();
    read_objects(text, &mut taken)?;
    Ok(Details::new(taken.pods, taken.services))
}

#[derive(Default)]
struct Taken<'a> {
    pods: Vec<PodDetail<'a>>,
    services: Vec<Service<'a>>,
}

impl<'a> Taker<'a> for Taken<'a> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        matches!(kind, "Pod" | "Service") && matches!(version, "" | "v1")
    }

    fn take(&mut self, object: &mut Standing<'_, '_, 'a>, kind: &str) -> Result<(), Halt> {
        if kind == "Pod" {
            let mut pod = PodDetail::default();
            object.read(&mut pod, PODS)?;
            self.pods.push(pod);
        } else {
            let mut service = Service::default();
            object.read(&mut service, SERVICES)?;
            self.services.push(service);
        }
        Ok(())
    }

    fn ignore(&mut self, _: &str, _: &str) {}

    fn mark(&self) -> [usize; 5] {
        [self.pods.len(), self.services.len(), 0, 0, 0]
    }

    fn forget(&mut self, [pods, services, ..]: [usize; 5]) {
        self.pods.truncate(pods);
        self.services.truncate(services);
    }
}
