//! The configuration of a reviewer: its policies, and what counts as knowing the cluster.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::exceptions::{self, Exception};
use super::policies::Policies;
use super::writers;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;
use slicewise::{Code, Error};

slim_object! {
    /// The configuration of a reviewer. Fields that are left out have their defaults.
    #[derive(Clone, Debug, Default)]
    pub struct ReviewerConfig("reviewer configuration") refuse {
        /// Settings of the policies, by policy name.
        "policies" pub policies: Policies;
        /// Programs besides the control plane that write slices, Endpoints or load balancers' addresses in this cluster:
        /// `antrea`, `cilium-clustermesh`, `istio`, `karmada`, `knative`, `linkerd-multicluster`, `metallb`,
        /// `prometheus-operator`, `submariner`.
        "writers" pub writers: Vec<String>;
        /// Exceptions from policies, each until a time.
        "exceptions" pub exceptions: Vec<Exception>;
        /// When the reviewer's knowledge of the cluster is recent enough.
        "context" pub context: ContextSettings;
        /// The Service in front of this reviewer, as `namespace/name`, such as `slicewise/webhook`. Changes of this
        /// Service, its slices and its Endpoints are never refused, so that the reviewer cannot cut itself off.
        "ownService" pub own_service: String;
    }
}

slim_object! {
    /// When the reviewer's knowledge of the cluster is recent enough.
    #[derive(Clone, Debug)]
    pub struct ContextSettings("settings of the context") refuse {
        /// The maximum age of what is known about the cluster, in seconds; anything older counts as unknown. Default
        /// 60.
        "maxAgeSeconds" pub max_age_seconds: u32;
        /// How long a review waits for the watch, in milliseconds, before it is refused for a pod that is not known yet;
        /// 0 switches that off. Default 250, at most 5000.
        "catchUpMs" pub catch_up_ms: u32;
    }
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            max_age_seconds: 60,
            catch_up_ms: 250,
        }
    }
}

/// A change must not wait longer for the watch, in milliseconds.
const MOST_CATCH_UP: u32 = 5_000;

impl ReviewerConfig {
    /// Checks what the types cannot express.
    ///
    /// # Errors
    /// `InvalidValue` for a value that cannot be used.
    pub fn check(&self) -> Result<(), Error> {
        let wrong =
            |path: &str, message: String| Err(Error::new(Code::InvalidValue, message).at(path));
        if !self.own_service.is_empty() {
            let parts = self.own_service.split_once('/');
            let is_key = parts.is_some_and(|(namespace, name)| {
                !namespace.is_empty() && !name.is_empty() && !name.contains('/')
            });
            if !is_key {
                let given = shorten(&self.own_service);
                let message = format!("`{given}` is not a Service; write it as `namespace/name`");
                return wrong("/ownService", message);
            }
        }
        let catch_up = self.context.catch_up_ms;
        if catch_up > MOST_CATCH_UP {
            let message = format!(
                "{catch_up} ms is too long to wait for the watch; use at most {MOST_CATCH_UP}"
            );
            return wrong("/context/catchUpMs", message);
        }
        let checked =
            writers::check(&self.writers).and_then(|()| exceptions::check(&self.exceptions));
        checked.map_err(|(field, message)| {
            Error::new(Code::InvalidValue, message).at(format!("/{field}"))
        })?;
        self.policies.check()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use slicewise::model::read::read_text;

    #[test]
    fn reviews_wait_for_the_watch_for_a_bounded_time() {
        let config = |wait: u32| {
            let text = json!({"context": {"catchUpMs": wait}}).to_string();
            read_text::<ReviewerConfig>(&text).unwrap()
        };
        assert_eq!(ReviewerConfig::default().context.catch_up_ms, 250);
        assert_eq!(config(5000).check(), Ok(()));
        let error = config(5001).check().unwrap_err();
        assert_eq!(error.path(), Some("/context/catchUpMs"));
    }

    #[test]
    fn values_of_another_type_are_refused_with_the_wanted_one() {
        for (config, message) in [
            (json!({"ownService": 1}), "a string"),
            (json!({"policies": {"slice-shape": {"mode": 1}}}), "a mode"),
            (
                json!({"policies": {"expression": {"variables": [{"name": "a", "expression": 1}]}}}),
                "an expression",
            ),
        ] {
            let error = read_text::<ReviewerConfig>(&config.to_string());
            let error = error.unwrap_err().message;
            assert!(error.contains(message), "{error}");
        }
    }
}
