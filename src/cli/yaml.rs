//! YAML: one or many documents in, as JSON to the core; plans out.

use std::io::{self, Write};

use serde_json::Value;
use slicewise::api::Limits;
use slicewise::{Code, Error};

/// JSON as it is; YAML documents as one JSON value, several as an array.
pub(super) fn to_json(input: Vec<u8>, limits: Limits) -> Result<Vec<u8>, Error> {
    let start = input
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(&input)
        .trim_ascii_start();
    if start.is_empty()
        || start.starts_with(b"{")
        || start.starts_with(b"[")
        || input.len() > limits.max_input_bytes
    {
        return Ok(input);
    }
    let text = std::str::from_utf8(&input)
        .map_err(|_| Error::new(Code::InvalidJson, "the input is not UTF-8"))?;
    let documents: Vec<Value> =
        serde_saphyr::from_multiple(text).map_err(|error| mistake(&error))?;
    let mut documents: Vec<Value> = documents
        .into_iter()
        .filter(|document| !document.is_null())
        .collect();
    let json = if documents.len() == 1 {
        documents.remove(0)
    } else {
        Value::Array(documents)
    };
    serde_json::to_vec(&json).map_err(|error| Error::new(Code::InvalidJson, error.to_string()))
}

fn mistake(error: &serde_saphyr::Error) -> Error {
    let message = error.to_string();
    let first_line = message.lines().next().unwrap_or_default();
    let placed = Error::new(
        Code::InvalidJson,
        format!("the input is neither JSON nor YAML: {first_line}"),
    );
    match error.location() {
        Some(location) => placed.on(location.line() as usize, location.column() as usize),
        None => placed,
    }
}

/// Prints a value as YAML.
pub(super) fn write(value: &impl serde::Serialize, output: &mut impl Write) -> io::Result<()> {
    output.write_all(to_yaml(value)?.as_bytes())
}

/// A value as YAML, keys in order, as `kubectl -o yaml` prints them.
pub(super) fn to_yaml(value: &impl serde::Serialize) -> io::Result<String> {
    // Our own serializer keeps raw JSON; going through a value makes it plain.
    let json = serde_json::to_vec(value)?;
    let value: Value = serde_json::from_slice(&json)?;
    serde_saphyr::to_string(&value).map_err(|error| io::Error::other(error.to_string()))
}
