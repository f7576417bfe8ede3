//! The configuration of a reviewer: its policies, and what counts as knowing the cluster.

use alloc::format;
use alloc::string::String;

use super::policies::Policies;
use crate::model::object::slim_object;
use crate::model::text::shorten;
use crate::{Code, Error};

slim_object! {
    /// The configuration of a reviewer. What is left out has its default.
    #[derive(Clone, Debug, Default)]
    pub struct ReviewerConfig("reviewer configuration") refuse {
        /// The policies by name.
        "policies" pub policies: Policies;
        /// What counts as knowing the cluster.
        "context" pub context: ContextSettings;
        /// Namespace and name of the Service that leads to this reviewer: `slicewise/webhook`. What is written of it is
        /// never refused, so that it cannot cut itself off.
        "ownService" pub own_service: String;
    }
}

slim_object! {
    /// What counts as knowing the cluster.
    #[derive(Clone, Debug)]
    pub struct ContextSettings("settings of the context") refuse {
        /// What was last heard of longer ago does not count. Seconds, default 60.
        "maxAgeSeconds" pub max_age_seconds: u32;
    }
}

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            max_age_seconds: 60,
        }
    }
}

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
        self.policies.check()
    }
}
