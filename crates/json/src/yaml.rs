//! Plans as YAML, formatted like `kubectl -o yaml`: sorted keys, lists not indented, texts quoted if a YAML 1.1 or 1.2
//! reader would misread them. Numbers keep their digits.

mod scalar;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use super::{is_obeyed, shown};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

pub use scalar::{PlainScalar, resolve};

/// Deeper levels are written as JSON, which YAML readers accept as well.
const MAX_BLOCKS: usize = 60;

/// A value as YAML.
///
/// # Errors
/// When the value has no JSON.
pub fn to_yaml(value: &impl serde::Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    let mut writer = YamlWriter {
        yaml: String::with_capacity(json.len() * 2),
    };
    match JsonLevel::of(&json, 0)? {
        JsonLevel::Map(members) if !members.0.is_empty() => writer.map(members, 0, 0)?,
        JsonLevel::List(items) if !items.is_empty() => writer.list(&items, 0, 0)?,
        _ => writer.after("", &json, 0, 0)?,
    }
    Ok(writer.yaml)
}

/// JSON text, with one level parsed.
enum JsonLevel<'a> {
    Map(Members<'a>),
    List(Vec<&'a RawValue>),
    Text(String),
    /// Numbers, `true`, `false`, `null`; and what is nested too deeply.
    AsIs,
}

impl<'a> JsonLevel<'a> {
    fn of(json: &'a str, depth: usize) -> serde_json::Result<Self> {
        Ok(match json.as_bytes().first() {
            Some(b'"') => Self::Text(serde_json::from_str(json)?),
            Some(b'{') if depth < MAX_BLOCKS => Self::Map(serde_json::from_str(json)?),
            Some(b'[') if depth < MAX_BLOCKS => Self::List(serde_json::from_str(json)?),
            _ => Self::AsIs,
        })
    }
}

/// The members of an object, sorted by key.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        members.sort_by(|(a, _): &(String, _), (b, _)| a.cmp(b));
        Ok(Members(members))
    }
}

struct YamlWriter {
    yaml: String,
}

impl YamlWriter {
    /// Writes a map whose first line has been started.
    fn map(&mut self, members: Members<'_>, indent: usize, depth: usize) -> serde_json::Result<()> {
        for (number, (key, value)) in members.0.into_iter().enumerate() {
            if number > 0 {
                self.indent(indent);
            }
            self.yaml.push_str(&on_one_line(&key));
            self.yaml.push(':');
            match JsonLevel::of(value.get(), depth + 1)? {
                JsonLevel::Map(members) if !members.0.is_empty() => {
                    self.yaml.push('\n');
                    self.indent(indent + 2);
                    self.map(members, indent + 2, depth + 1)?;
                }
                JsonLevel::List(items) if !items.is_empty() => {
                    self.yaml.push('\n');
                    self.indent(indent);
                    self.list(&items, indent, depth + 1)?;
                }
                _ => self.after(" ", value.get(), indent + 2, depth + 1)?,
            }
        }
        Ok(())
    }

    /// Writes a list whose first line has been started.
    fn list(&mut self, items: &[&RawValue], indent: usize, depth: usize) -> serde_json::Result<()> {
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.indent(indent);
            }
            self.yaml.push('-');
            match JsonLevel::of(item.get(), depth + 1)? {
                JsonLevel::Map(members) if !members.0.is_empty() => {
                    self.yaml.push(' ');
                    self.map(members, indent + 2, depth + 1)?;
                }
                JsonLevel::List(items) if !items.is_empty() => {
                    self.yaml.push(' ');
                    self.list(&items, indent + 2, depth + 1)?;
                }
                _ => self.after(" ", item.get(), indent + 2, depth + 1)?,
            }
        }
        Ok(())
    }

    /// Writes a value that continues the line or brings its own lines; `indent` is for those.
    fn after(
        &mut self,
        gap: &str,
        json: &str,
        indent: usize,
        depth: usize,
    ) -> serde_json::Result<()> {
        self.yaml.push_str(gap);
        match JsonLevel::of(json, depth)? {
            JsonLevel::Text(text) if is_block(&text) => {
                self.yaml
                    .push_str(if text.ends_with('\n') { "|" } else { "|-" });
                for line in text.lines() {
                    self.yaml.push('\n');
                    if !line.is_empty() {
                        self.indent(indent.max(2));
                        self.yaml.push_str(line);
                    }
                }
            }
            JsonLevel::Text(text) => self.yaml.push_str(&on_one_line(&text)),
            _ => self.yaml.push_str(&shown(json)),
        }
        self.yaml.push('\n');
        Ok(())
    }

    fn indent(&mut self, indent: usize) {
        self.yaml.extend(core::iter::repeat_n(' ', indent));
    }
}

