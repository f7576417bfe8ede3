//! Converts texts of YAML, each a JSON string on a line of its own, and answers each with a line of JSON: `{"value":…}`, or
//! `{"code":…,"message":…}`. Other programs compare their readers with this one so.
//!
//! ```sh
//! echo '"a: yes"' | cargo run --example yaml_lines
//! ```

use std::error::Error;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};

use serde_json::json;
use slicewise_yaml::{Conversion, Converted, Stopped};

fn main() -> Result<(), Box<dyn Error>> {
    let mut output = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let answer = match Conversion::new(text.as_bytes()).whole() {
            Ok(Converted { json, .. }) if json.is_empty() => json!({ "value": null }).to_string(),
            // Line breaks are between values only.
            Ok(Converted { json, .. }) => {
                let value = String::from_utf8(json)?.replace('\n', "");
                format!(r#"{{"value":{value}}}"#)
            }
            Err(Stopped::Refused(error)) => {
                json!({ "code": error.code().as_str(), "message": error.message() }).to_string()
            }
            Err(Stopped::Unread(error)) => return Err(error.into()),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
