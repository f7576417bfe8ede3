//! The input lines: a configuration, and what happens when.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;
use core::time::Duration;

use crate::api_server::Refusal;
use slicewise::api::options::check_options;
use slicewise::json::Raw;
use slicewise::kubernetes::KubernetesVersion;
use slicewise::model::object::slim_object;
use slicewise::model::text::shorten;
use slicewise::model::{EndpointSlice, NamespacedName, Text, duration};
use slicewise::plan::request::Options;
use slicewise::reconcile::packing::Packing;
use slicewise::reconcile::{EndpointsPerSlice, ManagedBy};
use slicewise::{Code, Error};

use crate::controller::{Config, RetryLimits};

slim_object! {
    /// One line.
    #[derive(Default)]
    pub struct Record<'a>("line of a simulation") refuse {
        "config" pub(super) config: Option<ControllerConfig<'a>>;
        "at" pub(super) at: Option<i64>;
        "event" pub(super) event: Option<Raw<'a>>;
        "list" pub(super) list: Option<Raw<'a>>;
        "resync" pub(super) resync: bool;
        "metrics" pub(super) metrics: Option<Raw<'a>>;
        "result" pub(super) result: Option<SyncResult<'a>>;
        "refuse" pub(super) refuse: Option<RefusedWrites<'a>>;
    }
}

slim_object! {
    /// How plans are made, and how the controller and its environment behave. Durations are strings such as `500ms` or
    /// `1m30s`.
    #[derive(Default)]
    pub struct ControllerConfig<'a>("configuration of a simulation") refuse {
        /// Value of the managed-by label of the slices to plan. Default `endpointslice-controller.k8s.io`.
        "managedBy" managed_by: Option<ManagedBy<'a>> as Option<Text<'a>>;
        /// The maximum number of endpoints per slice, 1 to 1000. Default 100.
        "maxEndpointsPerSlice" max_endpoints_per_slice: Option<EndpointsPerSlice> as Option<u32> where 1..=EndpointsPerSlice::MAX;
        /// Whether the annotation for topology mode is honored. Default true.
        "topologyHints" topology_hints: Option<bool>;
        /// The version of Kubernetes whose controller is simulated. Default `1.37`, the newest release.
        "kubernetes" kubernetes: Option<KubernetesVersion> as Option<Text<'a>> where KubernetesVersion::ALL.map(|version| version.name());
        /// Whether the values `PreferSameZone` and `PreferSameNode` of `trafficDistribution` are honored. Default true.
        "preferSameTrafficDistribution" prefer_same_traffic_distribution: Option<bool>;
        /// How endpoints are distributed over slices. Default `upstream`.
        "packing" packing: Option<Packing> as Option<Text<'a>> where Packing::ALL.map(|packing| packing.name());
        /// Not supported here, because plans are made repeatedly.
        "explain" explain: Option<bool>;
        /// Not supported here, because plans are made repeatedly.
        "patches" patches: Vec<Text<'a>>;
        /// How long to wait for further changes after a change of pods, such as `500ms`. Default none.
        "endpointUpdatesBatchPeriod" endpoint_updates_batch_period: Option<Text<'a>>;
        /// The minimum delay before a sync after a change of slices. Default `1s`.
        "endpointSliceChangeMinSyncDelay" endpoint_slice_change_min_sync_delay: Option<Text<'a>>;
        /// The maximum number of Services synced at the same time, 1 to 50; only relevant with `apply: manual`. Default
        /// 5.
        "concurrentServiceEndpointSyncs" concurrent_service_endpoint_syncs: Option<u32> where 1..=50;
        /// The delay after the first failed sync of a Service; it doubles with each further failure. Default `1s`.
        "syncBackOff" sync_back_off: Option<Text<'a>>;
        /// The maximum delay after failed syncs. Default `1000s`.
        "maxSyncBackOff" max_sync_back_off: Option<Text<'a>>;
        /// The average number of retries per second, over all Services. Default 10.
        "retriesPerSecond" retries_per_second: Option<u32> where 1..=1_000_000;
        /// The number of retries that may happen at once, over all Services. Default 100.
        "retryBurst" retry_burst: Option<u32> where 1..=1_000_000;
        /// The number of retries after which a failing Service is dropped until it changes, at most 1000. Default 15.
        "maxRetries" max_retries: Option<u32>;
        /// Whether to wait until each of the four kinds has been listed before doing anything. Default false.
        "waitForSync" wait_for_sync: bool;
        /// Who writes plans: an API server in memory (`auto`, the default), or the caller, who reports the results
        /// (`manual`).
        "apply" apply: Option<Text<'a>> where ["auto", "manual"];
        /// The delay until the writes of `auto` come back as watch events. Default none.
        "watchLag" watch_lag: Option<Text<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    pub struct SyncResult<'a>("result of a sync") refuse {
        /// The Service, as `namespace/name`.
        "service" service: Text<'a> = required;
        /// Why the writes were refused; left out if they succeeded.
        "error" error: Option<Text<'a>> as WriteError;
        /// What the API server stored.
        "applied" pub(super) applied: Option<Written<'a>>;
    }
}

