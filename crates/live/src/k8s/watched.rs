//! The kinds of objects that plans depend on, as received from watches.

use k8s_openapi::Metadata;
use k8s_openapi::api::core::v1 as core;
use k8s_openapi::api::discovery::v1 as discovery;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use slicewise::Error;
use slicewise::k8s::read::text;
use slicewise::model::NamespacedName;

use crate::session::event::{Kind, PlanObject, Versioned};

mod sealed {
    #[expect(unnameable_types, reason = "nobody else is to implement it")]
    pub trait Sealed {}
}

/// A kind of objects that plans depend on: Services, Pods, Nodes, EndpointSlices.
pub trait WatchedKind: Metadata<Ty = ObjectMeta> + sealed::Sealed {
    /// The kind.
    const WHICH: Kind;

    /// The object in the form that events take, for a [`Session`](crate::session::Session) or a custom
    /// [`Controller`](crate::controller::Controller).
    ///
    /// # Errors
    /// When it holds a value that cannot be used.
    fn versioned(&self) -> Result<Versioned<'_>, Error>;

    /// Namespace and name; a Node's namespace is empty.
    fn key(&self) -> NamespacedName {
        let metadata = self.metadata();
        NamespacedName {
            namespace: metadata.namespace.clone().unwrap_or_default(),
            name: metadata.name.clone().unwrap_or_default(),
        }
    }
}

macro_rules! watched {
    ($($Type:ty => $Kind:ident |$object:ident| $read:expr;)*) => {
        $(
            impl sealed::Sealed for $Type {}

            impl WatchedKind for $Type {
                const WHICH: Kind = Kind::$Kind;

                fn versioned(&self) -> Result<Versioned<'_>, Error> {
                    let $object = self;
                    let resource_version = text(&self.metadata.resource_version);
                    Ok(Versioned::new(PlanObject::$Kind($read), resource_version))
                }
            }
        )*
    };
}

watched! {
    core::Service => Service |service| service.into();
    core::Pod => Pod |pod| pod.try_into()?;
    core::Node => Node |node| node.try_into()?;
    discovery::EndpointSlice => EndpointSlice |slice| slice.into();
}
