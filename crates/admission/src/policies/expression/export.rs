//! Rules as ValidatingAdmissionPolicies, which API servers evaluate themselves.
//!
//! Each rule becomes a policy of its own, with a binding for each mode that namespaces give it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde_json::{Map, Value, json};

use super::{FailurePolicy, Settings, Validation, ValidationAction};
use crate::cel::{self, Program};
use crate::expressions::Expression;
use crate::expressions::names::{NAMES, ValueSource, uses};
use crate::settings::{Mode, PolicySettings as _};
use slicewise::model::order::{gathered, sorted_unique};

/// The label that every namespace has.
const NAMESPACE_NAME: &str = "kubernetes.io/metadata.name";

/// What [`export`] made of a configuration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exported {
    /// Policies, each with its bindings after it, in the order of the rules.
    pub objects: Vec<Value>,
    /// The names of rules that API servers cannot evaluate, with the reasons.
    pub left_out: Vec<(String, String)>,
}

/// Turns the rules into ValidatingAdmissionPolicies and ValidatingAdmissionPolicyBindings.
pub fn export(settings: &Settings) -> Exported {
    let mut exported = Exported {
        objects: Vec::new(),
        left_out: Vec::new(),
    };
    for rule in &settings.validations {
        match (Export { settings, rule }).objects() {
            Ok(objects) => exported.objects.extend(objects),
            Err(why) => exported.left_out.push((rule.name.clone(), why)),
        }
    }
    exported
}

type Exporting<T> = Result<T, String>;

struct Export<'s> {
    settings: &'s Settings,
    rule: &'s Validation,
}

