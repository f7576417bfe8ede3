//! Applies the changes that explanations offer to the objects of the input.

use serde_json::{Value, json};

use super::super::wanted::list;
use super::world::{NAMESPACE, settle};

/// The objects with the change, after the controllers have written what follows from it. `None` if the change is not
/// one of the input, such as a command to look at something.
pub(super) fn applied(
    items: &[Value],
    service: &str,
    told: &Value,
    change: &str,
    options: &Value,
) -> Option<Vec<Value>> {
    let mut changed = Objects {
        items: items.to_vec(),
        service,
        told,
    };
    let change = change.strip_prefix("or ").unwrap_or(change);
    // The condition is taken to be met.
    let change = match change.split_once(": ") {
        Some((condition, change)) if condition.trim_start_matches("or, ").starts_with("if ") => {
            change
        }
        _ => change,
    };
    let is_direct = change.starts_with("kubectl ")
        && !change.contains("annotate")
        && !change.contains("patch service");
    let is_done = match change.strip_prefix("kubectl ") {
        Some(command) => changed.command(command),
        None => changed.words(change),
    };
    is_done?;
    changed.store();
    if !is_direct {
        settle(&mut changed.items, options);
    }
    Some(changed.items)
}

struct Objects<'c> {
    items: Vec<Value>,
    service: &'c str,
    told: &'c Value,
}

