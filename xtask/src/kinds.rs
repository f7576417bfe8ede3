//! The fields of the Kubernetes objects that the page's editor completes, explains and checks: a JSON Schema, cut down from
//! that of `k8s-openapi` to names, types and the first sentence of each description.
//!
//! `k8s-openapi` has neither the values of its enumerations nor the well-known labels; tables add them. A value
//! that the description of its field does not mention is an error, so a new version of Kubernetes cannot leave them behind.

mod tables;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use k8s_openapi::Resource;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, ReplicaSet, StatefulSet};
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{Namespace, Node, Pod, Service};
use k8s_openapi::api::discovery::v1::EndpointSlice;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use self::tables::{ANNOTATIONS, EXAMPLES, Known, LABELS, OPAQUE, UNDESCRIBED, VALUES};
use crate::files::{say, write_if_changed};

const FILE: &str = "www/editor/kubernetes.json";

/// Descriptions are cut after this many bytes, at a word.
const LONGEST: usize = 240;

/// Writes the schema of all kinds.
pub(crate) fn kinds(root: &Path) -> Result<()> {
    let mut kinds = KindFields::default();
    kinds.add::<Service>()?;
    kinds.add::<Pod>()?;
    kinds.add::<Node>()?;
    kinds.add::<EndpointSlice>()?;
    kinds.add::<Namespace>()?;
    kinds.add::<Deployment>()?;
    kinds.add::<ReplicaSet>()?;
    kinds.add::<StatefulSet>()?;
    kinds.add::<DaemonSet>()?;
    kinds.add::<Job>()?;
    let text = kinds.finish(&source(root)?)?;
    let changed = write_if_changed(&root.join(FILE), text.as_bytes())?;
    say(&format!(
        "kinds: {FILE}, {}",
        if changed { "changed" } else { "unchanged" }
    ))
}

/// Where the fields come from, such as `k8s-openapi 0.29.0`: by this, a test knows a file of an older version.
fn source(root: &Path) -> Result<String> {
    let lock = fs::read_to_string(root.join("Cargo.lock")).context("cannot read Cargo.lock")?;
    let (_, rest) = lock
        .split_once("name = \"k8s-openapi\"\nversion = \"")
        .context("Cargo.lock has no k8s-openapi")?;
    let (version, _) = rest.split_once('"').context("Cargo.lock is cut off")?;
    Ok(format!("k8s-openapi {version}"))
}

#[derive(Default)]
struct KindFields {
    generator: SchemaGenerator,
    /// Names of the types, with the API version of each.
    roots: Vec<(&'static str, &'static str)>,
}

impl KindFields {
    fn add<K: Resource + JsonSchema>(&mut self) -> Result<()> {
        let reference = serde_json::to_value(self.generator.subschema_for::<K>())?;
        let target = reference
            .get("$ref")
            .and_then(Value::as_str)
            .context("a kind is not a definition")?;
        ensure!(
            short(target) == K::KIND,
            "{target} is not named {}",
            K::KIND
        );
        self.roots.push((K::KIND, K::API_VERSION));
        Ok(())
    }

    fn finish(mut self, source: &str) -> Result<String> {
        let mut all = Map::new();
        for (name, schema) in self.generator.take_definitions(true) {
            let name = short(&name).to_owned();
            ensure!(
                all.insert(name.clone(), schema).is_none(),
                "two types are named {name}"
            );
        }
        for (table, is_closed, is_described) in [
            (VALUES, true, true),
            (UNDESCRIBED, true, false),
            (EXAMPLES, false, false),
        ] {
            for (owner, field, values) in table {
                note(&mut all, owner, field, values, is_closed, is_described)?;
            }
        }
        for (kind, version) in &self.roots {
            let properties = all
                .get_mut(*kind)
                .and_then(|schema| schema.get_mut("properties"));
            let properties = properties
                .and_then(Value::as_object_mut)
                .with_context(|| format!("{kind} has no fields"))?;
            for (field, value) in [("apiVersion", version), ("kind", kind)] {
                let field = properties.get_mut(field).and_then(Value::as_object_mut);
                field
                    .context("an object has no kind")?
                    .insert("enum".into(), json!([value]));
            }
            let metadata = properties
                .get_mut("metadata")
                .and_then(Value::as_object_mut)
                .context("an object has no metadata")?;
            metadata.insert(
                "properties".into(),
                json!({ "labels": known(LABELS, kind), "annotations": known(ANNOTATIONS, kind) }),
            );
        }
        let mut kept = Map::new();
        for (kind, _) in &self.roots {
            keep(kind, &all, &mut kept)?;
        }
        let roots: Vec<Value> = self
            .roots
            .iter()
            .map(|(kind, _)| json!({ "$ref": format!("#/$defs/{kind}") }))
            .collect();
        // A type per line, so that a change of Kubernetes shows in a diff.
        let mut text = format!(
            "{{\n\"$comment\": \"Generated by `cargo run -p xtask --features kinds -- kinds` from {source}.\",\n"
        );
        writeln!(
            text,
            "\"oneOf\": {},\n\"$defs\": {{",
            serde_json::to_string(&roots)?
        )?;
        let lines: Vec<String> = kept
            .iter()
            .map(|(name, schema)| Ok(format!("{}: {schema}", json!(name))))
            .collect::<Result<_>>()?;
        writeln!(text, "{}\n}}\n}}", lines.join(",\n"))?;
        Ok(text)
    }
}

