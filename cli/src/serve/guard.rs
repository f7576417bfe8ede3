//! Access control. A page of another site in the same browser must not get in: not through a name that resolves to this
//! host (DNS rebinding: `Host`), not with a cross-site request (`Origin`, `Sec-Fetch-Site`), and not by guessing (the token).

use std::net::IpAddr;

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{Method, StatusCode};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Decides who may make requests.
pub(super) struct Guard {
    token: String,
    /// The address it listens on.
    address: IpAddr,
}

/// Why a request is refused.
pub(super) type HttpRefusal = (StatusCode, &'static str);

impl Guard {
    pub(super) const fn new(token: String, address: IpAddr) -> Self {
        Self { token, address }
    }

    /// Checks a request. Private paths also require the token.
    pub(super) fn check(&self, request: &Parts, is_private: bool) -> Result<(), HttpRefusal> {
        let is_read = match request.method {
            Method::GET => true,
            Method::HEAD => !is_private,
            _ => false,
        };
        if !is_read {
            return Err((
                StatusCode::METHOD_NOT_ALLOWED,
                "only GET: nothing can be changed here\n",
            ));
        }
        let host = self.host(request).ok_or((
            StatusCode::MISDIRECTED_REQUEST,
            "not served under that name; open the printed address\n",
        ))?;
        if !is_same_origin(&request.headers, host) {
            return Err((
                StatusCode::FORBIDDEN,
                "not for other sites; open the printed address\n",
            ));
        }
        if is_private && !self.has_token(&request.headers) {
            return Err((
                StatusCode::UNAUTHORIZED,
                "the token is missing or wrong; open the printed address\n",
            ));
        }
        Ok(())
    }

    /// The requested host, if it is one of our addresses or `localhost`: others decide what other names resolve to.
    fn host<'r>(&self, request: &'r Parts) -> Option<&'r str> {
        // Only proxies receive absolute URLs.
        let host = only(&request.headers, &HOST).filter(|_| request.uri.authority().is_none())?;
        let authority: Authority = host.parse().ok().filter(|_| !host.contains('@'))?;
        let name = authority.host();
        let inner = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let is_ours = match inner.unwrap_or(name).parse::<IpAddr>() {
            Ok(address) => {
                address.is_loopback() || address == self.address || self.address.is_unspecified()
            }
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        is_ours.then_some(host)
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let given = only(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        given.is_some_and(|given| is_same(given.as_bytes(), self.token.as_bytes()))
    }
}

/// The value of a header that occurs exactly once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok())?
}

/// Whether the request comes from our own page or directly from the user.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    let is_own = |origin: &str| {
        let rest = origin.strip_prefix("http://");
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(host))
    };
    let origins = headers.get_all(ORIGIN).iter();
    let mut sites = headers.get_all(SEC_FETCH_SITE).iter();
    origins
        .map(|origin| origin.to_str())
        .all(|origin| origin.is_ok_and(is_own))
        && sites.all(|site| site == "same-origin" || site == "none")
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b));
    // Keeps the compiler from shortening the loop.
    one.len() == other.len() && std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    const GOOD: [(&str, &str); 2] = [
        ("host", "127.0.0.1:8080"),
        ("authorization", "Bearer secret"),
    ];

    fn ask(method: &str, uri: &str, headers: &[(&str, &str)], address: &str) -> u16 {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let guard = Guard::new("secret".into(), address.parse().unwrap());
        match guard.check(&parts, true) {
            Ok(()) => 200,
            Err((status, _)) => status.as_u16(),
        }
    }

    #[track_caller]
    fn check(more: &[(&str, &str)], expected: u16) {
        let headers = [&GOOD[..], more].concat();
        assert_eq!(
            ask("GET", "/live", &headers, "127.0.0.1"),
            expected,
            "{more:?}"
        );
    }

    #[track_caller]
    fn check_host(host: &str, address: &str, expected: u16) {
        let headers = [("host", host), ("authorization", "Bearer secret")];
        assert_eq!(ask("GET", "/live", &headers, address), expected, "{host}");
    }

    #[test]
    fn other_sites_may_not_ask() {
        check(&[], 200);
        check(&[("origin", "http://127.0.0.1:8080")], 200);
        check(&[("sec-fetch-site", "same-origin")], 200);
        for origin in [
            "http://evil.example",
            "null",
            "http://127.0.0.1:8081",
            "https://127.0.0.1:8080",
            "",
        ] {
            check(&[("origin", origin)], 403);
        }
        check(
            &[
                ("origin", "http://127.0.0.1:8080"),
                ("origin", "http://evil.example"),
            ],
            403,
        );
        for site in ["cross-site", "same-site"] {
            check(&[("sec-fetch-site", site)], 403);
        }
    }

    #[test]
    fn other_names_lead_nowhere() {
        for host in [
            "127.0.0.1",
            "localhost:9",
            "LOCALHOST",
            "[::1]:8080",
            "127.0.0.9",
        ] {
            check_host(host, "127.0.0.1", 200);
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "",
            "a@127.0.0.1",
            "[::2]",
        ] {
            check_host(host, "127.0.0.1", 421);
        }
        check_host("10.0.0.1:8080", "10.0.0.1", 200);
        check_host("10.0.0.1:8080", "0.0.0.0", 200);
        check_host("evil.example", "0.0.0.0", 421);
        check(&[("host", "127.0.0.1:8080")], 421);
        assert_eq!(
            ask("GET", "http://127.0.0.1:8080/live", &GOOD, "127.0.0.1"),
            421
        );
        assert_eq!(ask("GET", "/live", &GOOD[1..], "127.0.0.1"), 421);
    }

    #[test]
    fn the_token_is_asked_for() {
        let ask = |value: &str| {
            let headers = [("host", "localhost"), ("authorization", value)];
            ask("GET", "/live", &headers, "127.0.0.1")
        };
        assert_eq!(ask("Bearer secret"), 200);
        for wrong in [
            "Bearer secreT",
            "Bearer secre",
            "Bearer secret2",
            "Bearer ",
            "secret",
            "Basic secret",
            "Bearer secret, Bearer secret",
        ] {
            assert_eq!(ask(wrong), 401, "{wrong}");
        }
        check(&[("authorization", "Bearer secret")], 401);
    }

    #[test]
    fn nothing_can_be_changed() {
        for method in [
            "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "CONNECT", "TRACE", "FOO",
        ] {
            assert_eq!(ask(method, "/live", &GOOD, "127.0.0.1"), 405, "{method}");
        }
    }
}
