//! The JSON Schema of a declared object, derived from the declaration that reads it.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{RangeFrom, RangeInclusive};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Value, json};

/// A field, as declared.
pub struct DescribedField {
    /// Its name in JSON.
    pub key: &'static str,
    /// The lines of its documentation.
    pub doc: &'static str,
    /// Is it an error to leave it out?
    pub is_required: bool,
    /// Its default, if that can be written.
    pub default: Option<Value>,
    /// Constraints that its type does not express.
    pub limit: Option<Limit>,
}

/// A constraint on a value that its type does not express.
pub enum Limit {
    Range(u32, Option<u32>),
    Pattern(&'static str),
    OneOf(Vec<&'static str>),
}

impl From<RangeInclusive<u32>> for Limit {
    fn from(range: RangeInclusive<u32>) -> Self {
        Self::Range(*range.start(), Some(*range.end()))
    }
}

impl From<RangeFrom<u32>> for Limit {
    fn from(range: RangeFrom<u32>) -> Self {
        Self::Range(range.start, None)
    }
}

impl From<&'static str> for Limit {
    fn from(pattern: &'static str) -> Self {
        Self::Pattern(pattern)
    }
}

impl<const N: usize> From<[&'static str; N]> for Limit {
    fn from(names: [&'static str; N]) -> Self {
        Self::OneOf(names.to_vec())
    }
}

impl Limit {
    fn apply(self, schema: &mut Schema, is_required: bool) {
        match self {
            Self::Range(least, most) => {
                schema.insert("minimum".into(), least.into());
                if let Some(most) = most {
                    schema.insert("maximum".into(), most.into());
                }
            }
            Self::Pattern(pattern) => {
                schema.insert("pattern".into(), pattern.into());
            }
            Self::OneOf(names) => {
                let names = names.into_iter().map(Value::from);
                let null = (!is_required).then_some(Value::Null);
                schema.insert("enum".into(), names.chain(null).collect());
            }
        }
    }
}

/// The schema of an object without its fields.
pub fn object(doc: &str, refuses_others: bool) -> Schema {
    let mut schema = json_schema!({"type": "object"});
    describe(&mut schema, doc);
    schema.insert("properties".into(), json!({}));
    if refuses_others {
        schema.insert("additionalProperties".into(), false.into());
    }
    schema
}

/// Adds a field with the JSON form of a `T`. An optional field may also be `null`.
pub fn field<T: JsonSchema>(
    object: &mut Schema,
    generator: &mut SchemaGenerator,
    field: DescribedField,
) {
    let mut schema = if field.is_required {
        generator.subschema_for::<T>()
    } else {
        generator.subschema_for::<Option<T>>()
    };
    describe(&mut schema, field.doc);
    if let Some(default) = field.default {
        schema.insert("default".into(), default);
    }
    if let Some(limit) = field.limit {
        limit.apply(&mut schema, field.is_required);
    }
    add(object, field.key, schema, field.is_required);
}

/// Adds a field to an object that is written: it is either always present, or left out if it is empty.
pub fn written_field<T: JsonSchema>(
    object: &mut Schema,
    generator: &mut SchemaGenerator,
    key: &str,
    doc: &str,
    is_always_there: bool,
) {
    let mut schema = generator.subschema_for::<T>();
    drop_null(&mut schema);
    describe(&mut schema, doc);
    add(object, key, schema, is_always_there);
}

/// In an object that is written, optional fields are never `null`.
pub fn present_or_left_out(object: &mut Schema) {
    let required = object.get("required").and_then(Value::as_array).cloned();
    let required = required.unwrap_or_default();
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    for (key, property) in properties {
        if let Ok(schema) = <&mut Schema>::try_from(property)
            && !required.iter().any(|name| name == key)
        {
            drop_null(schema);
        }
    }
}

/// Turns the schema of an option into that of its value.
fn drop_null(schema: &mut Schema) {
    if let Some(Value::Array(types)) = schema.get("type")
        && let [one, Value::String(other)] = types.as_slice()
        && other == "null"
    {
        let one = one.clone();
        schema.insert("type".into(), one);
    } else if let Some(Value::Array(either)) = schema.get("anyOf")
        && let [Value::Object(one), other] = either.as_slice()
        && *other == json!({"type": "null"})
    {
        let one = one.clone();
        schema.remove("anyOf");
        schema.ensure_object().extend(one);
    }
}

fn add(object: &mut Schema, key: &str, schema: Schema, is_required: bool) {
    if is_required {
        let required = object.ensure_object().entry("required");
        if let Value::Array(required) = required.or_insert_with(|| json!([])) {
            required.push(key.into());
        }
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.insert(key.into(), schema.into());
    }
}

fn describe(schema: &mut Schema, doc: &str) {
    let lines = doc
        .lines()
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let text = lines.collect::<Vec<_>>().join("\n");
    if !text.trim().is_empty() {
        schema.insert("description".into(), String::from(text.trim()).into());
    }
}

/// The name of a schema: that of its type, except that each policy's `Settings` get its name: `SliceShapeSettings`.
pub fn name(module: &'static str, name: &'static str) -> Cow<'static, str> {
    if name != "Settings" {
        return name.into();
    }
    let module = module.rsplit("::").next().unwrap_or_default();
    let words = module.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.chain([name.into()]).collect::<String>().into()
}

/// A value that may have a JSON form: [`JsonForm`] provides it if the type has one, otherwise [`NoJsonForm`].
pub struct JsonForm<T>(pub T);

impl<T: Serialize> JsonForm<T> {
    pub fn value(self) -> Option<Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// See [`JsonForm`].
pub trait NoJsonForm: Sized {
    fn value(self) -> Option<Value> {
        None
    }
}

impl<T> NoJsonForm for JsonForm<T> {}

/// A Kubernetes object as the API writes it; our schemas do not repeat the API's own.
pub struct KubernetesObject;

impl JsonSchema for KubernetesObject {
    fn schema_name() -> Cow<'static, str> {
        "KubernetesObject".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A Kubernetes object as the API writes it.",
            "type": "object",
            "properties": {
                "apiVersion": {"type": "string"},
                "kind": {"type": "string"},
                "metadata": {"type": "object"},
            },
        })
    }
}

