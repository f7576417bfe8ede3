//! Why a verdict is what it is, in words: which policy looked at what, what it found, and how old that information is.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::context::Context;
use super::request::{Request, ReviewSubject};
use super::response::Response;
use super::settings::Mode;
use super::step::{PolicyResult, PolicyStep, StepFinding};
use slicewise::model::kind::Kind;
use slicewise::model::text::printable;
use slicewise::words::{counted, listed};

/// A verdict, and how it came about.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(rename = "ReviewExplanation")]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct VerdictExplanation<'r> {
    /// The whole explanation in words, one fact per line.
    pub text: String,
    /// The change and its verdict, in a sentence.
    pub headline: String,
    /// What is known of the cluster, in a sentence.
    pub known: String,
    /// What the policies did, in the order in which they ran.
    pub steps: Vec<PolicyStep>,
    /// Seconds since the last update of the cluster; null if it does not age.
    pub context_age_seconds: Option<u32>,
    /// The verdict itself.
    pub response: Response<'r>,
}

impl<'r> VerdictExplanation<'r> {
    pub(super) fn new(
        request: &Request<'r>,
        context: &Context,
        age: Option<u32>,
        steps: Vec<PolicyStep>,
        response: Response<'r>,
    ) -> Self {
        let headline = printable(format!("{}: {}.", change(request), verdict(&response)));
        let known = printable(known(context, age));
        let mut lines = Vec::from([headline.clone(), known.clone()]);
        for step in &steps {
            lines.push(line(step));
            lines.extend(step.findings.iter().map(StepFinding::line).map(printable));
        }
        Self {
            text: lines.join("\n"),
            headline,
            known,
            steps,
            context_age_seconds: age,
            response,
        }
    }
}

/// `Update of Service shop/cart by jane`.
fn change(request: &Request<'_>) -> String {
    let what = match request.subject.operation() {
        Some(operation) => format!("{operation} of {}", request.title()),
        None => request.title(),
    };
    if request.user.is_empty() {
        what
    } else {
        format!("{what} by {}", request.user)
    }
}

