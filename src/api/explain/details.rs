//! Reads from an input what explanations need of pods and Services beyond what plans do.

use alloc::vec::Vec;

use crate::Error;
use crate::api::detect::{Shape, detect};
use crate::api::input;
use crate::api::objects::numbers::{POD_DETAILS, PROXIED_SERVICES};
use crate::api::objects::{Gather, Halt, Standing, Wanted, read_objects};
use crate::explain::details::{Details, PodDetail};
use crate::model::object::slim_object;
use crate::model::own::Keep;
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
pub(in crate::api) fn details(text: &str) -> Result<Details<'_>, Error> {
    if detect(text.as_bytes()) == Shape::Request {
        let holder: Holder<'_> = input::decode(text)?;
        let services: Vec<_> = holder.service.into_iter().collect();
        return Ok(Details::new(holder.pods, services));
    }
    let mut taken = Taken::default();
    read_objects(text, &mut taken)?;
    Ok(taken.finish())
}

/// The details of the pods and Services of an input.
#[derive(Default)]
pub(in crate::api) struct Taken<'k> {
    pods: Vec<PodDetail<'k>>,
    services: Vec<Service<'k>>,
}

impl<'k> Taken<'k> {
    pub(in crate::api) fn finish(self) -> Details<'k> {
        Details::new(self.pods, self.services)
    }

    /// Keeps the first so many.
    pub(in crate::api) fn truncate(&mut self, services: usize, pods: usize) {
        self.services.truncate(services);
        self.pods.truncate(pods);
    }
}

impl Wanted for Taken<'_> {
    fn wants(&self, kind: &str, version: &str) -> bool {
        matches!(kind, "Pod" | "Service") && matches!(version, "" | "v1")
    }

    fn ignore(&mut self, _: &str, _: &str) {}

    fn mark(&self) -> [usize; 5] {
        [self.pods.len(), self.services.len(), 0, 0, 0]
    }

    fn forget(&mut self, [pods, services, ..]: [usize; 5]) {
        self.truncate(services, pods);
    }
}

impl<'a, 'k, K> Gather<'a, K> for Taken<'k>
where
    K: Keep<PodDetail<'a>, Kept = PodDetail<'k>> + Keep<Service<'a>, Kept = Service<'k>>,
{
    fn gather(
        &mut self,
        object: &mut Standing<'_, '_, 'a>,
        kind: &str,
        keep: &K,
    ) -> Result<(), Halt> {
        if kind == "Pod" {
            let mut pod = PodDetail::default();
            object.read(&mut pod, POD_DETAILS)?;
            self.pods.push(keep.keep(pod));
        } else {
            let mut service = Service::default();
            object.read(&mut service, PROXIED_SERVICES)?;
            self.services.push(keep.keep(service));
        }
        Ok(())
    }
}
