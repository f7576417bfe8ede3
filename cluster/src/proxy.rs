//! The proxy in front of an API server, chosen as `kubectl` does: a `proxy-url` in the kubeconfig always counts;
//! `$HTTPS_PROXY` does not for this machine, nor for the hosts in `$NO_PROXY`.

use std::net::IpAddr;

use hyper::Uri;
use slicewise::model::Cidr;

use crate::Error;
use crate::refusal;

/// The schemes of proxies that a client can use.
const SCHEMES: [&str; 3] = ["http", "https", "socks5"];

/// What a user has configured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    /// `proxy-url` of the cluster in the kubeconfig; may be empty.
    pub(crate) of_cluster: String,
    /// `$HTTPS_PROXY`; may be empty.
    pub(crate) of_environment: String,
    /// `$NO_PROXY`; may be empty.
    pub(crate) exempt: String,
}

impl Configured {
    /// The proxy to reach an API server, if any.
    ///
    /// # Errors
    /// If it is no address of a proxy.
    pub(crate) fn proxy(&self, server: &Uri) -> Result<Option<Uri>, Error> {
        if !self.of_cluster.is_empty() {
            return read("proxy-url in the kubeconfig", &self.of_cluster).map(Some);
        }
        if self.of_environment.is_empty() || is_exempt(server, &self.exempt) {
            return Ok(None);
        }
        let text = match self.of_environment.contains("://") {
            true => self.of_environment.clone(),
            false => format!("http://{}", self.of_environment),
        };
        read("$HTTPS_PROXY", &text).map(Some)
    }
}

fn read(source: &str, text: &str) -> Result<Uri, Error> {
    let is_proxy = |uri: &Uri| {
        uri.host().is_some_and(|host| !host.is_empty())
            && uri
                .scheme_str()
                .is_some_and(|scheme| SCHEMES.contains(&scheme))
    };
    let uri = text.parse().ok().filter(is_proxy);
    uri.ok_or_else(|| refusal::no_proxy(source))
}

/// Whether the server is on this machine, or `exempt` contains it.
fn is_exempt(server: &Uri, exempt: &str) -> bool {
    let host = server.host().unwrap_or_default().to_ascii_lowercase();
    let inner = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'));
    let host = inner.unwrap_or(&host).trim_end_matches('.');
    let address = host.parse().ok();
    if host == "localhost" || address.is_some_and(|address: IpAddr| address.is_loopback()) {
        return true;
    }
    let port = server.port_u16().unwrap_or(443);
    // Commas as for Go, or blanks as for curl; neither minds one too many.
    let mut entries = exempt
        .split([',', ' ', '\t', '\n'])
        .filter(|entry| !entry.is_empty())
        .map(str::to_ascii_lowercase);
    entries.any(|entry| match (&*entry, address) {
        ("*", _) => true,
        (entry, Some(address)) => is_at(entry, address, port),
        (entry, None) => is_below(entry, host, port),
    })
}

/// Whether an entry names the address: alone, with the port, or as a range.
fn is_at(entry: &str, address: IpAddr, port: u16) -> bool {
    let with_port = entry.parse() == Ok(std::net::SocketAddr::new(address, port));
    let range = Cidr::parse(entry.trim_matches(['[', ']']));
    with_port || range.is_some_and(|range| range.contains(address))
}

