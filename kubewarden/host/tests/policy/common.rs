//! The policy, the cluster, and reviews of changes to it; and the core's answers natively.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use slicewise::api::Limits;
use slicewise_admission::policies::NAMES;
use slicewise_admission::{Asking, Reviewer};
use slicewise_kubewarden_host::{Answer, Cluster, Granted, Policy};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The policy as released; `cargo xtask kubewarden` builds it.
pub(crate) static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let file = root().join("pkg/kubewarden/policy.wasm");
    let module =
        fs::read(&file).expect("`cargo xtask kubewarden` builds pkg/kubewarden/policy.wasm");
    Policy::compile(&module).unwrap()
});

pub(crate) fn granted() -> Granted {
    Granted::read(&fs::read_to_string(root().join("kubewarden/metadata.yml")).unwrap()).unwrap()
}

/// The sample cluster of the repository, of which the policy may see what its metadata list.
pub(crate) fn cluster() -> Cluster {
    let list = fs::read_to_string(root().join("samples/cluster-at-rest.json")).unwrap();
    Cluster::read(&list, granted()).unwrap()
}

/// The same cluster, with no access for the policy.
pub(crate) fn forbidden() -> Cluster {
    let list = fs::read_to_string(root().join("samples/cluster-at-rest.json")).unwrap();
    Cluster::read(&list, Granted::default()).unwrap()
}

/// An object of the cluster; a Node has no namespace.
pub(crate) fn object(kind: &str, namespace: &str, name: &str) -> Value {
    static CLUSTER: LazyLock<Cluster> = LazyLock::new(cluster);
    let is_it = |object: &&Value| {
        let metadata = &object["metadata"];
        let of_namespace = metadata["namespace"].as_str().unwrap_or_default() == namespace;
        object["kind"] == kind
            && of_namespace
            && metadata["name"].as_str().unwrap().starts_with(name)
    };
    CLUSTER.objects().iter().find(is_it).unwrap().clone()
}

/// The object after a JSON merge patch.
pub(crate) fn patched(mut object: Value, patch: &Value) -> Value {
    merge(&mut object, patch);
    object
}

fn merge(object: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *object = patch.clone();
        return;
    };
    if !object.is_object() {
        *object = json!({});
    }
    for (key, value) in patch {
        if value.is_null() {
            object.as_object_mut().unwrap().remove(key);
        } else {
            merge(&mut object[key], value);
        }
    }
}

/// The request that an API server would send for a change: `null` means that there is no object.
pub(crate) fn request(user: &str, old: &Value, new: &Value) -> Value {
    let object = if new.is_null() { old } else { new };
    let version = object["apiVersion"].as_str().unwrap();
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    let operation = match (old.is_null(), new.is_null()) {
        (true, _) => "CREATE",
        (false, true) => "DELETE",
        (false, false) => "UPDATE",
    };
    let kind = object["kind"].as_str().unwrap();
    json!({
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": {"group": group, "version": version, "kind": kind},
        "resource": {"group": group, "version": version, "resource": format!("{}s", kind.to_lowercase())},
        "name": object["metadata"]["name"], "namespace": object["metadata"]["namespace"],
        "operation": operation, "userInfo": {"username": user, "groups": ["system:authenticated"]},
        "object": new, "oldObject": old, "dryRun": false, "options": {"kind": "UpdateOptions"}
    })
}

/// A typo in the selector of `Service shop/cart`, which leaves it without endpoints.
pub(crate) fn slip() -> Value {
    let cart = object("Service", "shop", "cart");
    let slip = patched(
        cart.clone(),
        &json!({"spec": {"selector": {"app": "crat"}}}),
    );
    request("jane", &cart, &slip)
}

/// Settings that enable only one policy, with these options.
pub(crate) fn only(policy: &str, settings: &Value) -> Value {
    let off = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), json!({"mode": "off"})));
    let mut policies: serde_json::Map<String, Value> = off.collect();
    policies.insert(policy.to_owned(), settings.clone());
    json!({"policies": policies})
}

/// Wraps a request in an AdmissionReview.
pub(crate) fn review(request: &[u8]) -> Vec<u8> {
    let head = br#"{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":"#;
    [&head[..], request, b"}"].concat()
}

/// The core's native answer, with the lists of a cluster that is known completely or not at all.
pub(crate) struct Native {
    lists: Vec<Vec<u8>>,
}

impl Native {
    pub(crate) fn of(cluster: Option<&Cluster>) -> Self {
        let kinds = [
            ("Service", "v1"),
            ("Pod", "v1"),
            ("Node", "v1"),
            ("EndpointSlice", "discovery.k8s.io/v1"),
        ];
        let lists = cluster.into_iter().flat_map(|cluster| {
            kinds.map(|(kind, version)| {
                let of_kind = cluster
                    .objects()
                    .iter()
                    .filter(|object| object["kind"] == kind);
                let items: Vec<_> = of_kind.collect();
                let kind = format!("{kind}List");
                json!({"apiVersion": version, "kind": kind, "items": items})
                    .to_string()
                    .into_bytes()
            })
        });
        Self {
            lists: lists.collect(),
        }
    }

    pub(crate) fn answer(
        &self,
        request: &[u8],
        settings: &[u8],
    ) -> Result<Answer, slicewise::Error> {
        let mut reviewer = Reviewer::new(settings)?;
        for list in &self.lists {
            reviewer.apply(list, Limits::default())?;
        }
        let mut asking = Asking::default();
        // The policy asks a cluster that does not answer.
        asking.age = self.lists.is_empty().then_some(0);
        let answer = reviewer.review(&review(request), asking)?;
        let response = &serde_json::from_slice::<Value>(&answer).unwrap()["response"];
        Ok(serde_json::from_value(json!({
            "accepted": response["allowed"],
            "message": response["status"]["message"],
            "code": response["status"]["code"],
            "warnings": response["warnings"],
            "audit_annotations": response["auditAnnotations"],
        }))
        .unwrap())
    }
}

/// The policy's answer in its host.
pub(crate) fn answer(request: &Value, settings: &Value, cluster: &Arc<Cluster>) -> Answer {
    let (request, settings) = (request.to_string(), settings.to_string());
    POLICY
        .validate(request.as_bytes(), settings.as_bytes(), cluster)
        .unwrap()
}
