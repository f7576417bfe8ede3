//! Programs besides the control plane that write slices, Endpoints and load balancers' addresses: the setting `writers`
//! names those that a cluster runs.
//!
//! A writer may lead traffic where its kind of work needs it, beyond the pods of the namespace, and nowhere else. Every
//! other rule applies to it as to anybody.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::policies::slice_ownership::Manager;
use crate::request::{Request, ReviewSubject};
use crate::users::NamedUsers;
use slicewise::model::text::shorten;

/// A program that writes slices, Endpoints or load balancers' addresses.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    /// Its name in the setting `writers`.
    pub(crate) name: &'static str,
    /// The values of the managed-by label on its slices.
    pub(crate) managed_by: &'static [&'static str],
    /// The users that it is, as its own manifests install it.
    pub(crate) users: &'static [&'static str],
    /// Where its endpoints lead, besides pods of the namespace.
    pub(crate) leads: Leads,
    /// Does it write the addresses of load balancers?
    pub(crate) balances: bool,
}

/// Where the endpoints of a writer lead, besides pods of the namespace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    /// Nowhere else.
    Nowhere,
    /// To other clusters: addresses that no pod of another namespace has.
    OtherClusters,
    /// To the nodes that they name as their target.
    Nodes,
    /// To pods of this namespace.
    Namespace(&'static str),
}

/// All of them by name, with what their sources write.
const WRITERS: &[Writer] = &[
    // Endpoints of imported Services (`multicluster/controllers/multicluster/member`).
    Writer {
        name: "antrea",
        managed_by: &[],
        users: &["system:serviceaccount:kube-system:antrea-mc-controller"],
        leads: Leads::OtherClusters,
        balances: false,
    },
    // Slices of global Services (`pkg/clustermesh/endpointslicesync`).
    Writer {
        name: "cilium-clustermesh",
        managed_by: &["endpointslice-mesh-controller.cilium.io"],
        users: &["system:serviceaccount:kube-system:cilium-operator"],
        leads: Leads::OtherClusters,
        balances: false,
    },
    // Neither slices nor Endpoints nor the status of Services.
    Writer {
        name: "istio",
        managed_by: &[],
        users: &[],
        leads: Leads::Nowhere,
        balances: false,
    },
    // Slices of MultiClusterServices (`pkg/controllers/multiclusterservice`), as one service account per cluster.
    Writer {
        name: "karmada",
        managed_by: &["endpointslice-dispatch-controller.karmada.io"],
        users: &[
            "system:serviceaccount:karmada-cluster:*",
            "system:serviceaccount:karmada-system:karmada-agent-sa",
        ],
        leads: Leads::OtherClusters,
        balances: false,
    },
    // Endpoints of public Services, which lead to the activator while it buffers (`pkg/reconciler/serverlessservice`).
    Writer {
        name: "knative",
        managed_by: &[],
        users: &["system:serviceaccount:knative-serving:controller"],
        leads: Leads::Namespace("knative-serving"),
        balances: false,
    },
    // Endpoints of mirrored Services, as one service account per link (`multicluster/service-mirror`).
    Writer {
        name: "linkerd-multicluster",
        managed_by: &[],
        users: &["system:serviceaccount:linkerd-multicluster:*"],
        leads: Leads::OtherClusters,
        balances: false,
    },
    // The status of Services (`controller`).
    Writer {
        name: "metallb",
        managed_by: &[],
        users: &["system:serviceaccount:metallb-system:controller"],
        leads: Leads::Nowhere,
        balances: true,
    },
    // Slices and Endpoints of the kubelets (`pkg/kubelet`).
    Writer {
        name: "prometheus-operator",
        managed_by: &["prometheus-operator"],
        users: &[
            "system:serviceaccount:default:prometheus-operator",
            "system:serviceaccount:monitoring:prometheus-operator",
        ],
        leads: Leads::Nodes,
        balances: false,
    },
    // Slices of imported Services (`pkg/agent/controller` of Lighthouse).
    Writer {
        name: "submariner",
        managed_by: &["lighthouse-agent.submariner.io"],
        users: &["system:serviceaccount:submariner-operator:submariner-lighthouse-agent"],
        leads: Leads::OtherClusters,
        balances: false,
    },
];

