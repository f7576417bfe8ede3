//! Builders for explanations.

use alloc::string::String;

use slicewise::model::{EndpointSlice, Node, Pod, Service};
use slicewise::plan::explanation::{Explanation, ExplanationCode, Fix, Look, SubjectKind};

/// A change and its effect.
pub(super) fn fix(change: impl Into<String>, effect: impl Into<String>) -> Fix {
    Fix::new(change, effect)
}

/// A place to look at.
pub(super) fn look(at: impl Into<String>, shows: impl Into<String>) -> Look {
    Look {
        at: at.into(),
        shows: shows.into(),
    }
}

/// Where to look if controllers do not write, and what is seen there.
pub(super) const CONTROLLER_MANAGER: (&str, &str) = (
    "kubectl get lease kube-controller-manager -n kube-system -o yaml",
    "renewTime shows whether the controller is alive, holderIdentity which replica leads; its log says why a write fails",
);

/// An explanation about a Service.
pub(super) fn service(
    code: ExplanationCode,
    service: &Service<'_>,
    what: impl Into<String>,
) -> Explanation {
    let names = (&*service.metadata.namespace, &*service.metadata.name);
    Explanation::new(code, SubjectKind::Service, names, what.into())
}

/// An explanation about a Pod.
pub(super) fn pod(code: ExplanationCode, pod: &Pod<'_>, what: impl Into<String>) -> Explanation {
    let names = (&*pod.metadata.namespace, &*pod.metadata.name);
    Explanation::new(code, SubjectKind::Pod, names, what.into())
}

/// An explanation about a Node.
pub(super) fn node(code: ExplanationCode, node: &Node<'_>, what: impl Into<String>) -> Explanation {
    Explanation::new(
        code,
        SubjectKind::Node,
        ("", &*node.metadata.name),
        what.into(),
    )
}

/// An explanation about a slice.
pub(super) fn slice(
    code: ExplanationCode,
    (namespace, name): (&str, &str),
    what: impl Into<String>,
) -> Explanation {
    Explanation::new(
        code,
        SubjectKind::EndpointSlice,
        (namespace, name),
        what.into(),
    )
}

/// Namespace and name of a slice.
pub(super) fn names<'s>(slice: &'s EndpointSlice<'_>) -> (&'s str, &'s str) {
    (&slice.metadata.namespace, slice.name())
}
