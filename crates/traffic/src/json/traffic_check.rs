//! What a traffic request must hold.

use alloc::collections::BTreeSet;
use alloc::format;

use slicewise::api::names::check_names;
use slicewise::api::slice_check::check_slices;
use slicewise::model::text::shorten;
use slicewise::{Code, Error};

use super::route::nodes::NodePlace;
use super::route::read::check_sizes;
use super::traffic::TrafficRequest;

/// Checks a request; `places` are its nodes.
pub(super) fn check(request: &TrafficRequest<'_>, places: &[NodePlace]) -> Result<(), Error> {
    check_names("/slices", &request.slices)?;
    check_slices("/slices", &request.slices)?;
    check_sizes(&request.slices)?;
    if request.service.metadata.name.is_empty() {
        let error = Error::new(Code::InvalidValue, "a Service needs a name");
        return Err(error.at("/service/metadata/name"));
    }
    let mut nodes = BTreeSet::new();
    for (index, node) in places.iter().enumerate() {
        if node.name.is_empty() {
            let message = "a node needs a name; give a Node, or `{\"name\": …, \"labels\": {…}}`";
            return Err(Error::new(Code::MissingField, message).at(format!("/nodes/{index}")));
        }
        if !nodes.insert(node.name.as_str()) {
            return Err(twice("node", &node.name).at(format!("/nodes/{index}")));
        }
    }
    let mut clients = BTreeSet::new();
    for (index, client) in request.clients.iter().enumerate() {
        let path = format!("/clients/{index}/node");
        if !nodes.contains(client.node.as_str()) {
            let message = format!("`{}` is not among the nodes", shorten(&client.node));
            return Err(Error::new(Code::InvalidValue, message).at(path));
        }
        if !clients.insert(client.node.as_str()) {
            return Err(twice("client", &client.node).at(path));
        }
    }
    Ok(())
}

fn twice(what: &str, name: &str) -> Error {
    let message = format!("the {what} `{}` appears twice", shorten(name));
    Error::new(Code::DuplicateName, message)
}
