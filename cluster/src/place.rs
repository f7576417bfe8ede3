//! The API server, the user, and the namespaces.

/// Which namespaces to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// One.
    Namespace(String),
}

/// The API server and the user, for messages.
#[derive(Clone, Debug)]
pub struct Place {
    /// The API server's address.
    pub(crate) url: String,
    /// The names of the context and the user; unknown in a Pod.
    pub(crate) context: Option<(String, String)>,
    /// The program that provides the user's credentials, if any.
    pub(crate) login: Option<String>,
}

impl Place {
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
