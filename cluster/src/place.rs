//! The API server, the user, and the namespaces.

/// Which namespaces to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamespaceScope {
    /// All of them.
    All,
    /// One.
    Namespace(String),
}

/// The API server and the user, for messages.
#[derive(Clone, Debug)]
pub struct ApiServerAndUser {
    /// The API server's address.
    pub(crate) url: String,
    /// The names of the context and the user; unknown in a Pod.
    pub(crate) context: Option<(String, String)>,
    /// The program that provides the user's credentials, if any.
    pub(crate) login: Option<String>,
}

impl ApiServerAndUser {
    /// `the API server at https://… (context test)`
    pub(crate) fn told(&self) -> String {
        match &self.context {
            Some((context, _)) => format!("the API server at {} (context {context})", self.url),
            None => format!("the API server at {}", self.url),
        }
    }

    /// ` of user admin`, as part of a sentence.
    pub(crate) fn user(&self) -> String {
        match &self.context {
            Some((_, user)) if !user.is_empty() => format!(" of user {user}"),
            Some(_) => " (the context names no user)".to_owned(),
            None => " of the Pod's ServiceAccount".to_owned(),
        }
    }
}

/// A URL as messages give it: without user, password, query and fragment, any of which may be a secret.
pub(crate) fn told_url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = match rest.find('/') {
        Some(end) => rest.split_at(end),
        None => (rest, ""),
    };
    let host = authority.rsplit('@').next().unwrap_or_default();
    let separator = if scheme.is_empty() { "" } else { "://" };
    let told = format!("{scheme}{separator}{host}{path}");
    told.trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_told_without_what_may_be_secret() {
        for (url, told) in [
            ("https://10.0.0.1:6443/", "https://10.0.0.1:6443"),
            ("https://a.example/k8s/c-1", "https://a.example/k8s/c-1"),
            (
                "https://jane:s3cret@a.example/k8s?token=s3cret#s3cret",
                "https://a.example/k8s",
            ),
            ("https://jane:p@ss@a.example:6443", "https://a.example:6443"),
            ("https://a.example?token=s3cret/x@y", "https://a.example"),
            ("http://[fd00::1]:80/?a=s3cret", "http://[fd00::1]:80"),
            ("s3cret@a.example/x", "a.example/x"),
        ] {
            assert_eq!(told_url(url), told);
        }
        let place = ApiServerAndUser {
            url: told_url("https://jane:s3cret@a.example/?token=s3cret"),
            context: None,
            login: None,
        };
        assert_eq!(place.told(), "the API server at https://a.example");
    }
}
