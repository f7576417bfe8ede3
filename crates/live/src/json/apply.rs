//! Takes a plan and the slices it was made from, and returns the slices after the plan is applied.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use slicewise::Error;
use slicewise::api::input::{self, Limits};
use slicewise::api::slice_check::check_slices;
use slicewise::api::{Snapshot, encode, place};
use slicewise::model::object::slim_object;
use slicewise::model::{EndpointSlice, NamespacedName, Text};
use slicewise::plan::SliceRef;
use slicewise::plan::apply::{FailedWrite, Writer};
use slicewise::plan::writing::{Operation, PlanWrites, StoredSlice, Writing};

use crate::api_server::{ApiError, ApiServer, Refusal};

/// The state of the slices after an API server has applied a plan.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct AppliedPlan {
    /// All slices after the writes, including those of other Services, sorted by namespace and name.
    pub slices: Vec<EndpointSlice<'static>>,
    /// `namespace/name` of the slices created. An API server generates random names; here they are numbered.
    pub created: Vec<String>,
    /// `namespace/name` of the slices updated.
    pub updated: Vec<String>,
    /// `namespace/name` of the slices deleted. A slice with finalizers still exists, with a deletion timestamp.
    pub deleted: Vec<String>,
    /// Writes that were refused. As in a controller, later writes of the same family are not tried.
    pub refused: Vec<RefusedWrite>,
    /// The number of writes that were not tried.
    pub skipped: usize,
}

/// A write that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[non_exhaustive]
pub struct RefusedWrite {
    /// `create`, `update` or `delete`.
    pub operation: &'static str,
    /// `namespace/name` of the slice; for a create, the prefix of its name.
    pub slice: String,
    /// The reason for the refusal.
    pub error: Refusal,
    /// The API server's message.
    pub message: String,
}

slim_object! {
    /// The plans of a snapshot; `None` for a single plan.
    #[derive(Default)]
    struct Plans<'a>("plan") {
        "plans" plans: Option<Vec<PlannedLists<'a>>>;
    }
}

slim_object! {
    /// The parts of a plan that are written, and in which order.
    #[derive(Default)]
    struct PlannedLists<'a>("plan") {
        "service" service: PlannedService<'a> = required;
        "hints" hints: Vec<PlannedFamily<'a>>;
        "create" create: Vec<EndpointSlice<'a>> = required;
        "update" update: Vec<EndpointSlice<'a>> = required;
        "delete" delete: Vec<PlannedDelete<'a>> = required;
    }
}

slim_object! {
    #[derive(Default)]
    struct PlannedService<'a>("Service of a plan") {
        "namespace" namespace: Text<'a>;
    }
}

slim_object! {
    #[derive(Default)]
    struct PlannedFamily<'a>("hints of a plan") {
        "addressType" address_type: Text<'a> = required;
    }
}

slim_object! {
    #[derive(Default)]
    struct PlannedDelete<'a>("slice to delete") {
        "name" name: Text<'a> = required;
        "uid" uid: Text<'a>;
        "resourceVersion" resource_version: Text<'a>;
        "addressType" address_type: Text<'a>;
    }
}

/// Applies a plan, or the plans of a snapshot, to slices: the plan as returned by [`plan`](slicewise::api::plan()) or
/// [`plan_snapshot`](slicewise::api::plan_snapshot), and the slices in any form that a snapshot may have. A write is refused
/// where an API server would refuse it: the slice has been replaced, has another version, or does not exist.
///
/// # Errors
/// When either cannot be read; the path then begins with `/plan` or `/slices`.
pub fn apply(plan: &[u8], slices: &[u8]) -> Result<Vec<u8>, Error> {
    encode(&applied(plan, slices, Limits::default())?)
}

/// Like [`apply`], for callers that want more than JSON.
///
/// # Errors
/// Same as [`apply`].
pub fn applied(plan: &[u8], slices: &[u8], limits: Limits) -> Result<AppliedPlan, Error> {
    let plans = input::text(plan, limits)
        .and_then(read_plans)
        .map_err(|error| error.below("/plan"))?;
    let slices = input::text(slices, limits)
        .and_then(Snapshot::read_slices)
        .map_err(|error| error.below("/slices"))?
        .slices;
    let mut server = ApiServer::default();
    for slice in slices {
        server.restore(slice.into_owned());
    }
    let mut applied = AppliedPlan {
        slices: Vec::new(),
        created: Vec::new(),
        updated: Vec::new(),
        deleted: Vec::new(),
        refused: Vec::new(),
        skipped: 0,
    };
    for plan in &plans {
        write(plan, &mut server, &mut applied);
    }
    applied.slices = server.into_slices().collect();
    Ok(applied)
}

fn read_plans(text: &str) -> Result<Vec<PlannedLists<'_>>, Error> {
    let many: Plans<'_> = input::decode(text)?;
    let (plans, is_one) = match many.plans {
        Some(plans) => (plans, false),
        None => (Vec::from([input::decode(text)?]), true),
    };
    for (index, plan) in plans.iter().enumerate() {
        let path = if is_one {
            String::new()
        } else {
            format!("/plans/{index}")
        };
        for (field, slices) in [("create", &plan.create), ("update", &plan.update)] {
            check_slices(&format!("{path}/{field}"), slices)
                .map_err(|error| place::locate(error, text))?;
        }
    }
    Ok(plans)
}

fn write(plan: &PlannedLists<'_>, server: &mut ApiServer, applied: &mut AppliedPlan) {
    let namespace = plan.service.namespace.as_str();
    let delete = plan.delete.iter().map(|slice| SliceRef {
        name: slice.name.clone(),
        uid: slice.uid.clone(),
        resource_version: slice.resource_version.clone(),
        address_type: slice.address_type.clone(),
    });
    let delete: Vec<_> = delete.collect();
    let families = plan.hints.iter().map(|hints| hints.address_type.as_str());
    let writes = PlanWrites {
        namespace,
        families: families.collect(),
        create: &plan.create,
        update: &plan.update,
        delete: &delete,
    };
    let written = Writing::new(&writes).run(|operation| match operation {
        Operation::Create(slice) => server.create(slice).into(),
        Operation::Update(slice) => server.update(slice).into(),
        Operation::Delete { namespace, slice } => server.delete(namespace, slice).into(),
    });
    let (done, failures) = match written {
        Ok(done) => (done, Vec::new()),
        Err(error) => (error.applied, error.failures),
    };
    let name = |slice: &StoredSlice| NamespacedName::of(&**slice).to_string();
    let named = |name: &str| NamespacedName {
        namespace: namespace.to_string(),
        name: name.to_string(),
    };
    applied.created.extend(done.created.iter().map(name));
    applied.updated.extend(done.updated.iter().map(name));
    let deleted = done.deleted.iter();
    let deleted = deleted.map(|slice| named(&slice.name).to_string());
    applied.deleted.extend(deleted);
    applied.skipped += done.skipped;
    let refused = failures.into_iter();
    let refused = refused.map(|failure: FailedWrite<ApiError>| RefusedWrite {
        operation: failure.operation,
        slice: named(&failure.slice).to_string(),
        error: failure.error.refusal,
        message: failure.error.to_string(),
    });
    applied.refused.extend(refused);
}
