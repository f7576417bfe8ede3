//! The parts of the proxy stream's schemas that differ from the types that read and write it: a field that is read
//! later, and answers written directly from the proxy's state.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use schemars::JsonSchema;
use slicewise::Error;
use slicewise::model::NamespacedName;
use slicewise::model::describe::{KubernetesObject, schema_of};

use super::answer::{
    AllEndpoints, AllRoutes, NameList, NumbersByService, ProxyEndpoint, ProxyUpdate, Route,
    TriggerTimes,
};
use super::record::Flows;
use crate::proxy::ServicePortName;

/// A line of a proxy's stream: a watch event, or a question.
#[derive(JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum ProxyLine {
    /// A watch event.
    Event {
        /// The type of the event.
        #[serde(rename = "type")]
        event_type: ProxyEventType,
        /// A Service, an EndpointSlice or a Node.
        #[schemars(with = "KubernetesObject")]
        object: (),
    },
    /// A question.
    Question {
        /// What to return.
        sync: ProxyQuestion,
    },
}

#[derive(JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "WatchEventType")]
pub enum ProxyEventType {
    Added,
    Modified,
    Deleted,
    Bookmark,
}

#[derive(JsonSchema)]
#[schemars(rename = "ProxyQuestion")]
#[serde(untagged)]
pub enum ProxyQuestion {
    /// Changes, endpoints and routes.
    #[schemars(with = "bool", extend("const" = true))]
    All,
    /// The same without routes.
    #[schemars(with = "String", extend("const" = "endpoints"))]
    Endpoints,
    /// Changes, endpoints and routes, and which of the given flows are stale.
    Flows(Flows<'static>),
}

/// The answer to a question, or the error for a line that could not be read.
#[derive(JsonSchema)]
#[serde(untagged)]
pub enum ProxyAnswer {
    /// The changes since the last question, and the current endpoints.
    Update(ProxyUpdate<'static>),
    /// The line could not be read.
    Failure {
        /// What is wrong, where, and how to fix it.
        error: Error,
    },
}

schema_of! {
    NameList<'_, NamespacedName> => Vec<String>;
    NameList<'_, ServicePortName> => Vec<String>;
    NumbersByService<u16> => BTreeMap<String, u16>;
    NumbersByService<usize> => BTreeMap<String, usize>;
    TriggerTimes<'_> => BTreeMap<String, Vec<String>>;
    AllEndpoints<'_> => BTreeMap<String, Vec<ProxyEndpoint<'static>>>;
    AllRoutes<'_> => BTreeMap<String, Route>;
}
