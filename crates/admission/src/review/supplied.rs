//! A review whose view of the cluster is fetched while it is judged, for callers that keep no state between reviews.
//!
//! Policies declare what they want to know, so no caller has to keep a list of what each of them reads.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Reviewer;
use super::request::read_request;
use crate::{Age, Asking, ClusterView, Context, Response, ReviewSubject, judge};
use slicewise::Error;
use slicewise::api::{Limits, input};
use slicewise::model::kind::Kind;
use slicewise::model::read::tree::Tree;
use slicewise::model::text::{cut, printable};
use slicewise::model::{EndpointSlice, Node, Pod, Service};
use slicewise_json::LayoutMemory;
use slicewise_live::json::AppliedEvents;
use slicewise_live::json::intake::take_events;

/// All objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WantedObjectsOfKind<'w> {
    /// The kind.
    pub kind: Kind,
    /// The namespace of the objects; `None` for the whole cluster.
    pub namespace: Option<&'w str>,
}

impl WantedObjectsOfKind<'_> {
    /// The fields that are read: paths joined by dots, where those of list items are merged. Empty if all fields are
    /// read.
    pub fn fields(&self) -> Vec<String> {
        let read = match self.kind {
            Kind::Service => Tree::of::<Service<'_>>(),
            Kind::Pod => Tree::of::<Pod<'_>>(),
            Kind::Node => Tree::of::<Node<'_>>(),
            Kind::EndpointSlice => Tree::of::<EndpointSlice<'_>>(),
        };
        read.paths()
    }
}

/// What a policy wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers must supply all of them")]
pub enum Wanted<'w> {
    /// All objects of a kind, as a list or events.
    All(WantedObjectsOfKind<'w>),
    /// The Namespace of this name, as an object.
    Namespace(&'w str),
}

/// Returns what is wanted, or says why it is not available.
pub type Supply<'s> = dyn FnMut(Wanted<'_>) -> Result<Vec<u8>, String> + 's;

impl Reviewer {
    /// Like [`Reviewer::review`], but over objects that are supplied for this review alone. Each kind is requested at
    /// most once, and only if an enabled policy wants to know it. What is not supplied, or cannot be read, is unknown:
    /// policies then follow their `whenStale`, and the audit annotation `context` gives the reason.
    ///
    /// # Errors
    /// Same as [`Reviewer::review`].
    pub fn review_supplied<'r>(
        &self,
        review: &'r [u8],
        limits: Limits,
        supply: &mut Supply<'_>,
    ) -> Result<Response<'r>, Error> {
        let is_whole = self.reads_whole_objects();
        let request = read_request(review, is_whole, &mut LayoutMemory::default())?;
        let namespace = match &request.subject {
            ReviewSubject::Node(_) | ReviewSubject::Other => None,
            _ => Some(request.namespace.as_str()),
        };
        let mut context = Context::default();
        let mut memory = LayoutMemory::default();
        let mut tried: Vec<Kind> = Vec::new();
        let mut namespace_tried = false;
        let mut refusals: Vec<String> = Vec::new();
        let age = Age {
            is_watched: true,
            ..Age::default()
        };
        loop {
            let cluster = ClusterView::new(&context, &request.namespace, age);
            let mut response = judge(&request, &cluster, &self.config, Asking::default());
            let lacks = cluster.lacks().filter(|kind| !tried.contains(kind));
            let lacks: Vec<Kind> = lacks.collect();
            let lacks_namespace = !namespace_tried && cluster.lacks_namespace();
            let is_writer = cluster.writers().writing().next().is_some();
            if lacks.is_empty() && !lacks_namespace {
                if !refusals.is_empty() {
                    let annotations = &mut response.audit_annotations;
                    annotations.insert("context", printable(refusals.join("; ")));
                }
                return Ok(response);
            }
            if lacks_namespace {
                namespace_tried = true;
                let supplied = supply(Wanted::Namespace(&request.namespace))
                    .and_then(|object| take_namespace(&object, limits, &mut context));
                if let Err(why) = supplied {
                    refusals.push(format!("no Namespace: {}", cut(&why, LONGEST_REASON)));
                }
            }
            for kind in lacks {
                tried.push(kind);
                // Nodes have no namespace; and a writer must not lead traffic to pods of others.
                let is_cluster_wide = kind == Kind::Node || kind == Kind::Pod && is_writer;
                let namespace = namespace.filter(|_| !is_cluster_wide);
                let wanted = Wanted::All(WantedObjectsOfKind { kind, namespace });
                let supplied = supply(wanted)
                    .and_then(|list| take(&list, kind, limits, &mut memory, &mut context));
                if let Err(why) = supplied {
                    refusals.push(format!(
                        "no {}s: {}",
                        kind.as_str(),
                        cut(&why, LONGEST_REASON)
                    ));
                }
            }
        }
    }
}