impl Export<'_> {
    fn objects(&self) -> Exporting<Vec<Value>> {
        let policy = self.policy()?;
        let bindings = self.bindings()?;
        if bindings.is_empty() {
            return Err("the policy is `off` everywhere".into());
        }
        Ok([policy].into_iter().chain(bindings).collect())
    }

    fn name(&self) -> String {
        format!("slicewise-{}", self.rule.name)
    }

    fn policy(&self) -> Exporting<Value> {
        let mut used = Vec::new();
        let conditions = self.conditions()?;
        let validation = self.validation(&mut used)?;
        let variables = self.variables(used)?;
        let operations: Vec<&str> = match self.rule.on.operations.as_slice() {
            [] => ["CREATE", "UPDATE"].into(),
            given => given.iter().map(String::as_str).collect(),
        };
        let rules = resource_rules(self.kinds(), &operations);
        let mut spec = json!({
            "failurePolicy": match self.settings.failure_policy {
                FailurePolicy::Fail => "Fail",
                FailurePolicy::Ignore => "Ignore",
            },
            "matchConstraints": {"resourceRules": rules},
            "validations": [validation],
        });
        for (field, list) in [("matchConditions", conditions), ("variables", variables)] {
            if !list.is_empty()
                && let Some(spec) = spec.as_object_mut()
            {
                spec.insert(field.into(), list.into());
            }
        }
        Ok(object("ValidatingAdmissionPolicy", &self.name(), &spec))
    }

    fn kinds(&self) -> impl Iterator<Item = &str> + Clone {
        self.rule.on.kinds.iter().map(String::as_str)
    }

    fn validation(&self, used: &mut Vec<String>) -> Exporting<Value> {
        let rule = self.rule;
        let expression = self.exported(&rule.expression, "expression", used)?;
        let mut validation = Map::new();
        if rule.message.contains('\n') {
            return Err("`message` has several lines, and may have one".into());
        }
        // Without a message the API server shows the expression, if that is a single line.
        if !rule.message.is_empty() {
            validation.insert("message".into(), rule.message.clone().into());
        } else if expression.trim().contains('\n') {
            validation.insert("message".into(), format!("failed rule: {}", rule.name).into());
        }
        validation.insert("expression".into(), expression.into());
        if rule.message_expression.program().is_some() {
            let message = self.exported(&rule.message_expression, "messageExpression", used)?;
            validation.insert("messageExpression".into(), message.into());
        }
        Ok(validation.into())
    }

    /// Whose changes are judged, and the conditions of the configuration.
    fn conditions(&self) -> Exporting<Vec<Value>> {
        let mut conditions = Vec::new();
        let condition = |name: &str, expression: String| json!({"name": name, "expression": expression});
        let (accounts, users): (Vec<&str>, Vec<&str>) = self
            .settings
            .exempt_users
            .iter()
            .map(String::as_str)
            .partition(|user| user.ends_with(":*"));
        if !users.is_empty() {
            let users = literal(&json!(users));
            conditions.push(condition("exempt-users", format!("!(request.userInfo.username in {users})")));
        }
        for (number, account) in (1..).zip(accounts) {
            let prefix = literal(&json!(account.trim_end_matches('*')));
            let is_other = format!("!request.userInfo.username.startsWith({prefix})");
            conditions.push(condition(&format!("exempt-accounts-{number}"), is_other));
        }
        if !self.settings.exempt_groups.is_empty() {
            let groups = literal(&json!(self.settings.exempt_groups));
            conditions.push(condition(
                "exempt-groups",
                format!("!request.userInfo.?groups.orValue([]).exists(group, group in {groups})"),
            ));
        }
        for given in &self.settings.match_conditions {
            let what = format!("match condition `{}`", given.name);
            let expression = self.readable(&given.expression, &what)?;
            let program = given.expression.program();
            if program.is_some_and(|program| program.variables().next().is_some()) {
                return Err(format!("{what} uses `variables`, which the API server has only in rules"));
            }
            if program.is_some_and(|program| uses(program, ValueSource::NamespaceObject)) {
                return Err(format!("{what} uses `namespaceObject`, which the API server has only in rules"));
            }
            let expression = match program.is_some_and(|program| uses(program, ValueSource::Params)) {
                true => Self::without_params(expression, &format!("({})", self.params()), &what)?,
                false => expression.into(),
            };
            conditions.push(condition(&given.name, expression));
        }
        Ok(conditions)
    }

    /// The variables in use and those that they use, in the order of the configuration.
    fn variables(&self, used: Vec<String>) -> Exporting<Vec<Value>> {
        let mut all: BTreeSet<String> = gathered(used);
        let mut variables = Vec::new();
        // A variable may use only those before it.
        for variable in self.settings.variables.iter().rev() {
            if !all.contains(&variable.name) {
                continue;
            }
            if variable.name == PARAMS && self.settings.params.is_given() {
                return Err("a variable is named `params`, under which the policy would have the parameters; rename it".into());
            }
            let what = format!("variable `{}`", variable.name);
            let mut more = Vec::new();
            let expression = self.exported(&variable.expression, &what, &mut more)?;
            all.extend(more);
            variables.push(json!({"name": variable.name, "expression": expression}));
        }
        if all.contains(PARAMS) && self.settings.params.is_given() {
            variables.push(json!({"name": PARAMS, "expression": self.params()}));
        }
        variables.reverse();
        Ok(variables)
    }

    /// The text of an expression, if the API server has all the values that it names.
    fn readable<'e>(&self, expression: &'e Expression, what: &str) -> Exporting<&'e str> {
        let names = expression.program().map_or(&[][..], Program::names);
        for name in names {
            match ValueSource::at(name.name, name.field) {
                Some(ValueSource::Plan(_) | ValueSource::Context(_)) => {
                    let name = NAMES.get(name.name).map_or("", |name| name.name);
                    return Err(format!("{what} uses `{name}`, which only slicewise knows"));
                }
                Some(ValueSource::Params) if !self.settings.params.is_given() => {
                    return Err(format!("{what} uses `params`, and the configuration has none"));
                }
                _ => {}
            }
        }
        Ok(expression.as_str())
    }

    /// The text of an expression of a rule for the API server; notes which variables it uses.
    fn exported(&self, expression: &Expression, what: &str, used: &mut Vec<String>) -> Exporting<String> {
        let text = self.readable(expression, what)?;
        let Some(program) = expression.program() else {
            return Ok(text.into());
        };
        used.extend(program.variables().map(String::from));
        if !uses(program, ValueSource::Params) {
            return Ok(text.into());
        }
        used.push(PARAMS.into());
        Self::without_params(text, "variables.params", what)
    }

    fn without_params(text: &str, new: &str, what: &str) -> Exporting<String> {
        cel::renamed(text, PARAMS, new)
            .ok_or_else(|| format!("{what} uses `params` also as the variable of a macro; rename that"))
    }

    /// The parameters as an expression.
    fn params(&self) -> String {
        let params = serde_json::from_str(self.settings.params.as_json());
        literal(&params.unwrap_or_default())
    }

    fn bindings(&self) -> Exporting<Vec<Value>> {
        let common = self.settings.common();
        let names = common.namespaces.iter().flat_map(|other| &other.names);
        if let Some(prefix) = names.clone().find(|name| name.ends_with('*')) {
            return Err(format!(
                "`namespaces` has the prefix `{prefix}`, and a binding selects namespaces by whole names"
            ));
        }
        let names = sorted_unique(names.map(String::as_str));
        let mut others: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in names {
            let mode = common.mode_in(name);
            if mode != common.mode {
                others.entry(mode_name(mode)).or_default().push(name);
            }
        }
        let is_namespaced = |kind: &&str| *kind != "Node";
        let namespaced = self.kinds().filter(is_namespaced);
        if namespaced.clone().next().is_none() {
            others.clear();
        }
        let selector = |operator: &str, names: &[&str]| {
            json!({"matchExpressions": [{"key": NAMESPACE_NAME, "operator": operator, "values": names}]})
        };
        let mut bindings = Vec::new();
        if let Some(action) = self.action(common.mode) {
            let elsewhere = sorted_unique(others.values().flatten().copied());
            let mut spec = json!({"policyName": self.name(), "validationActions": [action]});
            if !elsewhere.is_empty()
                && let Some(spec) = spec.as_object_mut()
            {
                let selected = json!({"namespaceSelector": selector("NotIn", &elsewhere)});
                spec.insert("matchResources".into(), selected);
            }
            bindings.push(object("ValidatingAdmissionPolicyBinding", &self.name(), &spec));
        }
        for mode in [Mode::Enforce, Mode::Warn, Mode::Audit] {
            let Some((names, action)) = others.get(mode_name(mode)).zip(self.action(mode)) else {
                continue;
            };
            // A selector of namespaces does not hold back what has none.
            let rules = resource_rules(namespaced.clone(), &["*"]);
            let spec = json!({
                "policyName": self.name(),
                "validationActions": [action],
                "matchResources": {"namespaceSelector": selector("In", names), "resourceRules": rules},
            });
            let name = format!("{}.{}", self.name(), mode_name(mode));
            bindings.push(object("ValidatingAdmissionPolicyBinding", &name, &spec));
        }
        Ok(bindings)
    }

    /// What the API server does if the rule is broken; `None` if nobody asks.
    const fn action(&self, mode: Mode) -> Option<&'static str> {
        match (mode, self.rule.action) {
            (Mode::Off, _) => None,
            (Mode::Audit, _) => Some("Audit"),
            (Mode::Enforce, ValidationAction::Deny) => Some("Deny"),
            _ => Some("Warn"),
        }
    }
}

