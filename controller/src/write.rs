//! Writes a plan, in the order and with the consequences that [`slicewise::plan::writing`] defines.

use std::time::Duration;

use kube::api::{DeleteParams, PostParams, Preconditions};
use kube::core::{Request, Status};
use kube::{Client, Error};
use slicewise::kubernetes::{Behavior, KubernetesVersion};
use slicewise::model::EndpointSlice;
use slicewise::model::kind::Kind;
use slicewise::plan::Plan;
use slicewise::plan::SliceRef;
use slicewise::plan::apply::{Applied, ApplyError};
use slicewise::plan::writing::{Answer, Operation, Slice as _, StoredSlice};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use super::elect::Leadership;
use super::settings::NAME;
use slicewise_cluster::watches::resource;

/// The time limit for a request; the watch will show whether it succeeded anyway.
const LIMIT: Duration = Duration::from_secs(30);
/// The cause that a refusal states if the namespace is being deleted.
const NAMESPACE_TERMINATING: &str = "NamespaceTerminating";

/// The result of writing a plan.
pub(super) type WriteOutcome = Result<Applied<StoredSlice>, ApplyError<StoredSlice, WriteRefusal>>;

/// Why a write failed.
#[derive(Debug)]
pub(super) struct WriteRefusal {
    /// A short reason, for metrics.
    pub(super) reason: String,
    message: String,
}

impl std::fmt::Display for WriteRefusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl WriteRefusal {
    fn new(reason: &str, message: impl Into<String>) -> Self {
        Self {
            reason: reason.to_owned(),
            message: message.into(),
        }
    }
}

/// Writes while it may.
#[derive(Clone)]
pub(super) struct SliceWriter {
    pub(super) client: Client,
    pub(super) leadership: watch::Receiver<Leadership>,
    pub(super) kubernetes: KubernetesVersion,
    /// Closed once it is said who else writes.
    pub(super) announcement: watch::Receiver<()>,
}

impl SliceWriter {
    /// Writes a plan. Each write is sent only while the Lease is held, and abandoned when it ends.
    pub(super) async fn write(mut self, plan: Plan<'static>) -> WriteOutcome {
        while self.announcement.changed().await.is_ok() {}
        let mut writing = plan.writing();
        while let Some(operation) = writing.operation() {
            let now = Instant::now();
            let deadline = self.leadership.borrow().deadline(now, now + LIMIT);
            let answer = match deadline {
                Some(deadline) => timeout_at(deadline, self.send(&plan, operation)).await,
                None => Ok(Err(WriteRefusal::new("NotLeading", "the Lease is lost"))),
            };
            let answer = answer.unwrap_or_else(|_| {
                let message = "the API server did not answer in time";
                Err(WriteRefusal::new("Timeout", message))
            });
            writing.record(answer.unwrap_or_else(Answer::Refused));
        }
        writing.finish()
    }

    async fn send(
        &self,
        plan: &Plan<'_>,
        operation: Operation<'_, EndpointSlice<'_>>,
    ) -> Result<Answer<StoredSlice, WriteRefusal>, WriteRefusal> {
        let request = request(&plan.service.namespace, operation)?;
        let answer = self.client.request_text(request).await;
        match (operation, answer) {
            (Operation::Create(_), Err(Error::Api(status))) if is_terminating(&status) => {
                Ok(Answer::NamespaceTerminating)
            }
            (Operation::Delete { .. }, Ok(_)) => Ok(Answer::Done(None)),
            (Operation::Delete { .. }, Err(Error::Api(status)))
                if status.code == 404 && self.kubernetes.has(Behavior::MissingDeletes) =>
            {
                Ok(Answer::Gone)
            }
            (_, Ok(text)) => Ok(stored(&text)),
            (_, Err(error)) => Err(refusal(error)),
        }
    }
}

/// Sends an operation.
fn request(
    namespace: &str,
    operation: Operation<'_, EndpointSlice<'_>>,
) -> Result<hyper::Request<Vec<u8>>, WriteRefusal> {
    let wrong = |error: &dyn std::fmt::Display| WriteRefusal::new("Unsendable", error.to_string());
    let resource = resource(Kind::EndpointSlice);
    let path = format!(
        "/apis/{}/namespaces/{namespace}/{}",
        resource.api_version, resource.plural
    );
    let requests = Request::new(path);
    let params = PostParams {
        field_manager: Some(NAME.to_owned()),
        ..PostParams::default()
    };
    let json = |slice| serde_json::to_vec(slice).map_err(|error| wrong(&error));
    let request = match operation {
        Operation::Create(slice) => requests.create(&params, json(slice)?),
        Operation::Update(slice) => requests.replace(&slice.metadata.name, &params, json(slice)?),
        Operation::Delete { slice, .. } => requests.delete(&slice.name, &unless_changed(slice)),
    };
    request.map_err(|error| wrong(&error))
}

/// Deletes the slice in the version it was planned on: if someone has changed it since, the change has to be looked at
/// first.
fn unless_changed(slice: &SliceRef<'_>) -> DeleteParams {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    DeleteParams {
        preconditions: Some(Preconditions {
            uid: some(&slice.uid),
            resource_version: some(&slice.resource_version),
        }),
        ..DeleteParams::default()
    }
}

/// The slice as the server has stored it.
fn stored(text: &str) -> Answer<StoredSlice, WriteRefusal> {
    let slice: Result<EndpointSlice<'_>, _> = serde_json::from_str(text);
    Answer::Done(slice.ok().map(|slice| Box::new(slice.to_stored())))
}

/// Whether the write failed because the namespace is being deleted.
fn is_terminating(status: &Status) -> bool {
    let causes = status.details.iter().flat_map(|details| &details.causes);
    status.code == 403
        && causes
            .into_iter()
            .any(|cause| cause.reason == NAMESPACE_TERMINATING)
}

/// The server's own message, if it sent one.
fn refusal(error: Error) -> WriteRefusal {
    match error {
        Error::Api(status) if status.reason.is_empty() => {
            WriteRefusal::new("Unknown", status.message)
        }
        Error::Api(status) => WriteRefusal::new(&status.reason, status.message),
        error => WriteRefusal::new("Unreachable", error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: u16, cause: &str) -> Status {
        serde_json::from_value(serde_json::json!({
            "status": "Failure", "code": code, "reason": "Forbidden", "message": "no",
            "details": {"causes": [{"reason": cause, "message": "m", "field": "metadata.namespace"}]},
        }))
        .unwrap()
    }

    #[test]
    fn a_terminating_namespace_is_known_by_the_cause() {
        assert!(is_terminating(&status(403, "NamespaceTerminating")));
        assert!(!is_terminating(&status(403, "Quota")));
        assert!(!is_terminating(&status(409, "NamespaceTerminating")));
    }

    #[test]
    fn a_delete_is_of_what_was_planned() {
        let slice = SliceRef {
            name: "cart-1".into(),
            uid: "u".into(),
            resource_version: "7".into(),
            address_type: "IPv4".into(),
        };
        let operation = Operation::Delete {
            namespace: "shop",
            slice: &slice,
        };
        let request = request("shop", operation).unwrap();
        assert_eq!(
            request.uri().path(),
            "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices/cart-1"
        );
        let body: serde_json::Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(
            body,
            serde_json::json!({"preconditions": {"uid": "u", "resourceVersion": "7"}})
        );
    }
}
