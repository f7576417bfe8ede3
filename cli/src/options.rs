//! Options of plans, checked during argument parsing so that errors name the flag.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::plan::request::Options;
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::{EndpointsPerSlice, ManagedBy, NoLabelValue};

/// The options of a request; the command line overrides those in the input.
#[derive(clap::Args)]
#[command(next_help_heading = "Options of the plan")]
pub(crate) struct OptionArgs {
    /// Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]
    #[arg(long, value_name = "NAME", value_parser = managed_by)]
    managed_by: Option<ManagedBy<'static>>,

    /// Endpoints per slice, 1 to 1000 [default: 100]
    #[arg(long, value_name = "N", value_parser = endpoints_per_slice())]
    max_endpoints_per_slice: Option<EndpointsPerSlice>,

    /// Set hints for the topology-mode annotation; false means a controller without a topology
    /// cache [default: true]
    #[arg(long, value_name = "BOOL")]
    topology_hints: Option<bool>,

    /// The version of Kubernetes whose controller decides [default: 1.37]
    #[arg(long, value_name = "VERSION", value_parser = kubernetes())]
    kubernetes: Option<KubernetesVersion>,

    /// Support trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]
    #[arg(long, value_name = "BOOL")]
    prefer_same_traffic_distribution: Option<bool>,

    /// How to distribute endpoints over slices [default: upstream]
    #[arg(long, value_name = "NAME", value_parser = packing())]
    packing: Option<Packing>,
}

impl OptionArgs {
    /// Converts them to a request's options.
    pub(crate) fn options(&self) -> Options<'_> {
        let mut options = Options::default();
        options.managed_by = self.managed_by.clone();
        options.max_endpoints_per_slice = self.max_endpoints_per_slice;
        options.topology_hints = self.topology_hints;
        options.kubernetes = self.kubernetes;
        options.prefer_same_traffic_distribution = self.prefer_same_traffic_distribution;
        options.packing = self.packing;
        options
    }
}

/// Parses a value of the managed-by label.
pub(crate) fn managed_by(name: &str) -> Result<ManagedBy<'static>, NoLabelValue> {
    ManagedBy::new(name.to_owned())
}

/// Parses a number from 1 to 1000.
pub(crate) fn endpoints_per_slice() -> impl TypedValueParser<Value = EndpointsPerSlice> {
    let number = clap::value_parser!(u32).range(1..=i64::from(EndpointsPerSlice::MAX));
    number.map(|number| EndpointsPerSlice::new(number).unwrap_or_default())
}

/// Parses a version of Kubernetes.
pub(crate) fn kubernetes() -> impl TypedValueParser<Value = KubernetesVersion> {
    let names = PossibleValuesParser::new(KubernetesVersion::ALL.map(KubernetesVersion::name));
    names.map(|name| name.parse().unwrap_or_default())
}

/// Parses the name of a packing.
pub(crate) fn packing() -> impl TypedValueParser<Value = Packing> {
    let names = PossibleValuesParser::new(Packing::ALL.map(Packing::name));
    names.map(|name| name.parse().unwrap_or_default())
}
