//! The settings of the controller, the API server, and the watches between them.

use core::num::NonZeroU32;
use core::time::Duration;

use super::value::{Share, Span};
use crate::controller::{Config, RetryLimits};
use crate::model::Text;
use crate::model::object::slim_object;
use crate::model::own::own_themselves;
use crate::plan::request::Options;

slim_object! {
    /// How the controller is started; each setting left out has the reference's default.
    #[derive(Clone, Debug, Default)]
    pub struct ControllerSettings<'a>("controller") kept {
        /// How plans are made.
        "options" pub options: Options<'a>;
        /// Changes of pods wait so long for more of them. Default none.
        "endpointUpdatesBatchPeriod" pub endpoint_updates_batch_period: Option<Span>;
        /// Changes of slices wait at least so long. Default `1s`.
        "endpointSliceChangeMinSyncDelay" pub endpoint_slice_change_min_sync_delay: Option<Span>;
        /// Services synced at one time, 1 to 50. Default 5.
        "concurrentServiceEndpointSyncs" pub concurrent_service_endpoint_syncs: Option<u32> where 1..=50;
        /// Wait after the first failed sync of a Service; it doubles with each further one. Default `1s`.
        "syncBackOff" pub sync_back_off: Option<Span>;
        /// The longest such wait. Default `1000s`.
        "maxSyncBackOff" pub max_sync_back_off: Option<Span>;
        /// Retries of all Services in one second, in the long run, 1 to 1000000. Default 10.
        "retriesPerSecond" pub retries_per_second: Option<u32> where 1..=1_000_000;
        /// Retries of all Services that may come at once, 1 to 1000000. Default 100.
        "retryBurst" pub retry_burst: Option<u32> where 1..=1_000_000;
        /// Failed syncs after which a Service is dropped until something about it changes, 0 to 1000. Default 15.
        "maxRetries" pub max_retries: Option<u32> where 0..=1000;
    }
}

impl ControllerSettings<'_> {
    /// The configuration in the controller's form.
    pub fn config(&self) -> Config {
        let (default, retry) = (Config::default(), RetryLimits::default());
        let or = |span: Option<Span>, default: Duration| span.map_or(default, |span| span.0);
        let syncs = self
            .concurrent_service_endpoint_syncs
            .and_then(NonZeroU32::new);
        Config {
            options: self.options.clone().into_owned(),
            endpoint_updates_batch_period: or(
                self.endpoint_updates_batch_period,
                default.endpoint_updates_batch_period,
            ),
            slice_change_min_delay: or(
                self.endpoint_slice_change_min_sync_delay,
                default.slice_change_min_delay,
            ),
            concurrent_syncs: syncs.unwrap_or(default.concurrent_syncs),
            retry: RetryLimits {
                first: or(self.sync_back_off, retry.first),
                longest: or(self.max_sync_back_off, retry.longest),
                per_second: self.retries_per_second.unwrap_or(retry.per_second),
                burst: self.retry_burst.unwrap_or(retry.burst),
                retries: self.max_retries.unwrap_or(retry.retries),
            },
            wait_for_sync: true,
        }
    }
}

slim_object! {
    /// How the API server takes writes.
    #[derive(Clone, Debug, Default)]
    pub struct ApiServerSettings("API server") refuse {
        /// Each write takes so long; those of one sync follow each other, and take effect when the last is due. Default
        /// none.
        "latency" pub latency: Option<Span>;
    }
}

own_themselves!(ApiServerSettings);

slim_object! {
    /// How events of a kind come to the controller.
    ///
    /// A watch that loses, doubles or reorders an event is broken: that is noticed after `relist`, when the kind is
    /// listed again and what is still on its way is dropped, as client-go's reflector does.
    #[derive(Clone, Debug, Default)]
    pub struct Watch<'a>("watch") kept {
        /// `Service`, `Pod`, `Node` or `EndpointSlice`. Default: all four.
        "kind" pub kind: Option<Text<'a>> where crate::controller::Kind::ALL.map(|kind| kind.as_str());
        /// An event takes so long. Default none.
        "lag" pub lag: Option<Span>;
        /// And up to so much more, at random; the order stays. Default none.
        "jitter" pub jitter: Option<Span>;
        /// So many events never come. Default `0%`.
        "lost" pub lost: Option<Share>;
        /// So many come twice. Default `0%`.
        "doubled" pub doubled: Option<Share>;
        /// So many come later than those that follow, by up to `relist`. Default `0%`.
        "reordered" pub reordered: Option<Share>;
        /// A broken watch is noticed after so long. Default `10s`.
        "relist" pub relist: Option<Span>;
    }
}
