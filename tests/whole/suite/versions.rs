//! The golden files of each version of Kubernetes: what it answers otherwise than the default one.

use std::path::PathBuf;

use serde_json::Value;

use crate::kubernetes::{Behavior, KubernetesVersion};

/// The folder of all golden files.
pub(crate) fn folder() -> PathBuf {
    crate::suite::from_root("pkg-tests/differential")
}

/// The golden file of that name, which a version has for itself if its answers differ.
pub(crate) fn golden(version: KubernetesVersion, name: &str) -> PathBuf {
    own(version, name).unwrap_or_else(|| folder().join(name))
}

/// The golden file that a version has for itself.
pub(crate) fn own(version: KubernetesVersion, name: &str) -> Option<PathBuf> {
    let own = folder().join(version.name()).join(name);
    own.exists().then_some(own)
}

/// Asks for a version, without the settings that it does not have.
pub(crate) fn adapt(options: &mut Value, version: KubernetesVersion) {
    if version == KubernetesVersion::default() {
        return;
    }
    options["kubernetes"] = version.name().into();
    if !version.has(Behavior::PreferSameGate)
        && let Some(options) = options.as_object_mut()
    {
        options.remove("preferSameTrafficDistribution");
    }
}

/// A version without golden files would pass all tests as another one.
#[test]
fn every_other_version_has_files_for_itself() {
    for version in KubernetesVersion::ALL {
        let is_default = version == KubernetesVersion::default();
        assert_eq!(folder().join(version.name()).exists(), !is_default);
    }
}