/// The first name that no writer has, with the path below the setting.
pub(crate) fn check(names: &[String]) -> Result<(), (String, String)> {
    let is_unknown = |name: &str| WRITERS.iter().all(|writer| writer.name != name);
    let mut numbered = names.iter().enumerate();
    let Some((place, name)) = numbered.find(|(_, name)| is_unknown(name)) else {
        return Ok(());
    };
    let known: Vec<_> = WRITERS.iter().map(|writer| writer.name).collect();
    let message = format!(
        "`{}` is no known writer; those are {}; allow another one by `managers` of slice-ownership and `exemptUsers`",
        shorten(name),
        known.join(", ")
    );
    Err((format!("writers/{place}"), message))
}

/// Sets of [`WRITERS`], a bit for each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Writers {
    /// Those that the cluster runs.
    configured: u32,
    /// Those of them that make the request; at rest, those that may have written the object.
    writing: u32,
    /// The one that seems to make the request and is not configured, by its bit.
    unlisted: u32,
}

const _: () = assert!(WRITERS.len() <= 32, "a bit for each");

impl Writers {
    pub(crate) const NONE: Self = Self {
        configured: 0,
        writing: 0,
        unlisted: 0,
    };

    /// The writers of a request, or of an object at rest, whose author is unknown.
    pub(crate) fn of(
        names: &[String],
        managers: &[Manager],
        request: &Request<'_>,
        at_rest: bool,
    ) -> Self {
        let managed_by = match &request.subject {
            ReviewSubject::EndpointSlice(change) => {
                let slice = change.after().or_else(|| change.before());
                slice.map(|slice| slice.managed_by().unwrap_or_default())
            }
            _ => None,
        };
        let mut writers = Self::NONE;
        for (number, writer) in WRITERS.iter().enumerate() {
            let bit = 1 << number;
            let is_marked = managed_by.is_some_and(|by| writer.managed_by.contains(&by));
            let is_it = if at_rest {
                is_marked || managed_by.is_none() && writer.leads != Leads::Nowhere
            } else {
                writer.is(request, managers)
            };
            let is_configured = names.iter().any(|name| name == writer.name);
            if is_configured {
                writers.configured |= bit;
                writers.writing |= if is_it { bit } else { 0 };
            } else if is_marked || is_it && !at_rest {
                writers.unlisted |= bit;
            }
        }
        writers
    }

    /// The writers that make the request.
    pub(crate) fn writing(self) -> impl Iterator<Item = &'static Writer> {
        in_set(self.writing)
    }

    /// The writer whose slices these are, if the cluster runs it.
    pub(crate) fn managing(self, managed_by: &str) -> Option<&'static Writer> {
        in_set(self.configured).find(|writer| writer.managed_by.contains(&managed_by))
    }

    /// What to add to a message about the writer that is not configured.
    pub(crate) fn hint(self) -> String {
        match in_set(self.unlisted).next() {
            Some(Writer { name, .. }) => {
                format!(
                    "; {name} writes such objects: if this is it, allow it by `writers: [{name}]`"
                )
            }
            None => String::new(),
        }
    }
}

fn in_set(set: u32) -> impl Iterator<Item = &'static Writer> {
    let numbered = WRITERS.iter().enumerate();
    numbered.filter_map(move |(number, writer)| (set & (1 << number) != 0).then_some(writer))
}

impl Writer {
    /// Does it make the request? It is whom its own manifests say, and whom `managers` names for its slices.
    pub(crate) fn is(&self, request: &Request<'_>, managers: &[Manager]) -> bool {
        let mut named = managers.iter();
        NamedUsers::only(self.users).has(request)
            || named.any(|manager| {
                self.managed_by.contains(&manager.managed_by.as_str()) && manager.is(request)
            })
    }
}

#[cfg(test)]
mod tests;
