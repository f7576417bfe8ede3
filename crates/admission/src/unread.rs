//! Which objects that cannot be read matter to a question: they make its answer uncertain, and no other.

use alloc::format;
use core::net::IpAddr;

use super::context::{ClusterUnknown, ClusterView};
use slicewise::membership::selector::matches;
use slicewise::model::kind::Kind;
use slicewise::model::{Service, StringMap, keys};
use slicewise_live::session::unreadable::UnreadableMark;

/// What a policy is about to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PolicyConcern<'q> {
    /// A Service.
    Service(&'q str),
    /// The slices of a Service, except the one that is being written.
    Slices { of: &'q str, but: &'q str },
    /// The pods that a selector selects.
    Pods(&'q StringMap<'q>),
    /// A pod.
    Pod(&'q str),
    /// The pods that have an address.
    Address(IpAddr),
    /// All nodes, except the one that is being written.
    Nodes { but: &'q str },
}

impl PolicyConcern<'_> {
    const fn kind(&self) -> Kind {
        match self {
            Self::Service(_) => Kind::Service,
            Self::Slices { .. } => Kind::EndpointSlice,
            Self::Pods(_) | Self::Pod(_) | Self::Address(_) => Kind::Pod,
            Self::Nodes { .. } => Kind::Node,
        }
    }

    /// Could the object be among what is looked at? What cannot be told of it may be anything.
    fn includes(&self, name: &str, mark: &UnreadableMark) -> bool {
        let labels = mark.labels.as_ref();
        match self {
            Self::Service(wanted) | Self::Pod(wanted) => name == *wanted,
            Self::Slices { of, but } => {
                let label = |labels: &StringMap<'_>| {
                    let service = labels.get(keys::SERVICE_NAME_LABEL);
                    service.is_some_and(|service| service.as_str() == *of)
                };
                name != *but && labels.is_none_or(label)
            }
            Self::Pods(selector) => {
                !selector.is_empty() && labels.is_none_or(|labels| matches(selector, labels))
            }
            Self::Address(address) => {
                let addresses = mark.addresses.as_ref();
                addresses.is_none_or(|addresses| addresses.contains(address))
            }
            Self::Nodes { but } => name != *but,
        }
    }
}

impl ClusterView<'_> {
    /// Could everything be read that concerns this, as far as it is known?
    ///
    /// # Errors
    /// A message that names an object of the namespace, or a node, that could not be read.
    pub(crate) fn has_read(&self, concern: PolicyConcern<'_>) -> Result<(), ClusterUnknown> {
        let kind = concern.kind();
        let namespace = match kind {
            Kind::Node => "",
            _ => self.namespace(),
        };
        let mut unread = self.session().unreadable_in(kind, namespace);
        match unread.find(|(name, mark)| concern.includes(name, mark)) {
            Some((name, _)) => {
                Err(self.unknown(format!("{} {name} could not be read", kind.as_str())))
            }
            None => Ok(()),
        }
    }

    /// The same for the pods of a Service, and the nodes they may run on.
    pub(crate) fn has_read_endpoints<'s>(
        &self,
        services: impl IntoIterator<Item = &'s Service<'s>>,
    ) -> Result<(), ClusterUnknown> {
        self.has_read(PolicyConcern::Nodes { but: "" })?;
        let selectors = services
            .into_iter()
            .filter_map(|service| service.spec.selector.as_ref());
        for selector in selectors {
            self.has_read(PolicyConcern::Pods(selector))?;
        }
        Ok(())
    }
}
