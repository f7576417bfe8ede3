//! Names as the API server validates them (RFC 1123, and `k8s.io/apimachinery/pkg/util/validation`).

/// Is it a DNS label, such as the name of a namespace? Lower case letters, digits and `-`, at most 63 of them.
pub fn is_label(text: &str) -> bool {
    text.len() <= 63 && is_part(text)
}

/// Is it a DNS subdomain, such as the name of most objects? Parts separated by dots, at most 253 characters. The API
/// server, too, does not limit the length of a part.
pub fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_part)
}

/// Is it a value that a label can have, and not empty? 1 to 63 letters, digits, `-`, `_` or `.`, with a letter or digit first
/// and last.
pub fn is_label_value(text: &str) -> bool {
    let is_end = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    text.len() <= 63
        && is_end(text.bytes().next())
        && is_end(text.bytes().next_back())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Is it a qualified name, such as the key of a label? A name like a label's value, with or without a DNS subdomain and `/`
/// before it.
pub fn is_qualified_name(text: &str) -> bool {
    match text.split_once('/') {
        Some((prefix, name)) => is_subdomain(prefix) && is_label_value(name),
        None => is_label_value(text),
    }
}

fn is_part(text: &str) -> bool {
    let is_edge = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(is_edge)
        && bytes.last().is_some_and(is_edge)
        && bytes.iter().all(|byte| is_edge(byte) || *byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_the_api_server_accepts() {
        for text in ["a", "kube-system", "0", "a--b", &"a".repeat(63)] {
            assert!(is_label(text) && is_subdomain(text), "{text}");
        }
        for text in ["", "-a", "a-", "A", "a_b", "a b", "é", "a\n", "*", "a/b"] {
            assert!(!is_label(text) && !is_subdomain(text), "{text}");
        }
        for text in ["a.b", &"a".repeat(64), &"a".repeat(253)] {
            assert!(!is_label(text) && is_subdomain(text), "{text}");
        }
        for text in ["a..b", ".a", "a.", &"a".repeat(254)] {
            assert!(!is_subdomain(text), "{text}");
        }
    }

    #[test]
    fn qualified_names() {
        let (longest, long) = ("a".repeat(63), "a".repeat(64));
        for text in [
            "",
            "/",
            "a/",
            "/a",
            "a/b/c",
            "-a",
            "a b",
            "Example.com/a",
            "a..b/c",
            &long,
        ] {
            assert!(!is_qualified_name(text), "{text}");
        }
        for text in ["a", "A-1_b.c", "1.example/a", &longest] {
            assert!(is_qualified_name(text), "{text}");
        }
    }
}