slim_object! {
    /// What the API server stored.
    #[derive(Default)]
    pub(super) struct Written<'a>("writes of a sync") refuse {
        /// The slices created, with their `uid` and `generation`.
        "created" pub(super) created: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
        /// The slices updated, with their `uid` and `generation`.
        "updated" pub(super) updated: Vec<EndpointSlice<'a>> as Vec<slicewise::model::describe::KubernetesObject>;
        /// The names of the slices deleted.
        "deleted" pub(super) deleted: Vec<Text<'a>>;
    }
}

slim_object! {
    #[derive(Default)]
    pub struct RefusedWrites<'a>("writes to refuse") refuse {
        /// Why the writes are refused.
        "error" error: Text<'a> as WriteError = required;
        /// The number of following writes to refuse, at most 1000. Default 1.
        "times" times: Option<u32>;
    }
}

/// Declares the refusals that a caller may name: how they are read, and their schema.
macro_rules! write_errors {
    ($($Name:ident),+ or $Last:ident) => {
        /// Why a write was refused.
        #[derive(schemars::JsonSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        enum WriteError {
            $($Name,)+
            $Last,
        }

        /// A refusal by its name.
        fn refusal(name: &str, path: &str) -> Result<Refusal, Error> {
            match name {
                $(stringify!($Name) => Ok(Refusal::$Name),)+
                stringify!($Last) => Ok(Refusal::$Last),
                other => {
                    let message = format!(
                        "`{}` is not a write error; it must be {} or {}",
                        shorten(other),
                        [$(stringify!($Name)),+].join(", "),
                        stringify!($Last)
                    );
                    Err(Error::new(Code::InvalidValue, message).at(path))
                }
            }
        }
    };
}

write_errors!(Conflict, AlreadyExists, NotFound, NamespaceTerminating or ServerError);

// The format of metrics. What is written above a type is in its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(clippy::exhaustive_enums, reason = "read only here")]
pub enum MetricsForm {
    /// As JSON.
    #[schemars(with = "bool")]
    Data,
    /// `text`: the Prometheus text format.
    #[schemars(with = "MetricsWord")]
    Text,
}

#[derive(schemars::JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
enum MetricsWord {
    Text,
}

/// How a stream runs.
pub(super) struct StreamSettings {
    pub(super) controller: Config,
    /// Does the stream itself write the plans?
    pub(super) applies: bool,
    /// How long it takes until its writes come back as events.
    pub(super) watch_lag: Duration,
}

impl Default for StreamSettings {
    fn default() -> Self {
        Self {
            controller: Config {
                wait_for_sync: false,
                ..Config::default()
            },
            applies: true,
            watch_lag: Duration::ZERO,
        }
    }
}

fn wrong(field: &str, message: impl Into<String>) -> Error {
    Error::new(Code::InvalidValue, message).at(format!("/config/{field}"))
}