impl Objects<'_> {
    fn named(&mut self, kind: &str, name: &str) -> Option<&mut Value> {
        let mut items = self.items.iter_mut();
        items.find(|item| {
            item["kind"] == kind
                && item["metadata"]["name"] == name
                && item["metadata"]["namespace"] == NAMESPACE
        })
    }

    fn service(&mut self) -> &mut Value {
        let name = self.service;
        self.named("Service", name).unwrap()
    }

    fn spec(&mut self) -> &mut Value {
        &mut self.service()["spec"]
    }

    fn command(&mut self, command: &str) -> Option<()> {
        let words: Vec<&str> = command
            .split(' ')
            .filter(|word| *word != "--overwrite")
            .collect();
        let [verb, kind, names @ ..] = words.as_slice() else {
            return None;
        };
        let kind = match *kind {
            "endpointslice" => "EndpointSlice",
            "service" => "Service",
            "endpoints" => "Endpoints",
            "pod" => "Pod",
            _ => return None,
        };
        let end = names.iter().position(|word| *word == "-n")?;
        let (names, rest) = names.split_at(end);
        assert_eq!(rest[1].trim_end_matches(','), NAMESPACE, "{command}");
        match *verb {
            "label" => {
                for name in names {
                    let object = self.named(kind, name)?;
                    for label in &rest[2..] {
                        set_label(object, label);
                    }
                }
            }
            "delete" => self.items.retain(|item| {
                item["kind"] != kind || !names.iter().any(|name| item["metadata"]["name"] == *name)
            }),
            "patch" => {
                let patch = rest.last()?.trim_matches('\'');
                let patch: Value = serde_json::from_str(patch).unwrap();
                let spec = &mut self.named(kind, names[0])?["spec"];
                for (field, value) in patch["spec"].as_object().unwrap() {
                    spec[field] = value.clone();
                }
            }
            // Also makes the controller write.
            "annotate" => {
                let annotations = &mut self.named(kind, names[0])?["metadata"]["annotations"];
                let (key, value) = rest[2].split_once('=')?;
                annotations[key] = value.into();
            }
            _ => return None,
        }
        Some(())
    }

    /// What the API server makes of the Service: families and addresses by its policy, and no field that it does not
    /// know.
    fn store(&mut self) {
        let spec = self.spec();
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

    fn words(&mut self, change: &str) -> Option<()> {
        self.selection(change)
            .or_else(|| self.ports(change))
            .or_else(|| self.metadata(change))
            .or_else(|| self.field(change))
    }

    /// The selector, or the labels that it asks for.
    fn selection(&mut self, change: &str) -> Option<()> {
        let after = |start: &str| change.split_once(start).map(|(_, rest)| rest);
        if let Some(rest) = after("set the selector to ") {
            let pairs = value(&rest.replace(',', "\u{1}"));
            let pairs = pairs
                .split('\u{1}')
                .map(|pair| pair.split_once('=').unwrap());
            self.spec()["selector"] = pairs
                .map(|(key, value)| (key.to_owned(), json!(value)))
                .collect::<serde_json::Map<_, _>>()
                .into();
        } else if let Some(rest) = after("label the pods ") {
            let labels: Vec<&str> = rest
                .split(' ')
                .take_while(|word| word.contains('='))
                .collect();
            let start = self.told["figures"]["nearest"]
                .as_str()
                .unwrap_or(self.service)
                .to_owned();
            for pod in self
                .items
                .iter_mut()
                .filter(|item| item["kind"] == "Pod" && item["metadata"]["namespace"] == NAMESPACE)
            {
                if pod["metadata"]["name"]
                    .as_str()
                    .unwrap()
                    .starts_with(&start)
                {
                    labels.iter().for_each(|label| set_label(pod, label));
                }
            }
        } else if change.starts_with("remove ") && change.ends_with(" from the selector") {
            let (pair, _) = change["remove ".len()..].split_once('=')?;
            self.spec()["selector"].as_object_mut()?.remove(pair);
        } else if let Some(rest) = change
            .strip_prefix("add ")
            .filter(|rest| rest.contains("to the selector"))
        {
            let pair = rest
                .trim_start_matches("its label ")
                .split([' ', ':'])
                .next()?;
            let (key, value) = pair.split_once('=')?;
            self.spec()["selector"][key] = value.into();
        } else {
            return None;
        }
        Some(())
    }

    fn ports(&mut self, change: &str) -> Option<()> {
        let after = |start: &str| change.split_once(start).map(|(_, rest)| rest);
        if let Some(rest) = after("set targetPort: ") {
            let old = self.told["figures"]["targetPort"].clone();
            let new = value(rest);
            let new = new
                .parse::<u16>()
                .map_or_else(|_| json!(new), |number| json!(number));
            let ports = self.spec()["ports"].as_array_mut()?;
            ports
                .iter_mut()
                .filter(|port| port["targetPort"] == old)
                .for_each(|port| port["targetPort"] = new.clone());
        } else if let Some(rest) = after("set protocol: ") {
            let protocol = value(rest);
            let names = list(&self.told["figures"]["ports"]).to_vec();
            let number = self.told["figures"]["targetPort"].clone();
            let is_it = |port: &Value| {
                names.contains(&json!(port["name"].as_str().unwrap_or_default()))
                    || (!number.is_null() && port["targetPort"] == number)
            };
            self.ports_of(rest, |port| {
                if is_it(port) {
                    port["protocol"] = protocol.clone().into()
                }
            })?;
        } else if let Some(rest) = after("and set port: ") {
            let (old, new) = (
                self.told["figures"]["port"].clone(),
                value(rest).parse::<u16>().unwrap(),
            );
            let ports = self.spec()["ports"].as_array_mut()?;
            ports
                .iter_mut()
                .filter(|port| port["port"] == old)
                .for_each(|port| port["port"] = new.into());
        } else {
            return None;
        }
        Some(())
    }

    /// An annotation or a label of the Service or its Endpoints.
    fn metadata(&mut self, change: &str) -> Option<()> {
        let after = |start: &str| change.split_once(start).map(|(_, rest)| rest);
        if let Some(rest) = after("remove the annotation ")
            .or_else(|| after("take ").filter(|rest| rest.contains(" away")))
        {
            let key = value(rest);
            for kind in ["Service", "Endpoints"] {
                let service = self.service.to_owned();
                if let Some(annotations) = self
                    .named(kind, &service)
                    .and_then(|object| object["metadata"]["annotations"].as_object_mut())
                {
                    annotations.remove(&key);
                }
            }
            if let Some(rest) = after("set spec.trafficDistribution: ") {
                self.spec()["trafficDistribution"] = value(rest).into();
            }
        } else if let Some(rest) =
            after("remove the label ").filter(|rest| value(rest).contains('/'))
        {
            let key = value(rest);
            for kind in ["Service", "Endpoints"] {
                let service = self.service.to_owned();
                if let Some(labels) = self
                    .named(kind, &service)
                    .and_then(|object| object["metadata"]["labels"].as_object_mut())
                {
                    labels.remove(&key);
                }
            }
        } else {
            return None;
        }
        Some(())
    }

    fn field(&mut self, change: &str) -> Option<()> {
        let after = |start: &str| change.split_once(start).map(|(_, rest)| rest);
        if let Some(rest) = after("set spec.") {
            let (field, rest) = rest.split_once(": ")?;
            let value = value(rest);
            if value.contains('.')
                || field.contains(' ')
                || value.chars().any(|letter| !letter.is_alphanumeric())
            {
                return None;
            }
            self.spec()[field] = value
                .parse::<bool>()
                .map_or_else(|_| json!(value), |is_set| json!(is_set));
        } else if change == "write a separate endpoint for each address" {
            let name = self.told["subject"]["name"].as_str()?.to_owned();
            let slice = self.named("EndpointSlice", &name)?;
            let endpoints = list(&slice["endpoints"]).to_vec();
            let split = endpoints.iter().flat_map(|endpoint| {
                list(&endpoint["addresses"]).iter().map(|address| {
                    let mut one = endpoint.clone();
                    one["addresses"] = json!([address]);
                    one
                })
            });
            slice["endpoints"] = split.collect();
        } else {
            return None;
        }
        Some(())
    }

    /// The ports that a change is about: `… of the slice`, `… of the Endpoints cart`, `… of the Service`.
    fn ports_of(&mut self, words: &str, mut change: impl FnMut(&mut Value)) -> Option<()> {
        let name = self.service.to_owned();
        let ports = if words.contains("of the Service") {
            &mut self.spec()["ports"]
        } else if words.contains("of the Endpoints") {
            &mut self.named("Endpoints", &name)?["subsets"][0]["ports"]
        } else {
            let slice = self.told["subject"]["name"].as_str()?.to_owned();
            &mut self.named("EndpointSlice", &slice)?["ports"]
        };
        ports.as_array_mut()?.iter_mut().for_each(&mut change);
        Some(())
    }
}

/// The first word, without what separates it from the next.
fn value(rest: &str) -> String {
    rest.split([' ', ',', ';', ')']).next().unwrap().to_owned()
}

fn set_label(object: &mut Value, label: &str) {
    match label.split_once('=') {
        Some((key, value)) => object["metadata"]["labels"][key] = value.into(),
        None => drop(
            object["metadata"]["labels"]
                .as_object_mut()
                .unwrap()
                .remove(label.trim_end_matches('-')),
        ),
    }
}
