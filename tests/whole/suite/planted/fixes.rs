//! Applies the changes that explanations offer to the objects of the input, as any client would apply them.

use serde_json::{Value, json};

use super::super::wanted::list;
use super::world::{NAMESPACE, settle};

/// The objects with the changes of a fix, after the controllers have written what follows from them. `None` if the fix
/// is no change of the input, such as a new image.
pub(super) fn applied(
    items: &[Value],
    service: &str,
    told: &Value,
    fix: &Value,
    options: &Value,
) -> Option<Vec<Value>> {
    let mut items = items.to_vec();
    let changes = list(&fix["changes"]);
    if changes.is_empty() && fix["resync"] != true {
        in_template(&mut items, told, fix["change"].as_str().unwrap())?;
    }
    changes.iter().for_each(|change| apply(&mut items, change));
    store(&mut items, service);
    // What is done to slices is seen before controllers write the next time.
    let is_of_slice = |change: &Value| change["kind"] == "EndpointSlice";
    if changes.is_empty() || !changes.iter().all(is_of_slice) {
        settle(&mut items, options);
    }
    Some(items)
}

fn apply(items: &mut Vec<Value>, change: &Value) {
    let source = change.get("copyOf").unwrap_or_else(|| &change["name"]);
    let is_it = |item: &Value| {
        item["kind"] == change["kind"]
            && item["metadata"]["name"] == *source
            && item["metadata"]["namespace"] == change["namespace"]
    };
    let place = items.iter().position(is_it);
    let place = place.unwrap_or_else(|| panic!("no such object: {change}"));
    if change["delete"] == true {
        items.remove(place);
        return;
    }
    let patch: json_patch::Patch = serde_json::from_value(change["patch"].clone()).unwrap();
    let mut item = items[place].clone();
    json_patch::patch(&mut item, &patch).unwrap_or_else(|error| panic!("{error}: {change}"));
    assert_eq!(item["metadata"]["name"], change["name"]);
    match change.get("copyOf") {
        Some(_) => items.push(item),
        None => items[place] = item,
    }
}

/// Labels in the template of pods: here, of the pods that are nearest to the selector.
fn in_template(items: &mut [Value], told: &Value, change: &str) -> Option<()> {
    let labels = change.strip_prefix("or label the pods ")?;
    let labels = labels.strip_suffix(" in their template")?;
    let nearest = list(&told["figures"]["nearest"]);
    let is_near = |item: &&mut Value| {
        item["kind"] == "Pod"
            && item["metadata"]["namespace"] == NAMESPACE
            && nearest.contains(&item["metadata"]["name"])
    };
    for pod in items.iter_mut().filter(is_near) {
        for label in labels.split(' ') {
            let (key, value) = label.split_once('=')?;
            pod["metadata"]["labels"][key] = value.into();
        }
    }
    Some(())
}

/// What the API server makes of the Service: families and addresses by its policy, and no field that it does not know.
fn store(items: &mut [Value], service: &str) {
    let mut items = items.iter_mut();
    let service = items.find(|item| {
        item["kind"] == "Service"
            && item["metadata"]["name"] == service
            && item["metadata"]["namespace"] == NAMESPACE
    });
    let spec = &mut service.unwrap()["spec"];
    let fields = spec.as_object_mut().unwrap();
    fields.remove("topologyKeys");
    if fields["clusterIP"] == "" {
        fields["clusterIP"] = "10.96.0.10".into();
        fields["clusterIPs"] = json!(["10.96.0.10"]);
    }
    let families = list(&spec["ipFamilies"]).len();
    match spec["ipFamilyPolicy"].as_str() {
        Some("SingleStack") => {
            for field in ["ipFamilies", "clusterIPs"] {
                spec[field].as_array_mut().unwrap().truncate(1);
            }
        }
        Some("PreferDualStack") if families == 1 => {
            let is_v4 = spec["ipFamilies"][0] == "IPv4";
            let (family, ip) = if is_v4 {
                ("IPv6", "fd00:96::10")
            } else {
                ("IPv4", "10.96.0.10")
            };
            spec["ipFamilies"]
                .as_array_mut()
                .unwrap()
                .push(family.into());
            spec["clusterIPs"].as_array_mut().unwrap().push(ip.into());
        }
        _ => {}
    }
}