impl ControllerConfig<'_> {
    /// Validates every value.
    pub(super) fn settings(self) -> Result<StreamSettings, Error> {
        let default = StreamSettings::default();
        let (limits, controller) = (RetryLimits::default(), default.controller);
        let read = |field: &str, text: &Option<Text<'_>>, default: Duration| match text {
            Some(text) => duration::parse(text).map_err(|message| wrong(field, message)),
            None => Ok(default),
        };
        let count = |field: &str, number: Option<u32>, default: u32, most: u32| match number {
            None => Ok(default),
            Some(number) if (1..=most).contains(&number) => Ok(number),
            Some(number) => Err(wrong(
                field,
                format!("{field} must be between 1 and {most}, got {number}"),
            )),
        };
        let retry = RetryLimits {
            first: read("syncBackOff", &self.sync_back_off, limits.first)?,
            longest: read("maxSyncBackOff", &self.max_sync_back_off, limits.longest)?,
            per_second: count(
                "retriesPerSecond",
                self.retries_per_second,
                limits.per_second,
                1_000_000,
            )?,
            burst: count("retryBurst", self.retry_burst, limits.burst, 1_000_000)?,
            retries: self.max_retries.unwrap_or(limits.retries).min(1000),
        };
        let syncs = count(
            "concurrentServiceEndpointSyncs",
            self.concurrent_service_endpoint_syncs,
            controller.concurrent_syncs.get(),
            50,
        )?;
        let batch_period = controller.endpoint_updates_batch_period;
        let slice_delay = controller.slice_change_min_delay;
        Ok(StreamSettings {
            applies: self.applies()?,
            watch_lag: read("watchLag", &self.watch_lag, default.watch_lag)?,
            controller: Config {
                endpoint_updates_batch_period: read(
                    "endpointUpdatesBatchPeriod",
                    &self.endpoint_updates_batch_period,
                    batch_period,
                )?,
                slice_change_min_delay: read(
                    "endpointSliceChangeMinSyncDelay",
                    &self.endpoint_slice_change_min_sync_delay,
                    slice_delay,
                )?,
                concurrent_syncs: NonZeroU32::new(syncs).unwrap_or(controller.concurrent_syncs),
                retry,
                wait_for_sync: self.wait_for_sync,
                options: self.options()?,
            },
        })
    }

    fn applies(&self) -> Result<bool, Error> {
        match self.apply.as_deref() {
            None | Some("auto") => Ok(true),
            Some("manual") => Ok(false),
            Some(other) => Err(wrong(
                "apply",
                format!(
                    "`{}` is not a way to apply plans; it must be `auto` or `manual`",
                    shorten(other)
                ),
            )),
        }
    }

    fn options(self) -> Result<Options<'static>, Error> {
        let mut options = Options::default();
        options.managed_by = self.managed_by.map(ManagedBy::into_owned);
        options.max_endpoints_per_slice = self.max_endpoints_per_slice;
        options.topology_hints = self.topology_hints;
        options.kubernetes = self.kubernetes;
        options.prefer_same_traffic_distribution = self.prefer_same_traffic_distribution;
        options.packing = self.packing;
        options.explain = self.explain;
        options.patches = self.patches.into_iter().map(Text::into_owned).collect();
        check_options(&options, "/config")?;
        Ok(options)
    }
}

impl SyncResult<'_> {
    /// The Service it is about.
    pub(super) fn service(&self) -> Result<NamespacedName, Error> {
        match self.service.split_once('/') {
            Some((namespace, name)) if !name.is_empty() => Ok(NamespacedName {
                namespace: namespace.into(),
                name: name.into(),
            }),
            _ => Err(
                Error::new(Code::InvalidValue, "name the Service as `namespace/name`")
                    .at("/result/service"),
            ),
        }
    }

    /// Why its writes were refused, if they were.
    pub(super) fn refusal(&self) -> Result<Option<Refusal>, Error> {
        self.error
            .as_deref()
            .map(|error| refusal(error, "/result/error"))
            .transpose()
    }
}

impl RefusedWrites<'_> {
    /// Why the writes are refused.
    pub(super) fn refusal(&self) -> Result<Refusal, Error> {
        refusal(&self.error, "/refuse/error")
    }

    /// How many are.
    pub(super) fn times(&self) -> u32 {
        const MOST: u32 = 1000;
        self.times.unwrap_or(1).min(MOST)
    }
}

impl Record<'_> {
    /// Are metrics requested, and in which format?
    pub(super) fn metrics(&self) -> Result<Option<MetricsForm>, Error> {
        match self.metrics.map(Raw::get) {
            None | Some("false" | "null") => Ok(None),
            Some("true") => Ok(Some(MetricsForm::Data)),
            Some("\"text\"") => Ok(Some(MetricsForm::Text)),
            Some(other) => {
                let message = format!(
                    "`{}` is not a metrics format; it must be true, or \"text\" for Prometheus text",
                    shorten(other)
                );
                Err(Error::new(Code::InvalidValue, message).at("/metrics"))
            }
        }
    }

    /// Checks what can be checked from the line alone.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.metrics()?;
        if let Some(result) = &self.result {
            result.service()?;
            result.refusal()?;
        }
        if let Some(refuse) = &self.refuse {
            refuse.refusal()?;
        }
        Ok(())
    }
}
