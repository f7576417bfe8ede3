//! Values of options, checked where they are given, so that a mistake is told of the flag.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::{EndpointsPerSlice, ManagedBy, NoLabelValue};

/// The value of the managed-by label.
pub(super) fn managed_by(name: &str) -> Result<ManagedBy<'static>, NoLabelValue> {
    ManagedBy::new(name.to_owned())
}

/// 1 to 1000.
pub(super) fn endpoints_per_slice() -> impl TypedValueParser<Value = EndpointsPerSlice> {
    let number = clap::value_parser!(u32).range(1..=i64::from(EndpointsPerSlice::MAX));
    number.map(|number| EndpointsPerSlice::new(number).unwrap_or_default())
}

/// The name of a packing.
pub(super) fn packing() -> impl TypedValueParser<Value = Packing> {
    let names = PossibleValuesParser::new(Packing::ALL.map(Packing::name));
    names.map(|name| name.parse().unwrap_or_default())
}
