//! URLs, as Go's `net/url` reads them.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::functions::Function;
use super::meter::{Fail, Meter};
use super::value::{Map, MapKey, Str, Value};

/// The parts of a URL.
struct Url<'t> {
    scheme: String,
    /// With the port.
    host: &'t str,
    path: &'t str,
    query: &'t str,
}

pub(super) fn is_url(text: &str) -> bool {
    // The reference checks a URL with its fragment as part of the path or query.
    parse(text, false).is_some()
}

fn parse(text: &str, cuts_fragment: bool) -> Option<Url<'_>> {
    if text.is_empty() || text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return None;
    }
    let text = match text.split_once('#') {
        Some((before, _)) if cuts_fragment => before,
        _ => text,
    };
    let (scheme, rest) = split_scheme(text)?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if !rest.starts_with('/') {
        // What follows a scheme without a slash is opaque.
        let is_opaque = !scheme.is_empty();
        return (is_opaque || text == "*").then(|| Url {
            scheme: scheme.to_ascii_lowercase(),
            host: "",
            path: if is_opaque { "" } else { rest },
            query,
        });
    }
    let (host, path) = match rest.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(authority) => {
            let end = authority.find('/').unwrap_or(authority.len());
            let (authority, path) = authority.split_at_checked(end)?;
            let host = authority
                .rsplit_once('@')
                .map_or(authority, |(_, host)| host);
            (host, path)
        }
        None => ("", rest),
    };
    let is_path = decoded(path, false).is_some();
    (is_host(host) && is_path).then(|| Url {
        scheme: scheme.to_ascii_lowercase(),
        host,
        path,
        query,
    })
}

/// The scheme, which may be missing, and what follows it.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|byte: char| !(byte.is_ascii_alphanumeric() || "+-.".contains(byte)));
    let Some((scheme, rest)) = end.and_then(|end| text.split_at_checked(end)) else {
        return Some(("", text));
    };
    match rest.strip_prefix(':') {
        Some(rest) => scheme
            .starts_with(|first: char| first.is_ascii_alphabetic())
            .then_some((scheme, rest)),
        None => Some(("", text)),
    }
}

fn is_host(host: &str) -> bool {
    let port = match host.strip_prefix('[') {
        Some(address) => match address.split_once(']') {
            Some((_, port)) => port,
            None => return false,
        },
        None => host
            .rfind(':')
            .and_then(|colon| host.get(colon..))
            .unwrap_or(""),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let allowed = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte >= 0x80 || b"-_.~!$&'()*+,;=:[]<>\"%".contains(&byte)
    };
    is_port && host.bytes().all(allowed)
}

/// Without percent-encoding; `None` if that is malformed.
fn decoded(text: &str, is_query: bool) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            b'+' if is_query => b' ',
            byte => byte,
        });
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn escaped_path(path: &str) -> String {
    let is_plain = |byte: u8, more: &[u8]| {
        byte.is_ascii_alphanumeric() || b"-_.~$&+,/:;=@".contains(&byte) || more.contains(&byte)
    };
    // A path that is encoded well stays as it is; otherwise everything is encoded again.
    if path.bytes().all(|byte| is_plain(byte, b"!'()*[]%")) {
        return path.into();
    }
    let mut text = String::with_capacity(path.len());
    for byte in decoded(path, false).unwrap_or_default().bytes() {
        if is_plain(byte, b"") {
            text.push(char::from(byte));
        } else {
            text.push('%');
            for digit in [byte >> 4, byte & 15] {
                let digit = char::from_digit(digit.into(), 16).unwrap_or('0');
                text.push(digit.to_ascii_uppercase());
            }
        }
    }
    text
}

fn query<'v>(text: &str, meter: &mut Meter) -> Result<Value<'v>, Fail> {
    let mut found: Vec<(String, Vec<Value<'v>>)> = Vec::new();
    for pair in text
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.contains(';'))
    {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(key), Some(value)) = (decoded(key, true), decoded(value, true)) else {
            continue;
        };
        meter.pay(found.len() + 1)?;
        let value = Value::owned(value);
        match found.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(value),
            None => found.push((key, [value].into())),
        }
    }
    let entries = found
        .into_iter()
        .map(|(key, values)| (MapKey::String(Str::Owned(key.into())), Value::list(values)));
    Ok(Value::Map(Rc::new(
        Map::new(entries.collect()).unwrap_or_default(),
    )))
}

/// Functions of URLs; `None` for others.
pub(super) fn with_url<'v>(
    function: Function,
    value: &Value<'v>,
    meter: &mut Meter,
) -> Result<Option<Value<'v>>, Fail> {
    let text = match (function, value) {
        (Function::IsUrl, Value::String(text)) => return Ok(Some(Value::Bool(is_url(text)))),
        (Function::Url, Value::String(text)) => {
            if !is_url(text) {
                return Err(Fail::error(
                    "the string is not a URL with a scheme or an absolute path",
                ));
            }
            return Ok(Some(Value::Url(text.clone())));
        }
        (_, Value::Url(text)) => text,
        _ => return Ok(None),
    };
    let Some(url) = parse(text, true) else {
        return Ok(None);
    };
    let (name, port) = match url
        .host
        .strip_prefix('[')
        .and_then(|host| host.split_once(']'))
    {
        Some((name, port)) => (name, port.strip_prefix(':').unwrap_or(port)),
        None => url.host.rsplit_once(':').unwrap_or((url.host, "")),
    };
    Ok(Some(match function {
        Function::GetScheme => Value::owned(url.scheme),
        Function::GetHost => Value::owned(url.host.into()),
        Function::GetHostname => Value::owned(name.into()),
        Function::GetPort => Value::owned(port.into()),
        Function::GetEscapedPath => Value::owned(escaped_path(url.path)),
        Function::GetQuery => query(url.query, meter)?,
        _ => return Ok(None),
    }))
}
