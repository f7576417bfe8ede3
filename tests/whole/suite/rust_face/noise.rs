//! Other things in a cluster: objects that do not concern the Service, unused fields and metadata, and the spellings of
//! "nothing".

use serde_json::{Value, json};

use crate::k8s::Plan;

/// The request among unrelated objects, and with more fields in its own objects than plans depend on.
pub(super) fn among_others(mut request: Value) -> Value {
    let service = request["service"].clone();
    let (namespace, name) = (
        service["metadata"]["namespace"].clone(),
        service["metadata"]["name"].clone(),
    );
    for (number, slice) in request["slices"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        enrich(slice, number);
    }
    for pod in request["pods"].as_array_mut().unwrap() {
        if pod["spec"].is_null() {
            pod["spec"] = json!({"containers": []});
        }
        for container in pod["spec"]["containers"].as_array_mut().unwrap() {
            container["name"] = "main".into();
            container["futureField"] = true.into();
        }
        pod["status"]["futureField"] = json!([1, {"a": null}]);
    }
    let foreign = |slice: &mut Value, number: usize| {
        *slice = request["slices"]
            .get(number)
            .cloned()
            .unwrap_or_else(|| empty_slice(&namespace, &name));
        slice["metadata"]["name"] = format!("foreign-{number}").into();
        slice["metadata"]["uid"] = format!("foreign-uid-{number}").into();
    };
    let mut others = vec![Value::Null; 4];
    others
        .iter_mut()
        .enumerate()
        .for_each(|(number, slice)| foreign(slice, number));
    others[0]["metadata"]["namespace"] = "elsewhere".into();
    others[1]["metadata"]["deletionTimestamp"] = "2026-01-02T03:04:05Z".into();
    others[2]["metadata"]["labels"]["endpointslice.kubernetes.io/managed-by"] =
        "somebody.example.com".into();
    others[3]["metadata"]["labels"]["kubernetes.io/service-name"] = "another".into();
    let slices = request["slices"].as_array_mut().unwrap();
    slices.splice(0..0, others);
    let stray = json!({
        "metadata": {"namespace": "elsewhere", "name": "pod-0", "labels": {"app": "cart"}},
        "spec": {"nodeName": "node-0", "containers": []},
        "status": {"phase": "Running", "podIP": "10.9.9.9", "podIPs": [{"ip": "10.9.9.9"}]},
    });
    request["pods"].as_array_mut().unwrap().insert(0, stray);
    request
}

fn empty_slice(namespace: &Value, service: &Value) -> Value {
    json!({
        "metadata": {
            "namespace": namespace,
            "labels": {"kubernetes.io/service-name": service, "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
        },
        "addressType": "IPv4", "endpoints": null, "ports": null,
    })
}

/// Adds metadata and fields that plans do not depend on and that updates must keep.
fn enrich(slice: &mut Value, number: usize) {
    slice["apiVersion"] = "discovery.k8s.io/v1".into();
    slice["kind"] = "EndpointSlice".into();
    slice["futureField"] = json!({"of": "a later version"});
    let metadata = &mut slice["metadata"];
    metadata["generation"] = (number + 1).into();
    metadata["creationTimestamp"] = "2026-01-01T00:00:00Z".into();
    metadata["selfLink"] = "/apis/discovery.k8s.io/v1".into();
    metadata["finalizers"] = json!(["example.com/one", "example.com/two"]);
    metadata["annotations"] = json!({
        "example.com/owner": "blue \"team\"",
        "endpoints.kubernetes.io/last-change-trigger-time": "2020-01-01T00:00:00Z",
    });
    metadata["managedFields"] = json!([{
        "manager": "kube-controller-manager", "operation": "Update", "apiVersion": "discovery.k8s.io/v1",
        "time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": {"f:endpoints": {}, "f:metadata": {".": {}}},
    }]);
}

/// The request after its plan has been applied; created slices get names as from an API server.
pub(super) fn after(request: &Value, plan: &Plan) -> Value {
    let is_named = |slice: &Value, name: &str| slice["metadata"]["name"] == name;
    let mut next = request.clone();
    let slices = next["slices"].as_array_mut().unwrap();
    slices.retain(|slice| !plan.delete.iter().any(|gone| is_named(slice, &gone.name)));
    for update in &plan.update {
        let name = update.metadata.name.as_deref().unwrap();
        let place = slices
            .iter_mut()
            .find(|slice| is_named(slice, name))
            .unwrap();
        *place = serde_json::to_value(update).unwrap();
    }
    for create in &plan.create {
        let mut slice = serde_json::to_value(create).unwrap();
        let number = slices.len();
        slice["metadata"]["name"] = format!("created-{number}").into();
        slice["metadata"]["uid"] = format!("created-uid-{number}").into();
        slice["metadata"]["resourceVersion"] = number.to_string().into();
        slices.push(slice);
    }
    next["state"] = serde_json::to_value(&plan.state).unwrap();
    next
}