fn verdict(response: &Response<'_>) -> &'static str {
    match response.record().verdict {
        "deny" => "denied",
        "warn" => "allowed, with warnings",
        _ => "allowed",
    }
}

/// Says of each policy what it found, or why it was not asked about an object of the kind.
pub(super) fn say(steps: &mut [PolicyStep], kind: &str) {
    for step in steps {
        step.said = printable(said(step, kind));
    }
}

/// What is known about the cluster.
fn known(context: &Context, age: Option<u32>) -> String {
    let (known, missing): (Vec<Kind>, Vec<Kind>) =
        Kind::ALL.into_iter().partition(|kind| context.knows(*kind));
    if known.is_empty() {
        return "Nothing is known about the cluster.".to_owned();
    }
    let counts = known.iter().map(|kind| {
        let count = context.session().count(*kind);
        counted(count, kind.as_str())
    });
    let mut text = format!(
        "Known objects of the cluster: {}",
        all(&counts.collect::<Vec<_>>())
    );
    if !missing.is_empty() {
        let names = missing.iter().map(|kind| format!("{}s", kind.as_str()));
        text.push_str(&format!("; not known: {}", all(&names.collect::<Vec<_>>())));
    }
    if let Some(age) = age {
        text.push_str(&format!("; the last update is {age} s old"));
    }
    text.push('.');
    text
}

/// Whether a policy found something, or why it was not asked.
fn said(step: &PolicyStep, kind: &str) -> String {
    let why_not = match step.standing {
        PolicyResult::Asked => return found(step),
        PolicyResult::OtherKind => {
            let kinds = step.kinds.iter().map(ToString::to_string);
            format!(
                "it checks {}, not {kind}",
                all(&kinds.collect::<Vec<_>>())
            )
        }
        PolicyResult::NotChosen => "only another policy was requested".to_owned(),
        PolicyResult::Off => "its mode here is `off`".to_owned(),
        PolicyResult::Exempt => "the user is exempt from it: as one of its `exemptUsers` or `exemptGroups`, or as the control plane".to_owned(),
        PolicyResult::Unchanged => "the update leaves what it checks as it was".to_owned(),
        PolicyResult::ApiServers => "the API servers' own Service is theirs to write".to_owned(),
        PolicyResult::NobodyWrites => {
            "it checks who writes an object, and this one already exists".to_owned()
        }
    };
    format!("not asked, because {why_not}.")
}

fn found(step: &PolicyStep) -> String {
    let found = match step.findings.len() {
        0 => "found nothing wrong",
        1 => "found one thing",
        _ => "found several things",
    };
    let looked = if step.looked_at.is_empty() {
        "it only needed the object".to_owned()
    } else {
        let kinds = step.looked_at.iter().map(|kind| format!("{kind}s"));
        format!(
            "it looked at the {} of the cluster",
            all(&kinds.collect::<Vec<_>>())
        )
    };
    format!("{found}; {looked}.")
}

/// That, with the name of the policy before it; what was found follows in lines of its own.
fn line(step: &PolicyStep) -> String {
    let mode = match (step.standing, step.mode) {
        (PolicyResult::Asked, Mode::Warn) => " (mode `warn`)",
        (PolicyResult::Asked, Mode::Audit) => " (mode `audit`)",
        _ => "",
    };
    let said = match step.findings.as_slice() {
        [] => step.said.clone(),
        _ => format!("{}:", step.said.trim_end_matches('.')),
    };
    format!("{}{mode}: {said}", step.policy)
}

/// `one, two and three`.
fn all(names: &[String]) -> String {
    listed(names, "and", usize::MAX)
}

impl ReviewSubject<'_> {
    /// The kind that policies look at; `None` if no policy looks at it.
    pub(super) const fn kind(&self) -> Option<&'static str> {
        Some(match self {
            Self::EndpointSlice(_) => "EndpointSlice",
            Self::Service(_) => "Service",
            Self::Node(_) => "Node",
            Self::Endpoints(_) => "Endpoints",
            Self::Workload(kind, _) => kind,
            Self::Scale(_) => "Scale",
            Self::Pod(_) => "Pod",
            Self::Eviction(_) => "Eviction",
            Self::Other => return None,
        })
    }

    fn operation(&self) -> Option<&'static str> {
        match self {
            Self::EndpointSlice(change) => Some(change.operation()),
            Self::Service(change) => Some(change.operation()),
            Self::Node(change) => Some(change.operation()),
            Self::Endpoints(change) => Some(change.operation()),
            Self::Workload(_, change) => Some(change.operation()),
            Self::Scale(change) => Some(change.operation()),
            Self::Pod(change) | Self::Eviction(change) => Some(change.operation()),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{
        cart, cart_slice, context, endpoints_create, http, node, node_change, request,
        service_update, slice_create,
    };
    use crate::{Asking, explain};

    fn slip() -> Request<'static> {
        service_update(
            &cart(&json!({"app": "cart"}), &http()),
            &cart(&json!({"app": "crat"}), &http()),
        )
    }

    /// The lines of an explanation that begin with that policy's name, and those of its findings.
    fn lines(
        request: &Request<'_>,
        policy: &str,
        settings: &Value,
        asking: Asking<'_>,
    ) -> Vec<String> {
        let config = json!({"policies": {policy: settings}});
        let config = serde_json::from_value(config).unwrap();
        let explanation = explain(request, &context(), &config, asking);
        let lines = explanation.text.lines();
        let lines = lines.skip_while(|line| !line.starts_with(policy));
        let is_its = |line: &&str| line.starts_with(policy) || line.starts_with("  ");
        lines.take_while(is_its).map(ToOwned::to_owned).collect()
    }

    #[test]
    fn a_change_has_an_operation_an_object_and_a_user() {
        let a1 = node("a1", None);
        let check = |request: Request<'_>, expected: &str| assert_eq!(change(&request), expected);
        check(slip(), "Update of Service shop/cart by jane");
        check(
            slice_create(&cart_slice("cart-x", &json!([]))),
            "Creation of EndpointSlice shop/cart-x by jane",
        );
        check(
            endpoints_create(&json!({"metadata": {"namespace": "shop", "name": "cart"}})),
            "Creation of Endpoints shop/cart by jane",
        );
        let mut gone = node_change(Some(&a1), None);
        gone.namespace = "".into();
        check(gone, "Deletion of Node a1 by jane");
        check(request(ReviewSubject::Other), "Service shop/x by jane");
        let mut unknown = slip();
        unknown.user = "".into();
        check(unknown, "Update of Service shop/cart");
    }

    #[test]
    fn the_headline_ends_with_the_verdict() {
        let headline = |mode: &str| {
            let config = json!({"policies": {"service-blast-radius": {"mode": mode}}});
            let config = serde_json::from_value(config).unwrap();
            explain(&slip(), &context(), &config, Asking::default()).headline
        };
        for (mode, verdict) in [
            ("enforce", "denied"),
            ("warn", "allowed, with warnings"),
            ("audit", "allowed"),
        ] {
            let expected = format!("Update of Service shop/cart by jane: {verdict}.");
            assert_eq!(headline(mode), expected);
        }
    }

    #[test]
    fn what_is_known_is_counted_by_kind_and_has_an_age() {
        assert_eq!(
            known(&context(), None),
            "Known objects of the cluster: 1 Service, 7 Pods, 1 Node and 1 EndpointSlice."
        );
        assert_eq!(
            known(&Context::default(), Some(5)),
            "Nothing is known about the cluster."
        );
        let mut context = Context::default();
        context.note_synced(Kind::Pod);
        assert_eq!(
            known(&context, Some(5)),
            "Known objects of the cluster: 0 Pods; not known: Services, Nodes and EndpointSlices; the last update is 5 s old."
        );
    }

    #[test]
    fn a_policy_says_its_mode_what_it_looked_at_and_what_it_found() {
        let check = |mode: &str, shown: &str, effect: &str| {
            let found = lines(
                &slip(),
                "service-blast-radius",
                &json!({"mode": mode}),
                Asking::default(),
            );
            let head = format!(
                "service-blast-radius{shown}: found one thing; it looked at the Pods and Nodes of the cluster:"
            );
            assert_eq!(found[0], head);
            let finding = format!(
                "  emptied ({effect}), spec.selector: all 4 ready endpoints would be removed;"
            );
            assert!(found[1].starts_with(&finding), "{}", found[1]);
            assert_eq!(found.len(), 2);
        };
        check("enforce", "", "denies");
        check("warn", " (mode `warn`)", "warns");
        check("audit", " (mode `audit`)", "noted only");
        let two = json!([{"addresses": ["x"]}, {"addresses": ["y"]}]);
        let found = lines(
            &slice_create(&cart_slice("by-hand", &two)),
            "slice-shape",
            &json!({}),
            Asking::default(),
        );
        assert_eq!(
            found[0],
            "slice-shape: found several things; it looked at the Services and EndpointSlices of the cluster:"
        );
        let sound = json!([{"addresses": ["10.1.0.3"]}]);
        let found = lines(
            &slice_create(&cart_slice("by-hand", &sound)),
            "slice-ownership",
            &json!({}),
            Asking::default(),
        );
        assert_eq!(
            found,
            ["slice-ownership: found nothing wrong; it only needed the object."]
        );
    }

    #[test]
    fn a_policy_that_was_not_asked_says_why() {
        let slice = slice_create(&cart_slice("by-hand", &json!([])));
        let only_shape = Asking {
            policy: Some("slice-shape"),
            ..Asking::default()
        };
        let at_rest = Asking {
            at_rest: true,
            ..Asking::default()
        };
        for (settings, asking, why) in [
            (json!({}), only_shape, "only another policy was requested"),
            (
                json!({"mode": "off"}),
                Asking::default(),
                "its mode here is `off`",
            ),
            (
                json!({"exemptUsers": ["jane"]}),
                Asking::default(),
                "the user is exempt from it: as one of its `exemptUsers` or `exemptGroups`, or as the control plane",
            ),
            (
                json!({}),
                at_rest,
                "it checks who writes an object, and this one already exists",
            ),
        ] {
            assert_eq!(
                lines(&slice, "slice-ownership", &settings, asking),
                [format!("slice-ownership: not asked, because {why}.")]
            );
        }
        let node = node_change(None, Some(&node("a1", None)));
        assert_eq!(
            lines(&node, "slice-shape", &json!({}), Asking::default()),
            ["slice-shape: not asked, because it checks EndpointSlice, not Node."]
        );
    }
}
