//! `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration` (`admissionregistration.k8s.io/v1`).
//!
//! Texts are kept as they are: a value that the API server would refuse is reported by the code that uses it.

use alloc::vec::Vec;

use super::meta::ObjectMeta;
use super::object::kube_object;
use super::text::{StringMap, Text};

kube_object! {
    /// Either kind of configuration.
    pub struct WebhookConfiguration("webhook configuration") {
        /// `admissionregistration.k8s.io/v1`.
        "apiVersion" api_version: Text<'a> = always,
        /// Which of the two.
        "kind" kind: Text<'a> = always,
        /// Name, annotations.
        "metadata" metadata: ObjectMeta<'a> = always,
        /// What is called, and for what.
        "webhooks" webhooks: Vec<Webhook<'a>>,
    }
}

kube_object! {
    /// One webhook of a configuration.
    pub struct Webhook("webhook") {
        /// Its name, fully qualified.
        "name" name: Text<'a> = always,
        /// Where it is.
        "clientConfig" client: Option<ClientConfig<'a>>,
        /// What it is called for.
        "rules" rules: Vec<RuleWithOperations<'a>>,
        /// What happens to a request when it does not answer: `Ignore` or `Fail`; `Fail` when absent.
        "failurePolicy" failure_policy: Option<Text<'a>>,
        /// Whether other versions of a resource match: `Exact` or `Equivalent`; `Equivalent` when absent.
        "matchPolicy" match_policy: Option<Text<'a>>,
        /// Namespaces whose objects match.
        "namespaceSelector" namespace_selector: Option<LabelSelector<'a>>,
        /// Objects that match.
        "objectSelector" object_selector: Option<LabelSelector<'a>>,
        /// What it does besides answering: `None`, `NoneOnDryRun`, `Some` or `Unknown`.
        "sideEffects" side_effects: Option<Text<'a>>,
        /// How long the API server waits; 10 when absent.
        "timeoutSeconds" timeout_seconds: Option<i32>,
        /// Versions of AdmissionReview that it reads.
        "admissionReviewVersions" review_versions: Vec<Text<'a>>,
        /// CEL expressions that all have to hold.
        "matchConditions" match_conditions: Vec<MatchCondition<'a>>,
        /// Of mutating webhooks: `Never` or `IfNeeded`.
        "reinvocationPolicy" reinvocation_policy: Option<Text<'a>>,
    }
}

kube_object! {
    /// Where a webhook is.
    pub struct ClientConfig("WebhookClientConfig") {
        /// By URL.
        "url" url: Option<Text<'a>>,
        /// By Service.
        "service" service: Option<ServiceReference<'a>>,
        /// Base64 of the PEM certificates that its own must be signed by.
        "caBundle" ca_bundle: Option<Text<'a>>,
    }
}

kube_object! {
    /// The Service in front of a webhook.
    pub struct ServiceReference("ServiceReference") {
        /// Its namespace.
        "namespace" namespace: Text<'a> = always,
        /// Its name.
        "name" name: Text<'a> = always,
        /// Path of the URL.
        "path" path: Option<Text<'a>>,
        /// Port; 443 when absent.
        "port" port: Option<i32>,
    }
}

kube_object! {
    /// Operations on resources.
    pub struct RuleWithOperations("RuleWithOperations") {
        /// `CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `*`.
        "operations" operations: Vec<Text<'a>>,
        /// Groups, or `*`.
        "apiGroups" api_groups: Vec<Text<'a>>,
        /// Versions, or `*`.
        "apiVersions" api_versions: Vec<Text<'a>>,
        /// `pods`, `pods/status`, `pods/*`, `*/scale`, `*`, `*/*`.
        "resources" resources: Vec<Text<'a>>,
        /// `Cluster`, `Namespaced`, or `*`, which it is when absent.
        "scope" scope: Option<Text<'a>>,
    }
}

kube_object! {
    /// A selector of labels. An empty one selects everything.
    pub struct LabelSelector("LabelSelector") {
        /// Labels with their values.
        "matchLabels" match_labels: StringMap<'a>,
        /// What else has to hold of labels.
        "matchExpressions" match_expressions: Vec<LabelRequirement<'a>>,
    }
}

kube_object! {
    /// What has to hold of one label.
    pub struct LabelRequirement("LabelSelectorRequirement") {
        /// The label.
        "key" key: Text<'a> = always,
        /// `In`, `NotIn`, `Exists`, `DoesNotExist`.
        "operator" operator: Text<'a> = always,
        /// For the first two.
        "values" values: Vec<Text<'a>>,
    }
}

kube_object! {
    /// A CEL expression on a request.
    pub struct MatchCondition("MatchCondition") {
        /// Its name.
        "name" name: Text<'a> = always,
        /// What has to be true.
        "expression" expression: Text<'a> = always,
    }
}

impl Webhook<'_> {
    /// Does the API server refuse a request if the webhook does not answer?
    pub fn fails_closed(&self) -> bool {
        self.failure_policy
            .as_ref()
            .is_none_or(|policy| *policy == "Fail")
    }
}

impl LabelSelector<'_> {
    /// Does it select everything?
    pub fn is_empty(&self) -> bool {
        self.match_labels.iter().len() == 0 && self.match_expressions.is_empty()
    }
}