/// A part of a Kubernetes object, such as a port or a reference, as the API writes it.
pub struct KubernetesPart;

impl JsonSchema for KubernetesPart {
    fn schema_name() -> Cow<'static, str> {
        "KubernetesPart".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A part of a Kubernetes object as the API writes it.",
            "type": "object",
        })
    }
}

/// Gives one type the schema of another.
#[macro_export]
#[doc(hidden)]
macro_rules! schema_of {
    ($($Type:ty => $Other:ty;)*) => {$(
        impl schemars::JsonSchema for $Type {
            fn inline_schema() -> bool {
                <$Other>::inline_schema()
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                <$Other>::schema_name()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                <$Other>::schema_id()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                <$Other>::json_schema(generator)
            }
        }
    )*};
}

/// Derives the schema of a declared object, see `slim_object!` and `kube_object!`.
#[macro_export]
#[doc(hidden)]
macro_rules! described {
    (@written [$($doc:tt)*] $Name:ident {
        $( [$($field_doc:tt)*] $key:literal : $type:ty [$($always:ident)?], )*
    }) => {
        impl<'a> schemars::JsonSchema for $Name<'a> {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($Name)).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                use $crate::model::describe::{described, object, written_field};
                let mut written = object(described!(@doc [] $($doc)*), false);
                $( written_field::<$type>(
                    &mut written,
                    generator,
                    $key,
                    described!(@doc [] $($field_doc)*),
                    described!(@is_required $($always)?),
                ); )*
                written
            }
        }
    };
    (@refuse $($object:tt)*) => { $crate::model::describe::described!(@object true, $($object)*); };
    (@published $($object:tt)*) => { $crate::model::describe::described!(@object false, $($object)*); };
    (@opaque $docs:tt $Name:ident [$($life:lifetime)?] $fields:tt) => {
        impl $(<$life>)? schemars::JsonSchema for $Name $(<$life>)? {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({"type": "object", "additionalProperties": true})
            }
        }
    };
    (@object $refuses:literal, [$($doc:tt)*] $Name:ident [$($life:lifetime)?] {
        $( [$($field_doc:tt)*] $key:literal $field:ident : $type:ty [$($taken:tt)*] [$($required:ident)?] [$($limit:expr)?], )*
    }) => {
        impl $(<$life>)? schemars::JsonSchema for $Name $(<$life>)? {
            fn schema_name() -> alloc::borrow::Cow<'static, str> {
                $crate::model::describe::name(module_path!(), stringify!($Name))
            }

            fn schema_id() -> alloc::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($Name)).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #[allow(unused_imports, reason = "not every object has a field without a written form")]
                use $crate::model::describe::NoJsonForm as _;
                let absent = Self::default();
                let mut object = $crate::model::describe::object(
                    $crate::model::describe::described!(@doc [] $($doc)*),
                    $refuses,
                );
                $( {
                    let is_required = $crate::model::describe::described!(@is_required $($required)?);
                    let field = $crate::model::describe::DescribedField {
                        key: $key,
                        doc: $crate::model::describe::described!(@doc [] $($field_doc)*),
                        is_required,
                        default: (!is_required).then(|| $crate::model::describe::JsonForm(&absent.$field).value()).flatten(),
                        limit: $crate::model::describe::described!(@limit $($limit)?),
                    };
                    $crate::model::describe::field::<$crate::model::describe::described!(@taken $type [$($taken)*])>(&mut object, generator, field);
                } )*
                object
            }
        }
    };
    (@doc [$($line:literal)*]) => { concat!($($line, "\n",)* "") };
    (@doc [$($line:literal)*] [doc = $next:literal] $($rest:tt)*) => {
        $crate::model::describe::described!(@doc [$($line)* $next] $($rest)*)
    };
    (@doc $lines:tt $other:tt $($rest:tt)*) => { $crate::model::describe::described!(@doc $lines $($rest)*) };
    (@is_required $required:ident) => { true };
    (@is_required) => { false };
    (@limit $limit:expr) => { Some($crate::model::describe::Limit::from($limit)) };
    (@limit) => { None };
    (@taken $type:ty []) => { $type };
    (@taken $type:ty [$taken:ty]) => { $taken };
}
#[doc(hidden)]
pub use {described, schema_of};

