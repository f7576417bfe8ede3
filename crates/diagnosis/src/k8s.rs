//! Explanations of `k8s_openapi` objects.

use alloc::string::{String, ToString};

use serde::Serialize;

use crate::{Explained, Question, explained};
use slicewise::api::Limits;
use slicewise::{Code, Error};

/// Objects to ask questions about, of any kind. Explanations read more than plans do: all of a Pod, and other objects,
/// such as NetworkPolicies, Events and Leases.
///
/// ```
/// use k8s_openapi::api::core::v1::{Pod, Service};
/// use slicewise_diagnosis::Question;
/// use slicewise_diagnosis::k8s::Objects;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let service: Service = serde_json::from_str(r#"{
///     "metadata": {"namespace": "shop", "name": "cart"},
///     "spec": {"selector": {"app": "crat"}, "ports": [{"port": 80}]}
/// }"#)?;
/// let pod: Pod = serde_json::from_str(r#"{
///     "metadata": {"namespace": "shop", "name": "cart-1", "labels": {"app": "cart"}},
///     "spec": {"nodeName": "n-1", "containers": []}
/// }"#)?;
/// let explained = Objects::new().with([&service])?.with([&pod])?.explain(&Question::default())?;
/// assert!(explained.services[0].verdict.text.contains("selector"), "{:?}", explained.services[0].verdict);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Objects {
    /// A JSON list without its closing bracket.
    json: String,
}

impl Objects {
    /// An empty collection.
    pub fn new() -> Self {
        Self { json: "[".into() }
    }

    /// Adds objects. Kinds that explanations do not read are counted and left out.
    ///
    /// # Errors
    /// `InvalidValue` if an object cannot be represented as JSON.
    pub fn with<'o, K: Serialize + 'o>(
        mut self,
        objects: impl IntoIterator<Item = &'o K>,
    ) -> Result<Self, Error> {
        for object in objects {
            let json = serde_json::to_string(object);
            let json = json.map_err(|error| Error::new(Code::InvalidValue, error.to_string()))?;
            if self.json.len() > 1 {
                self.json.push(',');
            }
            self.json.push_str(&json);
        }
        Ok(self)
    }

    /// Explains them: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would
    /// help.
    ///
    /// # Errors
    /// When an object holds a value that cannot be used, with its index among all given objects:
    /// `/3/status/podIPs/0/ip`; or when the question names something that does not exist.
    pub fn explain(&self, question: &Question<'_>) -> Result<Explained, Error> {
        let list = [&self.json, "]"].concat();
        let limits = Limits::new(usize::MAX);
        // Lines and columns would refer to a text that the caller does not have.
        explained(list.as_bytes(), question, limits).map_err(|error| {
            let same = Error::new(error.code(), error.message());
            match error.path() {
                Some(path) => same.at(path),
                None => same,
            }
        })
    }
}

impl Default for Objects {
    fn default() -> Self {
        Self::new()
    }
}