/// Whether an entry names the host or a domain above it; with a leading dot, only the latter.
fn is_below(entry: &str, host: &str, port: u16) -> bool {
    let (domain, of_port) = match entry.rsplit_once(':') {
        Some((domain, of_port)) => (domain, of_port.parse().ok()),
        None => (entry, Some(port)),
    };
    let domain = domain.strip_prefix('*').unwrap_or(domain);
    let (is_itself, name) = match domain.strip_prefix('.') {
        Some(name) => (false, name),
        None => (host == domain, domain),
    };
    let above = host
        .strip_suffix(name)
        .is_some_and(|rest| rest.ends_with('.'));
    of_port == Some(port) && !name.is_empty() && (is_itself || above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(server: &str, exempt: &str, expected: bool) {
        let server: Uri = server.parse().unwrap();
        assert_eq!(is_exempt(&server, exempt), expected, "{server} {exempt}");
    }

    #[test]
    fn this_machine_has_no_proxy() {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "[::1]"] {
            check(&format!("https://{host}:6443"), "", true);
        }
        check("https://localhost.example.com", "", false);
    }

    #[test]
    fn hosts_that_need_none() {
        let server = "https://api.shop.example.com:6443";
        for exempt in [
            "*",
            "example.com",
            ".example.com",
            "*.example.com",
            "api.shop.example.com",
            "API.Shop.Example.COM",
            "10.0.0.0/8, example.com ,",
            "example.com,",
            ",,example.com,,localhost",
            "localhost example.com\t10.0.0.0/8\n",
            "nothing, *",
            "example.com:6443",
        ] {
            check(server, exempt, true);
        }
        for exempt in [
            "",
            ",",
            " , ,",
            ".",
            "*.",
            "/8",
            ":6443",
            "ple.com",
            ".api.shop.example.com",
            "example.com:443",
            "example.com:https",
            "10.0.0.0/8",
        ] {
            check(server, exempt, false);
        }
        check("https://example.com", "example.com:443", true);
        check("https://example.com.", "example.com", true);
    }

    #[test]
    fn addresses_that_need_none() {
        for exempt in ["10.1.2.3", "10.0.0.0/8", "10.1.2.3:6443", "a,10.1.2.3"] {
            check("https://10.1.2.3:6443", exempt, true);
        }
        for exempt in ["10.1.2.4", "11.0.0.0/8", "10.1.2.3:443", "2.3", ".3"] {
            check("https://10.1.2.3:6443", exempt, false);
        }
        for exempt in ["fd00::1", "fd00::/8", "[fd00::1]", "[fd00::1]:6443"] {
            check("https://[fd00::1]:6443", exempt, true);
        }
        check("https://[fd00::1]:6443", "fd01::/16", false);
    }

    #[track_caller]
    fn check_proxy(configured: [&str; 3], expected: Result<Option<&str>, &str>) {
        let [of_cluster, of_environment, exempt] = configured.map(ToOwned::to_owned);
        let configured = Configured {
            of_cluster,
            of_environment,
            exempt,
        };
        let server = "https://api.example.com:6443".parse().unwrap();
        let found = configured.proxy(&server);
        let found = found.map(|proxy| proxy.map(|proxy| proxy.to_string()));
        let found = found.map_err(|error| error.to_string());
        let expected = expected.map(|proxy| proxy.map(ToOwned::to_owned));
        assert_eq!(found, expected.map_err(ToOwned::to_owned));
    }

    #[test]
    fn the_kubeconfig_comes_first_and_needs_no_exemption() {
        check_proxy(["", "", ""], Ok(None));
        let of_cluster = "socks5://127.0.0.1:1080";
        let expected = Ok(Some("socks5://127.0.0.1:1080/"));
        check_proxy([of_cluster, "http://other:1", "*"], expected);
        check_proxy(["", "https://p:1", ""], Ok(Some("https://p:1/")));
        check_proxy(["", "p:3128", ""], Ok(Some("http://p:3128/")));
        check_proxy(["", "p:3128", ".example.com"], Ok(None));
        let wrong = "proxy-url in the kubeconfig is not the address of a proxy; write it like http://proxy.example:3128, or remove it";
        for text in ["ftp://p", "p:3128", "http://", "http://me:secret@"] {
            check_proxy([text, "", ""], Err(wrong));
        }
        let wrong = "$HTTPS_PROXY is not the address of a proxy; write it like http://proxy.example:3128, or remove it";
        check_proxy(["", "a b", ""], Err(wrong));
    }
}
