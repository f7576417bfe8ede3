//! `ValidatingWebhookConfiguration` and `MutatingWebhookConfiguration` (`admissionregistration.k8s.io/v1`).
//!
//! Texts are kept as they are: a value that the API server would refuse is reported by the code that uses it.

use alloc::vec::Vec;

use slicewise::kube_object;
use slicewise::model::{ObjectMeta, StringMap, Text};

kube_object! {
    /// A MutatingWebhookConfiguration or ValidatingWebhookConfiguration.
    pub struct WebhookConfiguration("webhook configuration") {
        /// `admissionregistration.k8s.io/v1`.
        "apiVersion" api_version: Text<'a> = always,
        /// The kind of configuration.
        "kind" kind: Text<'a> = always,
        /// Standard object metadata.
        "metadata" metadata: ObjectMeta<'a> = always,
        /// The webhooks.
        "webhooks" webhooks: Vec<Webhook<'a>>,
    }
}

kube_object! {
    /// One webhook of a configuration.
    pub struct Webhook("webhook") {
        /// The fully qualified name.
        "name" name: Text<'a> = always,
        /// How to reach the webhook.
        "clientConfig" client: Option<ClientConfig<'a>>,
        /// The operations and resources that it is called for.
        "rules" rules: Vec<RuleWithOperations<'a>>,
        /// What happens to a request if the webhook fails: `Ignore` or `Fail`. Default `Fail`.
        "failurePolicy" failure_policy: Option<Text<'a>>,
        /// Whether other versions of a resource match: `Exact` or `Equivalent`. Default `Equivalent`.
        "matchPolicy" match_policy: Option<Text<'a>>,
        /// Selects the namespaces whose objects match.
        "namespaceSelector" namespace_selector: Option<LabelSelector<'a>>,
        /// Selects the objects that match.
        "objectSelector" object_selector: Option<LabelSelector<'a>>,
        /// Whether the webhook has side effects: `None`, `NoneOnDryRun`, `Some` or `Unknown`.
        "sideEffects" side_effects: Option<Text<'a>>,
        /// How long the API server waits for an answer, in seconds. Default 10.
        "timeoutSeconds" timeout_seconds: Option<i32>,
        /// The versions of AdmissionReview that the webhook accepts.
        "admissionReviewVersions" review_versions: Vec<Text<'a>>,
        /// CEL expressions that must all be true.
        "matchConditions" match_conditions: Vec<MatchCondition<'a>>,
        /// Only for mutating webhooks: `Never` or `IfNeeded`.
        "reinvocationPolicy" reinvocation_policy: Option<Text<'a>>,
    }
}

kube_object! {
    /// How to reach a webhook.
    pub struct ClientConfig("WebhookClientConfig") {
        /// The URL.
        "url" url: Option<Text<'a>>,
        /// The Service.
        "service" service: Option<ServiceReference<'a>>,
        /// The PEM certificates of the CAs that sign the webhook's certificate, base64 encoded.
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
        /// The path of the URL.
        "path" path: Option<Text<'a>>,
        /// The port. Default 443.
        "port" port: Option<i32>,
    }
}

kube_object! {
    /// Operations on resources.
    pub struct RuleWithOperations("RuleWithOperations") {
        /// `CREATE`, `UPDATE`, `DELETE`, `CONNECT`, or `*`.
        "operations" operations: Vec<Text<'a>>,
        /// API groups, or `*`.
        "apiGroups" api_groups: Vec<Text<'a>>,
        /// API versions, or `*`.
        "apiVersions" api_versions: Vec<Text<'a>>,
        /// `pods`, `pods/status`, `pods/*`, `*/scale`, `*`, `*/*`.
        "resources" resources: Vec<Text<'a>>,
        /// `Cluster`, `Namespaced` or `*`. Default `*`.
        "scope" scope: Option<Text<'a>>,
    }
}

kube_object! {
    /// A label selector. An empty one selects everything.
    pub struct LabelSelector("LabelSelector") {
        /// Labels and the values they must have.
        "matchLabels" match_labels: StringMap<'a>,
        /// Further requirements for labels.
        "matchExpressions" match_expressions: Vec<LabelRequirement<'a>>,
    }
}

kube_object! {
    /// A requirement for one label.
    pub struct LabelRequirement("LabelSelectorRequirement") {
        /// The label.
        "key" key: Text<'a> = always,
        /// `In`, `NotIn`, `Exists`, `DoesNotExist`.
        "operator" operator: Text<'a> = always,
        /// The values, for `In` and `NotIn`.
        "values" values: Vec<Text<'a>>,
    }
}

kube_object! {
    /// A CEL expression on a request.
    pub struct MatchCondition("MatchCondition") {
        /// Its name.
        "name" name: Text<'a> = always,
        /// The expression that must be true.
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
