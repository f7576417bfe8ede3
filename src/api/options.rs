//! Checks that this build supports the options of a plan.

use alloc::format;

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
    refuse_patches(options, path)
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
    check_patches(options, path)
}

/// Checks the options of a plan from scratch, which may request patches.
///
/// # Errors
/// Same as [`check_options`].
#[doc(hidden)]
pub fn check_plan_options(options: &Options<'_>, path: &str) -> Result<(), Error> {
    refuse_explain(options, path)?;
    check_patches(options, path)
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

/// Checks the kinds of patches: all that those have to check who explain their plans.
///
/// # Errors
/// `InvalidValue` for one that does not exist, `Unsupported` in a small module.
#[doc(hidden)]
pub fn check_patches(options: &Options<'_>, path: &str) -> Result<(), Error> {
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