/// The variable of a policy that holds the parameters.
const PARAMS: &str = "params";

const fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforce => "enforce",
        Mode::Warn => "warn",
        Mode::Audit => "audit",
        Mode::Off => "off",
    }
}

fn object(kind: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": name},
        "spec": spec,
    })
}

/// The resources of these kinds.
fn resource_rules<'k>(kinds: impl Iterator<Item = &'k str>, operations: &[&str]) -> Vec<Value> {
    let rules = kinds.map(|kind| {
        let (group, resources) = match kind {
            "EndpointSlice" => ("discovery.k8s.io", &["endpointslices"][..]),
            "Endpoints" => ("", &["endpoints"][..]),
            "Node" => ("", &["nodes"][..]),
            _ => ("", &["services", "services/status"][..]),
        };
        json!({"apiGroups": [group], "apiVersions": ["v1"], "operations": operations, "resources": resources})
    });
    rules.collect()
}

/// A value as an expression. The items of a literal must have one type unless they are `dyn`.
fn literal(value: &Value) -> String {
    let items = |items: Vec<String>| items.join(", ");
    let dynamic = |value: &Value| format!("dyn({})", literal(value));
    match value {
        Value::Array(list) if list.iter().all(Value::is_string) => {
            format!("[{}]", items(list.iter().map(literal).collect()))
        }
        Value::Array(list) => format!("[{}]", items(list.iter().map(dynamic).collect())),
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| {
                format!("{}: {}", Value::from(key.as_str()), dynamic(value))
            });
            format!("{{{}}}", items(entries.collect()))
        }
        // The escapes of JSON are among those of the language.
        Value::String(_) | Value::Null | Value::Bool(_) => value.to_string(),
        Value::Number(number) if number.is_f64() => {
            let text = number.to_string();
            if text.contains(['.', 'e', 'E']) { text } else { text + ".0" }
        }
        // Integers beyond the language's `int` are doubles in Kubernetes.
        Value::Number(number) if number.is_u64() && number.as_i64().is_none() => format!("{number}.0"),
        Value::Number(number) => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slicewise::model::read::read_text;

    fn exported(settings: &Value) -> Exported {
        let read: Settings = read_text(&settings.to_string()).unwrap();
        assert_eq!(read.check(), Ok(()), "{settings}");
        export(&read)
    }

    fn rule(more: &Value) -> Value {
        let mut rule = json!({"name": "no-node-ports", "expression": "object.spec.type != 'NodePort'", "on": {"kinds": ["Service"]}});
        rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        rule
    }

    #[track_caller]
    fn check_left_out(settings: &Value, expected: &str) {
        let Exported { objects, left_out } = exported(settings);
        assert!(objects.is_empty(), "{objects:?}");
        assert_eq!(left_out, [("no-node-ports".into(), expected.into())]);
    }

    #[test]
    fn what_only_slicewise_can_evaluate_is_left_out() {
        let rules = |more: &Value| json!({"validations": [rule(more)]});
        check_left_out(&rules(&json!({"expression": "plan.lost == 0"})), "expression uses `plan`, which only slicewise knows");
        check_left_out(
            &rules(&json!({"messageExpression": "string(context.known)"})),
            "messageExpression uses `context`, which only slicewise knows",
        );
        check_left_out(&rules(&json!({"message": "a\nb"})), "`message` has several lines, and may have one");
        let variable = json!([{"name": "lost", "expression": "plan.lost"}, {"name": "any", "expression": "variables.lost > 0"}]);
        check_left_out(
            &json!({"variables": variable, "validations": [rule(&json!({"expression": "variables.any"}))]}),
            "variable `lost` uses `plan`, which only slicewise knows",
        );
        check_left_out(
            &json!({"matchConditions": [{"name": "known", "expression": "context.known"}], "validations": [rule(&json!({}))]}),
            "match condition `known` uses `context`, which only slicewise knows",
        );
        check_left_out(
            &json!({"matchConditions": [{"name": "web", "expression": "namespaceObject != null"}], "validations": [rule(&json!({}))]}),
            "match condition `web` uses `namespaceObject`, which the API server has only in rules",
        );
        check_left_out(
            &json!({"namespaces": [{"names": ["dev-*"], "mode": "warn"}], "validations": [rule(&json!({}))]}),
            "`namespaces` has the prefix `dev-*`, and a binding selects namespaces by whole names",
        );
        check_left_out(
            &json!({"params": [1], "validations": [rule(&json!({"expression": "params.all(params, params > 0)"}))]}),
            "expression uses `params` also as the variable of a macro; rename that",
        );
        check_left_out(
            &json!({"validations": [rule(&json!({"expression": "params == null"}))]}),
            "expression uses `params`, and the configuration has none",
        );
        check_left_out(&json!({"mode": "off", "validations": [rule(&json!({}))]}), "the policy is `off` everywhere");
    }

    #[test]
    fn the_namespace_is_that_of_the_api_server() {
        let expression = "namespaceObject.metadata.labels.team == 'web'";
        let Exported { objects, left_out } = exported(&json!({"validations": [rule(&json!({"expression": expression}))]}));
        assert_eq!(objects[0]["spec"]["validations"][0]["expression"], expression);
        assert_eq!(left_out, []);
    }

    #[test]
    fn params_become_a_variable() {
        let params = json!({"most": 3, "teams": ["a", "b"], "share": 0.5, "deep": {"on": true, "none": null}});
        let expression = "size(object.spec.ports) <= params.most && {'params': 1}.params == 1 && 'params' != string(params.share)";
        let Exported { objects, .. } = exported(&json!({"params": params, "validations": [rule(&json!({"expression": expression}))]}));
        let spec = &objects[0]["spec"];
        assert_eq!(
            spec["variables"][0]["expression"],
            r#"{"deep": dyn({"none": dyn(null), "on": dyn(true)}), "most": dyn(3), "share": dyn(0.5), "teams": dyn(["a", "b"])}"#
        );
        assert_eq!(
            spec["validations"][0]["expression"],
            "size(object.spec.ports) <= variables.params.most && {'params': 1}.params == 1 && 'params' != string(variables.params.share)"
        );
    }

    #[test]
    fn every_mode_has_its_binding() {
        let settings = json!({
            "mode": "warn",
            "namespaces": [{"names": ["shop", "bank"], "mode": "enforce"}, {"names": ["test"], "mode": "off"}, {"names": ["dev"], "mode": "audit"}],
            "validations": [rule(&json!({"on": {"kinds": ["Service", "Node"], "operations": ["DELETE"]}}))],
        });
        let Exported { objects, .. } = exported(&settings);
        let found: Vec<String> = objects.iter().skip(1).map(|binding| {
            let spec = &binding["spec"];
            let selector = &spec["matchResources"]["namespaceSelector"]["matchExpressions"][0];
            format!("{} {} {} {}", binding["metadata"]["name"], spec["validationActions"], selector["operator"], selector["values"])
        }).collect();
        assert_eq!(found, [
            r#""slicewise-no-node-ports" ["Warn"] "NotIn" ["bank","dev","shop","test"]"#,
            r#""slicewise-no-node-ports.enforce" ["Deny"] "In" ["bank","shop"]"#,
            r#""slicewise-no-node-ports.audit" ["Audit"] "In" ["dev"]"#,
        ]);
        let rules = objects[2]["spec"]["matchResources"]["resourceRules"].to_string();
        assert!(rules.contains("services/status") && !rules.contains("nodes"), "{rules}");
    }
}