/// The last part of a name such as `io.k8s.api.core.v1.Service`.
fn short(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

/// Adds values to a field, or to the items of a list.
fn note(
    all: &mut Map<String, Value>,
    owner: &str,
    field: &str,
    values: &[&str],
    is_closed: bool,
    is_described: bool,
) -> Result<()> {
    let properties = all
        .get_mut(owner)
        .and_then(|schema| schema.get_mut("properties"));
    let schema = properties
        .and_then(|all| all.get_mut(field))
        .with_context(|| format!("there is no {owner}.{field}"))?;
    let description = schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if let Some(value) = values
        .iter()
        .find(|value| is_described && !description.contains(**value))
    {
        bail!("the description of {owner}.{field} does not mention {value}");
    }
    let holder = if schema.get("items").is_some() {
        schema.get_mut("items")
    } else {
        Some(schema)
    };
    let holder = holder
        .and_then(Value::as_object_mut)
        .context("a field is no object")?;
    holder.insert(
        if is_closed { "enum" } else { "examples" }.into(),
        json!(values),
    );
    Ok(())
}

/// The map of labels or annotations of a kind, with those that are known.
fn known(table: &[Known], kind: &str) -> Value {
    let of_kind = table.iter().filter(|(kinds, ..)| kinds.contains(&kind));
    let properties: Map<String, Value> = of_kind
        .map(|(_, name, values, description)| {
            let mut schema = json!({ "type": "string", "description": description });
            if let (false, Some(schema)) = (values.is_empty(), schema.as_object_mut()) {
                schema.insert("examples".into(), json!(values));
            }
            ((*name).to_owned(), schema)
        })
        .collect();
    json!({ "properties": properties })
}

/// Copies a type and those that it refers to.
fn keep(name: &str, all: &Map<String, Value>, kept: &mut Map<String, Value>) -> Result<()> {
    if kept.contains_key(name) {
        return Ok(());
    }
    let schema = all
        .get(name)
        .with_context(|| format!("there is no type {name}"))?;
    let mut cut = cut(schema);
    if let (true, Some(schema)) = (OPAQUE.contains(&name), cut.as_object_mut()) {
        schema.remove("properties");
    }
    kept.insert(name.to_owned(), cut.clone());
    let mut references = Vec::new();
    collect(&cut, &mut references);
    references
        .iter()
        .try_for_each(|reference| keep(reference, all, kept))
}

fn collect(schema: &Value, references: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
                references.push(short(reference).to_owned());
            }
            fields.values().for_each(|each| collect(each, references));
        }
        Value::Array(items) => items.iter().for_each(|each| collect(each, references)),
        _ => {}
    }
}

/// A schema without what the editor does not use.
fn cut(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else {
        return schema.clone();
    };
    let mut kept = Map::new();
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("description", Value::String(text)) => json!(sentence(text)),
            ("$ref", Value::String(name)) => json!(format!("#/$defs/{}", short(name))),
            ("properties", Value::Object(all)) => all
                .iter()
                .map(|(name, each)| (name.clone(), cut(each)))
                .collect(),
            ("items" | "additionalProperties", value) => cut(value),
            ("x-kubernetes-int-or-string", Value::Bool(true)) => {
                kept.insert("type".into(), json!(["integer", "string"]));
                continue;
            }
            ("type" | "enum" | "examples", value) => value.clone(),
            _ => continue,
        };
        kept.insert(key.clone(), value);
    }
    Value::Object(kept)
}

/// The first sentence of a description, on one line.
fn sentence(text: &str) -> String {
    let (first, _) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut kept = String::new();
    for word in first.split_whitespace() {
        if kept.len() + word.len() > LONGEST {
            return format!("{kept} …");
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
        if word.ends_with('.')
            && !matches!(word, "e.g." | "(e.g." | "i.e." | "(i.e." | "etc." | "vs.")
        {
            break;
        }
    }
    kept
}
