//! Checks Endpoints.

use alloc::format;
use alloc::string::ToString;

use crate::model::read::wrong_claim;
use crate::model::{Endpoints, endpoints};
use crate::{Code, Error};

/// Checks that an object is an Endpoints object with a name.
pub fn check_endpoints(endpoints: &Endpoints<'_>, path: &str) -> Result<(), Error> {
    let claims = [
        ("kind", &endpoints.kind, endpoints::KIND),
        ("apiVersion", &endpoints.api_version, endpoints::API_VERSION),
    ];
    for (field, claimed, expected) in claims {
        if let Some(message) = wrong_claim(claimed, expected) {
            return Err(Error::new(Code::InvalidValue, message).at(format!("{path}/{field}")));
        }
    }
    if endpoints.metadata.name.is_empty() {
        let message = "Endpoints need a name, which is that of their Service".to_string();
        return Err(Error::new(Code::MissingField, message).at(format!("{path}/metadata/name")));
    }
    Ok(())
}