#[cfg(test)]
mod tests {
    use schemars::schema_for;
    use serde_json::json;

    use crate::model::Text;
    use crate::model::object::slim_object;

    slim_object! {
        /// Two lines
        /// of text.
        #[derive(Default)]
        struct Strict<'a>("object") refuse {
            /// A name.
            "name" name: Option<Text<'a>> as Text<'a> = required where "^[a-z]+$";
            "kind" kind: Option<Text<'a>> where ["one", "other"];
            /// How often.
            "times" times: Option<u32> where 1..=5;
            "isLast" is_last: bool;
            "bare" bare: Bare;
            "more" more: Vec<Bare> = required;
        }
    }

    slim_object! {
        #[derive(Default)]
        struct Bare("object") published {
            "for" lasting: u32 where 1..;
        }
    }

    #[test]
    fn a_schema_says_what_the_declaration_says() {
        let expected = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Strict",
            "description": "Two lines\nof text.",
            "type": "object",
            "properties": {
                "name": {"description": "A name.", "type": "string", "pattern": "^[a-z]+$"},
                "kind": {"type": ["string", "null"], "default": null, "enum": ["one", "other", null]},
                "times": {
                    "description": "How often.", "type": ["integer", "null"], "format": "uint32", "default": null,
                    "minimum": 1, "maximum": 5,
                },
                "isLast": {"type": ["boolean", "null"], "default": false},
                "bare": {"anyOf": [{"$ref": "#/$defs/Bare"}, {"type": "null"}]},
                "more": {"type": "array", "items": {"$ref": "#/$defs/Bare"}},
            },
            "required": ["name", "more"],
            "additionalProperties": false,
            "$defs": {
                "Bare": {
                    "type": "object",
                    "properties": {
                        "for": {"type": ["integer", "null"], "format": "uint32", "default": 0, "minimum": 1},
                    },
                },
            },
        });
        assert_eq!(schema_for!(Strict<'_>).to_value(), expected);
    }
}