/// Is a text written line by line?
fn is_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with("\n\n")
        && text
            .chars()
            .all(|character| character == '\n' || character == '\t' || is_printable(character))
}

fn on_one_line(text: &str) -> String {
    if !text.chars().all(is_printable) || is_mistakable(text) {
        return in_double_quotes(text);
    }
    let is_odd = text.starts_with([' ', '-', '?', ':', ',', '[', ']', '{', '}', '#', '&', '*'])
        || text.starts_with(['!', '|', '>', '\'', '"', '%', '@', '`', '=', '<', '~'])
        || text.ends_with([' ', ':'])
        || text.contains(": ")
        || text.contains(" #");
    if is_odd {
        format!("'{}'", text.replace('\'', "''"))
    } else {
        text.to_owned()
    }
}

/// Would a reader of YAML 1.1 (such as `kubectl`) or 1.2 misread a plain text?
fn is_mistakable(text: &str) -> bool {
    if resolve(text) != PlainScalar::Text {
        return true;
    }
    let lower = text.to_ascii_lowercase();
    // Other readers take them in any case.
    if ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].contains(&lower.as_str()) {
        return true;
    }
    let digits = lower.strip_prefix(['-', '+']).unwrap_or(&lower);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return false;
    }
    let is_based = ["0x", "0o", "0b"]
        .iter()
        .any(|base| digits.starts_with(base));
    let is_date = digits
        .split('-')
        .next()
        .is_some_and(|year| year.len() == 4 && year.len() < digits.len() && is_number_like(year));
    is_based || is_date || (is_number_like(digits) && digits.parse::<Ipv4Addr>().is_err())
}

/// Consists of digits and the characters that may be between them in some notation of a number or a time of day.
fn is_number_like(lower: &str) -> bool {
    lower.chars().all(|character| {
        character.is_ascii_digit() || matches!(character, '.' | '_' | ':' | 'e' | '-' | '+')
    })
}

fn is_printable(character: char) -> bool {
    !is_obeyed(character) && !matches!(character, '\u{fffe}' | '\u{ffff}')
}

fn in_double_quotes(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            _ if is_printable(character) => quoted.push(character),
            _ if character > '\u{ffff}' => {
                quoted.push_str(&format!("\\U{:08x}", u32::from(character)));
            }
            _ => quoted.push_str(&format!("\\u{:04x}", u32::from(character))),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let value: &RawValue = serde_json::from_str(json).unwrap();
        assert_eq!(to_yaml(&value).unwrap(), expected);
    }

    #[test]
    fn laid_out_as_kubectl_does() {
        check(
            r#"{"b":[{"x":1,"z":[]},[1,[2]],{}],"a":{"c":null,"d":"t"},"e":{}}"#,
            "a:\n  c: null\n  d: t\nb:\n- x: 1\n  z: []\n- - 1\n  - - 2\n- {}\ne: {}\n",
        );
        check(
            r#"{"a":"x\n y\n","b":["x\ny"]}"#,
            "a: |\n  x\n   y\nb:\n- |-\n  x\n  y\n",
        );
        check(
            r#"["","yes","10.0.0.1","8080","1:30","0b1","2026-01-02","10m","a: b","it's","- x","{\"a\":1}","fd00::1","a\u0007"]"#,
            "- \"\"\n- \"yes\"\n- 10.0.0.1\n- \"8080\"\n- \"1:30\"\n- \"0b1\"\n- \"2026-01-02\"\n- 10m\n- 'a: b'\n- it's\n- '- x'\n- '{\"a\":1}'\n- fd00::1\n- \"a\\u0007\"\n",
        );
        check("7", "7\n");
        check("[]", "[]\n");
    }

    #[test]
    fn numbers_and_depth_are_kept() {
        check(
            r#"{"a":123456789012345678901234567890,"b":1.10,"c":1E400}"#,
            "a: 123456789012345678901234567890\nb: 1.10\nc: 1E400\n",
        );
        let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
        let value: &RawValue = serde_json::from_str(&deep).unwrap();
        assert!(to_yaml(&value).unwrap().ends_with("]\n"));
    }
}
