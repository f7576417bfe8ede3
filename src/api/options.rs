//! Checks that this build supports the options of a plan.

use alloc::format;

use crate::kubernetes::KubernetesVersion;
use crate::model::text::shorten;
use crate::plan::patches::PatchKind;
use crate::plan::request::Options;
use crate::{Code, Error, IS_SMALL};

/// Checks the options of callers that plan repeatedly, which get neither explanations nor patches.
///
/// # Errors
/// `Unsupported` for what this build cannot do.
pub fn check_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    refuse_explain(options, path)?;
    refuse_patches(options, path)?;
    refuse_what_is_gone(options, path)
}

/// Checks the options of plans over typed objects, which may request patches.
///
/// # Errors
/// Same as [`check_options`].
#[cfg(feature = "k8s-openapi")]
#[doc(hidden)]
pub fn check_typed_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if options.explain == Some(true) {
        let message = "typed objects are explained by `k8s::Objects`; leave `explain` out here";
        return Err(Error::new(Code::Unsupported, message).at(format!("{path}/explain")));
    }
    check_explained_options(options, path)
}

/// Checks the options of a plan from scratch, which may request patches.
///
/// # Errors
/// Same as [`check_options`].
#[doc(hidden)]
pub fn check_plan_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    refuse_explain(options, path)?;
    check_explained_options(options, path)
}

fn refuse_explain(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if options.explain == Some(true) {
        return Err(not_here("explanations", "explain").at(format!("{path}/explain")));
    }
    Ok(())
}

fn refuse_patches(options: &Options<'_>, path: &str) -> Result<(), Error> {
    if !options.patches.is_empty() {
        return Err(not_here("patches", "patches").at(format!("{path}/patches")));
    }
    Ok(())
}

fn not_here(what: &str, option: &str) -> Error {
    let message =
        format!("{what} are in `slicewise/tools` and the command; leave `{option}` out here");
    Error::new(Code::Unsupported, message)
}

/// Checks all that those have to check who explain their plans.
///
/// # Errors
/// `InvalidValue` for a kind of patch that does not exist, or a setting that the version of Kubernetes does not have;
/// `Unsupported` for patches in a small module.
#[doc(hidden)]
pub fn check_explained_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    refuse_what_is_gone(options, path)?;
    if IS_SMALL {
        return refuse_patches(options, path);
    }
    for (index, name) in options.patches.iter().enumerate() {
        if name.parse::<PatchKind>().is_err() {
            let message = format!(
                "`{}` is not a kind of patch; use `json`, `merge` or `apply`",
                shorten(name)
            );
            return Err(
                Error::new(Code::InvalidValue, message).at(format!("{path}/patches/{index}"))
            );
        }
    }
    Ok(())
}

fn refuse_what_is_gone(options: &Options<'_>, path: &str) -> Result<(), Error> {
    let (version, asked) = (options.kubernetes, options.prefer_same_traffic_distribution);
    check_prefer_same(version, asked, path).map(|_| ())
}

/// Whether a version of Kubernetes assigns and follows hints for `PreferSameZone` and `PreferSameNode`.
///
/// # Errors
/// `InvalidValue` if they are to be off and cannot be: a setting that would be ignored must not look as if it took effect.
#[doc(hidden)]
pub fn check_prefer_same(
    version: Option<KubernetesVersion>,
    asked: Option<bool>,
    path: &str,
) -> Result<bool, Error> {
    let is_on = version.unwrap_or_default().prefers_same(asked);
    if asked.is_none_or(|asked| asked == is_on) {
        return Ok(is_on);
    }
    let message = "since Kubernetes 1.38 this cannot be turned off; leave it out";
    let place = format!("{path}/preferSameTrafficDistribution");
    Err(Error::new(Code::InvalidValue, message).at(place))
}
