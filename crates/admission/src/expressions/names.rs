//! What expressions may name.

use crate::cel::{DeclaredNames, HostFields, Name, Program, ValueKind};

/// All of them, each identified by its index.
pub(crate) const NAMES: &DeclaredNames = &[
    Name {
        name: "object",
        fields: HostFields::Any,
    },
    Name {
        name: "oldObject",
        fields: HostFields::Any,
    },
    Name {
        name: "request",
        fields: HostFields::Among(&[
            "uid",
            "kind",
            "resource",
            "subResource",
            "requestKind",
            "requestResource",
            "requestSubResource",
            "name",
            "namespace",
            "operation",
            "userInfo",
            "dryRun",
            "options",
        ]),
    },
    Name {
        name: "plan",
        fields: HostFields::Each(&[
            ("service", ValueKind::String),
            ("before", ValueKind::Dyn),
            ("after", ValueKind::Dyn),
            ("lost", ValueKind::Int),
            ("hints", ValueKind::List),
        ]),
    },
    Name {
        name: "context",
        fields: HostFields::Each(&[
            ("known", ValueKind::Bool),
            ("stale", ValueKind::Bool),
            ("service", ValueKind::Dyn),
            ("slices", ValueKind::List),
            ("nodes", ValueKind::Map),
            ("zones", ValueKind::List),
        ]),
    },
    Name {
        name: "params",
        fields: HostFields::Any,
    },
    Name {
        name: "namespaceObject",
        fields: HostFields::Among(&["metadata", "spec", "status"]),
    },
];

/// A value that is computed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueSource {
    Object,
    OldObject,
    Request,
    Plan(PlanField),
    Context(ContextField),
    Params,
    NamespaceObject,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlanField {
    Service,
    Before,
    After,
    Lost,
    Hints,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContextField {
    Known,
    Stale,
    Service,
    Slices,
    Nodes,
    Zones,
}

impl ValueSource {
    /// The value at these indices of [`NAMES`].
    pub(crate) fn at(name: usize, field: usize) -> Option<Self> {
        use {ContextField as Context, PlanField as Plan};
        const PLAN: [Plan; 5] = [
            Plan::Service,
            Plan::Before,
            Plan::After,
            Plan::Lost,
            Plan::Hints,
        ];
        const CONTEXT: [Context; 6] = [
            Context::Known,
            Context::Stale,
            Context::Service,
            Context::Slices,
            Context::Nodes,
            Context::Zones,
        ];
        match name {
            0 => Some(Self::Object),
            1 => Some(Self::OldObject),
            2 => Some(Self::Request),
            3 => PLAN.get(field).copied().map(Self::Plan),
            4 => CONTEXT.get(field).copied().map(Self::Context),
            5 => Some(Self::Params),
            _ => Some(Self::NamespaceObject),
        }
    }

    /// Does it tell whether the cluster is known? An expression that asks can do without.
    pub(crate) const fn tells_what_is_known(self) -> bool {
        matches!(
            self,
            Self::Context(ContextField::Known | ContextField::Stale)
        )
    }
}

/// Does a program name this value?
pub(crate) fn uses(program: &Program, source: ValueSource) -> bool {
    let used = program.names().iter();
    used.filter_map(|used| ValueSource::at(used.name, used.field))
        .any(|used| used == source)
}
