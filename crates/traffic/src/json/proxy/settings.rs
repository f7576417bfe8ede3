//! The settings of a proxy, as JSON.

use alloc::format;
use alloc::string::ToString;

use slicewise::api::options::check_prefer_same;
use slicewise::api::{Given, Limits};
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;
use slicewise::model::{AddressType, StringMap, Text, Timestamp, keys};
use slicewise::{Code, Error};

use super::ProxyStream;
use crate::proxy::ProxierSettings;

slim_object! {
    /// The settings of a proxy, as given by the flags of `slicewise proxy`.
    #[derive(Debug, Default)]
    pub struct ProxySettings<'a>("settings of a proxy") refuse {
        /// The name of the node it runs on.
        "node" pub node: Text<'a> = required;
        /// The node's labels, used until its Node object is received. Only the zone matters.
        "nodeLabels" pub node_labels: StringMap<'a>;
        /// `IPv4` or `IPv6`. Default `IPv4`.
        "addressType" pub address_type: Option<Text<'a>> as AddressType;
        /// The start time of the proxy; only later trigger times are reported.
        "started" pub started: Option<Timestamp>;
        /// The version of Kubernetes that the proxy is of. Default `1.37`, the newest release.
        "kubernetes" pub kubernetes: Option<KubernetesVersion> as Option<Text<'a>> where KubernetesVersion::ALL.map(|version| version.name());
        /// Whether hints for nodes are used. Default true; Kubernetes 1.38 always does, and refuses false.
        "preferSameTrafficDistribution" pub prefer_same_traffic_distribution: Option<bool>;
    }
}

impl ProxyStream {
    /// A proxy with settings as JSON: the flags of `slicewise proxy`, in camel case.
    ///
    /// # Errors
    /// When they cannot be read or hold a value that cannot be used.
    pub fn with_settings<'s>(
        settings: impl Into<Given<'s>>,
        limits: Limits,
    ) -> Result<Self, Error> {
        let settings = settings.into();
        let given: ProxySettings<'_> = settings.read(limits)?;
        let family = address_type(given.address_type.as_deref());
        let family = family.map_err(|error| settings.locate(error))?;
        let zone = given.node_labels.get(keys::ZONE_LABEL);
        let defaults = ProxierSettings::on_node(given.node.as_str());
        let asked = given.prefer_same_traffic_distribution;
        let follows = node_hints(given.kubernetes, asked);
        Ok(Self::new(ProxierSettings {
            zone: zone.map(ToString::to_string).unwrap_or_default(),
            address_type: family.unwrap_or(defaults.address_type),
            started: given.started,
            prefer_same_traffic_distribution: follows.map_err(|error| settings.locate(error))?,
            kubernetes: given.kubernetes.unwrap_or_default(),
            ..defaults
        }))
    }
}

/// Does the kube-proxy of a version follow hints for nodes, if that was asked for or not?
pub(in crate::json) fn node_hints(
    version: Option<KubernetesVersion>,
    asked: Option<bool>,
) -> Result<bool, Error> {
    check_prefer_same(version, asked, "")
}

/// An address family by its name.
pub(in crate::json) fn address_type(text: Option<&str>) -> Result<Option<AddressType>, Error> {
    let read = |name: &str| {
        AddressType::named(name).ok_or_else(|| {
            let message = format!(
                "`{}` is not an address family; it must be IPv4 or IPv6",
                shorten(name)
            );
            Error::new(Code::InvalidValue, message).at("/addressType")
        })
    };
    text.map(read).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(settings: &str, expected: &str) {
        let stream = ProxyStream::with_settings(settings.as_bytes(), Limits::default());
        let shown = match stream {
            Ok(stream) => {
                let settings = stream.proxier().settings();
                let started = settings.started.map(|time| time.to_string());
                format!(
                    "{} {} {} {} {}",
                    settings.node_name,
                    settings.zone,
                    settings.address_type.as_str(),
                    started.unwrap_or_default(),
                    settings.prefer_same_traffic_distribution
                )
            }
            Err(error) => format!(
                "{} {}",
                error.code().as_str(),
                error.path().unwrap_or_default()
            ),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn settings_are_the_flags() {
        check(r#"{"node": "n"}"#, "n  IPv4  true");
        check(
            r#"{"node": "n", "nodeLabels": {"topology.kubernetes.io/zone": "a"}, "addressType": "IPv6", "started": "2026-01-02T03:04:05Z", "preferSameTrafficDistribution": false}"#,
            "n a IPv6 2026-01-02T03:04:05Z false",
        );
        check(r#"{"node": "n", "kubernetes": "1.38"}"#, "n  IPv4  true");
        check(
            r#"{"node": "n", "kubernetes": "1.38", "preferSameTrafficDistribution": false}"#,
            "InvalidValue /preferSameTrafficDistribution",
        );
        check(
            r#"{"node": "n", "kubernetes": "1.36"}"#,
            "InvalidValue /kubernetes",
        );
        check("{}", "MissingField /node");
        check(r#"{"node": "n", "zone": "a"}"#, "UnknownField /zone");
        check(
            r#"{"node": "n", "addressType": "FQDN"}"#,
            "InvalidValue /addressType",
        );
        check(
            r#"{"node": "n", "started": "soon"}"#,
            "InvalidValue /started",
        );
    }
}
