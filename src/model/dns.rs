//! Names as the API server validates them (RFC 1123).

/// Is it a DNS label, such as the name of a namespace? Lower case letters, digits and `-`, at most 63 of them.
pub fn is_label(text: &str) -> bool {
    text.len() <= 63 && is_part(text)
}

/// Is it a DNS subdomain, such as the name of most objects? Parts separated by dots, at most 253 characters. The API
/// server, too, does not limit the length of a part.
pub fn is_subdomain(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_part)
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
}
