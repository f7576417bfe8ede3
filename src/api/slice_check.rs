//! Checks that slices are slices.

use alloc::format;

use crate::model::EndpointSlice;
use crate::model::endpoint_slice::{API_VERSION, KIND};
use crate::model::read::wrong_claim;
use crate::{Code, Error};

/// Checks that slices are slices and have an address type.
pub fn check_slices(path: &str, slices: &[EndpointSlice<'_>]) -> Result<(), Error> {
    for (index, slice) in slices.iter().enumerate() {
        check_one_slice(slice).map_err(|error| error.below(&format!("{path}/{index}")))?;
    }
    Ok(())
}

/// Checks one slice.
pub(crate) fn check_one_slice(slice: &EndpointSlice<'_>) -> Result<(), Error> {
    let claims = [
        ("/kind", &slice.kind, KIND),
        ("/apiVersion", &slice.api_version, API_VERSION),
    ];
    for (path, claimed, expected) in claims {
        if let Some(message) = wrong_claim(claimed, expected) {
            return Err(Error::new(Code::InvalidValue, message).at(path));
        }
    }
    if slice.address_type.is_empty() {
        let message = "a slice needs `addressType`: IPv4, IPv6 or FQDN";
        return Err(Error::new(Code::MissingField, message).at("/addressType"));
    }
    Ok(())
}