/// In characters.
const LONGEST_REASON: usize = 200;

fn take(
    list: &[u8],
    kind: Kind,
    limits: Limits,
    memory: &mut LayoutMemory,
    context: &mut Context,
) -> Result<(), String> {
    let mut applied = AppliedEvents::default();
    let taken = take_events(list, limits, memory, context, &mut applied);
    context.settle();
    taken.map_err(|error| told(&error))?;
    if context.knows(kind) {
        Ok(())
    } else {
        Err("this is not a list of them".into())
    }
}

fn take_namespace(object: &[u8], limits: Limits, context: &mut Context) -> Result<(), String> {
    let text = input::text(object, limits).map_err(|error| told(&error))?;
    let set = context.namespaces.set(text);
    set.map_err(|error| told(&error))
}

fn told(error: &Error) -> String {
    let path = error.path().unwrap_or_default();
    format!("{} at `{path}`: {}", error.code().as_str(), error.message())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn object(kind: &str, name: &str, more: &Value) -> Value {
        let mut object = json!({"kind": kind, "apiVersion": "v1", "metadata": {"namespace": "shop", "name": name}});
        for (key, value) in more.as_object().unwrap() {
            object[key] = value.clone();
        }
        object
    }

    fn cart(app: &str) -> Value {
        let spec = json!({"selector": {"app": app}, "ports": [{"name": "http", "targetPort": 80}], "clusterIP": "10.0.0.1"});
        object("Service", "cart", &json!({"spec": spec}))
    }

    fn node(zone: &str) -> Value {
        let labels = json!({"topology.kubernetes.io/zone": zone});
        json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n", "labels": labels}, "status": {"allocatable": {"cpu": "4"}}})
    }

    fn slice(address: &str) -> Value {
        let mut slice = object(
            "EndpointSlice",
            "by-hand",
            &json!({"addressType": "IPv4", "endpoints": [{"addresses": [address]}], "ports": [{"name": "http", "port": 80}]}),
        );
        slice["apiVersion"] = json!("discovery.k8s.io/v1");
        slice["metadata"]["labels"] = json!({"kubernetes.io/service-name": "cart"});
        slice
    }

    fn review(old: &Value, new: &Value) -> String {
        let (version, kind) = (new["apiVersion"].as_str().unwrap(), &new["kind"]);
        let group = version.rsplit_once('/').map_or("", |(group, _)| group);
        let operation = if old.is_null() { "CREATE" } else { "UPDATE" };
        json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "request": {
                "uid": "u", "kind": {"group": group, "version": "v1", "kind": kind}, "operation": operation,
                "name": new["metadata"]["name"], "namespace": new["metadata"]["namespace"], "object": new, "oldObject": old
            }
        })
        .to_string()
    }

    /// All objects of a kind, as an API server lists them.
    fn list(kind: Kind) -> Vec<u8> {
        let status = json!({"podIPs": [{"ip": "10.1.0.1"}], "conditions": [{"type": "Ready", "status": "True"}]});
        let labels = json!({"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}});
        let items = match kind {
            Kind::Service => json!([cart("cart")]),
            Kind::Pod => json!([{"metadata": labels, "spec": {"nodeName": "n"}, "status": status}]),
            Kind::Node => json!([node("a")]),
            Kind::EndpointSlice => json!([]),
        };
        let version = if kind == Kind::EndpointSlice {
            "discovery.k8s.io/v1"
        } else {
            "v1"
        };
        let list = format!("{}List", kind.as_str());
        json!({"kind": list, "apiVersion": version, "metadata": {}, "items": items})
            .to_string()
            .into_bytes()
    }

    struct Answered {
        response: Value,
        wanted: Vec<(Kind, Option<String>)>,
    }

    fn answered(
        config: &str,
        review: &str,
        supply: impl Fn(Kind) -> Result<Vec<u8>, String>,
    ) -> Answered {
        let reviewer = Reviewer::new(config.as_bytes()).unwrap();
        let mut wanted = Vec::new();
        let mut supply = |each: Wanted<'_>| {
            let Wanted::All(each) = each else {
                return Err("no Namespaces here".into());
            };
            wanted.push((each.kind, each.namespace.map(Into::into)));
            supply(each.kind)
        };
        let response = reviewer
            .review_supplied(review.as_bytes(), Limits::default(), &mut supply)
            .unwrap();
        let response = serde_json::to_value(response).unwrap();
        Answered { response, wanted }
    }

    #[track_caller]
    fn check_wanted(config: &str, review: &str, expected: &[(Kind, Option<&str>)]) {
        let Answered { response, wanted } = answered(config, review, |kind| Ok(list(kind)));
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(kind, namespace)| (*kind, namespace.as_deref()))
            .collect();
        assert_eq!(wanted, expected);
        let mut known = Reviewer::new(config.as_bytes()).unwrap();
        for kind in Kind::ALL {
            known.apply(&list(kind), Limits::default()).unwrap();
        }
        let known = known.review(review.as_bytes(), Asking::default()).unwrap();
        let known: Value = serde_json::from_slice(&known).unwrap();
        assert_eq!(response, known["response"]);
    }

    #[test]
    fn only_what_policies_that_are_on_want_to_know() {
        let shop = Some("shop");
        let slip = review(&cart("cart"), &cart("crat"));
        check_wanted("", &slip, &[(Kind::Pod, shop), (Kind::Node, None)]);
        check_wanted("", &review(&cart("cart"), &cart("cart")), &[]);
        let off = r#"{"policies": {"service-blast-radius": {"mode": "off"}, "service-traffic": {"mode": "off"}}}"#;
        check_wanted(off, &slip, &[]);
        check_wanted(
            "",
            &review(&node("a"), &node("b")),
            &[(Kind::Service, None), (Kind::Node, None)],
        );
        let by_hand = review(&Value::Null, &slice("203.0.113.7"));
        check_wanted(
            "",
            &by_hand,
            &[
                (Kind::Service, shop),
                (Kind::Pod, shop),
                (Kind::EndpointSlice, shop),
            ],
        );
        let addresses =
            r#"{"policies": {"slice-shape": {"mode": "off"}, "slice-hints": {"mode": "off"}}}"#;
        check_wanted(addresses, &by_hand, &[(Kind::Pod, shop)]);
    }

    /// Pods of the whole cluster are a long list.
    #[test]
    fn pods_are_wanted_for_a_node_only_if_a_service_requests_hints() {
        let mut hinted = cart("cart");
        hinted["spec"]["trafficDistribution"] = json!("PreferSameZone");
        let services =
            json!({"kind": "ServiceList", "apiVersion": "v1", "metadata": {}, "items": [hinted]});
        let mut bare = node("a");
        bare["metadata"]["labels"] = json!({});
        let Answered { response, wanted } =
            answered("", &review(&node("a"), &bare), |kind| match kind {
                Kind::Service => Ok(services.to_string().into_bytes()),
                kind => Ok(list(kind)),
            });
        let kinds: Vec<Kind> = wanted.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, [Kind::Service, Kind::Node, Kind::Pod]);
        let warnings = response["warnings"].to_string();
        assert!(
            warnings.contains("node-topology/zone-missing"),
            "{warnings}"
        );
    }

    #[test]
    fn what_is_not_supplied_is_not_known_and_the_reason_is_told() {
        let slip = review(&cart("cart"), &cart("crat"));
        let refusing = |kind| match kind {
            Kind::Pod => Err("forbidden\u{1b}[31m".into()),
            kind => Ok(list(kind)),
        };
        let Answered { response, wanted } = answered("", &slip, refusing);
        assert_eq!(wanted.len(), 2);
        let message =
            "service-blast-radius/not-checked: Service shop/cart: the cluster's Pods are unknown";
        assert!(
            response["warnings"][0]
                .as_str()
                .unwrap()
                .starts_with(message)
        );
        assert_eq!(
            response["auditAnnotations"]["context"],
            "no Pods: forbidden\\u{1b}[31m"
        );
        let deny = r#"{"policies": {"service-blast-radius": {"whenStale": "deny"}}}"#;
        assert_eq!(answered(deny, &slip, refusing).response["allowed"], false);
    }

    #[test]
    fn the_namespace_of_the_request_is_supplied_if_a_rule_reads_it() {
        let rule = json!({"name": "team", "expression": "namespaceObject.metadata.labels.team == 'web'",
            "on": {"kinds": ["Service"]}});
        let config = json!({"policies": {"expression": {"validations": [rule]}}}).to_string();
        let reviewer = Reviewer::new(config.as_bytes()).unwrap();
        let same = review(&Value::Null, &cart("cart"));
        let supplied = |object: Result<Vec<u8>, String>| {
            let mut asked = 0;
            let response =
                reviewer.review_supplied(same.as_bytes(), Limits::default(), &mut |wanted| {
                    match wanted {
                        Wanted::Namespace("shop") => {
                            asked += 1;
                            object.clone()
                        }
                        Wanted::All(wanted) => Ok(list(wanted.kind)),
                        Wanted::Namespace(other) => panic!("{other}"),
                    }
                });
            let response = serde_json::to_value(response.unwrap()).unwrap();
            assert_eq!(asked, 1);
            response
        };
        let of = |team: &str| json!({"kind": "Namespace", "metadata": {"name": "shop", "labels": {"team": team}}});
        assert_eq!(
            supplied(Ok(of("web").to_string().into_bytes()))["warnings"],
            Value::Null
        );
        assert_eq!(
            supplied(Ok(of("db").to_string().into_bytes()))["allowed"],
            false
        );
        let told = supplied(Err("forbidden".into()));
        assert_eq!(
            told["auditAnnotations"]["context"],
            "no Namespace: forbidden"
        );
        assert!(
            told["warnings"][0]
                .as_str()
                .unwrap()
                .contains("expression/not-checked"),
            "{told}"
        );
        let told = supplied(Ok(b"{}".to_vec()));
        let why = "no Namespace: MissingField at `/metadata/name`: a Namespace has a name";
        assert_eq!(told["auditAnnotations"]["context"], why);
    }

    #[test]
    fn answers_that_are_no_lists() {
        let slip = review(&cart("cart"), &cart("crat"));
        for (answer, why) in [
            (&b"{}"[..], "MissingField at"),
            (b"", "InvalidJson at"),
            (
                b"{\"kind\": \"ServiceList\", \"apiVersion\": \"v1\", \"items\": []}",
                "this is not a list of them",
            ),
            (
                b"{\"kind\": \"PodList\", \"metadata\": {\"continue\": \"x\"}, \"items\": []}",
                "InvalidValue at `/metadata/continue`",
            ),
            (&[b' '; 65], "TooLarge at"),
        ] {
            let reviewer = Reviewer::new(b"").unwrap();
            let limits = Limits::new(64);
            let mut supply = |wanted: Wanted<'_>| match wanted {
                Wanted::All(WantedObjectsOfKind {
                    kind: Kind::Pod, ..
                }) => Ok(answer.to_vec()),
                Wanted::All(WantedObjectsOfKind { kind, .. }) => Ok(list(kind)),
                Wanted::Namespace(name) => panic!("{name}"),
            };
            let limits = if answer.len() > 64 && answer[0] == b' ' {
                limits
            } else {
                Limits::default()
            };
            let response = reviewer
                .review_supplied(slip.as_bytes(), limits, &mut supply)
                .unwrap();
            let context = response.audit_annotations.get("context").unwrap();
            assert!(context.starts_with(&format!("no Pods: {why}")), "{context}");
            assert!(!response.warnings.is_empty());
        }
    }
}
