//! The settings of the controller, the API server, and the watches between them.

use core::num::NonZeroU32;
use core::time::Duration;

use slicewise::model::Text;
use slicewise::model::object::slim_object;
use slicewise::model::own::own_themselves;
use slicewise::plan::request::Options;
use slicewise_live::controller::Config;

use super::value::{Share, Span};

slim_object! {
    /// The settings of the controller; those left out have the defaults of the reference.
    #[derive(Clone, Debug, Default)]
    pub struct ControllerSettings<'a>("controller") kept {
        /// How plans are made.
        "options" pub options: Options<'a>;
        /// How long to wait for further changes after a change of pods. Default none.
        "endpointUpdatesBatchPeriod" pub endpoint_updates_batch_period: Option<Span>;
        /// The minimum delay before a sync after a change of slices. Default `1s`.
        "endpointSliceChangeMinSyncDelay" pub endpoint_slice_change_min_sync_delay: Option<Span>;
        /// The maximum number of Services synced at the same time, 1 to 50. Default 5.
        "concurrentServiceEndpointSyncs" pub concurrent_service_endpoint_syncs: Option<u32> where 1..=50;
        /// The delay after the first failed sync of a Service; it doubles with each further failure. Default `1s`.
        "syncBackOff" pub sync_back_off: Option<Span>;
        /// The maximum delay after failed syncs. Default `1000s`.
        "maxSyncBackOff" pub max_sync_back_off: Option<Span>;
        /// The average number of retries per second over all Services, 1 to 1,000,000. Default 10.
        "retriesPerSecond" pub retries_per_second: Option<u32> where 1..=1_000_000;
        /// The number of retries that may happen at once over all Services, 1 to 1,000,000. Default 100.
        "retryBurst" pub retry_burst: Option<u32> where 1..=1_000_000;
        /// The number of retries after which a failing Service is dropped until it changes, 0 to 1000. Default 15.
        "maxRetries" pub max_retries: Option<u32> where 0..=1000;
    }
}

impl ControllerSettings<'_> {
    /// The configuration in the controller's form.
    pub fn config(&self) -> Config {
        let mut config = Config::default();
        let or = |span: Option<Span>, default: Duration| span.map_or(default, |span| span.0);
        let syncs = self
            .concurrent_service_endpoint_syncs
            .and_then(NonZeroU32::new);
        config.options = self.options.clone().into_owned();
        config.endpoint_updates_batch_period = or(
            self.endpoint_updates_batch_period,
            config.endpoint_updates_batch_period,
        );
        config.slice_change_min_delay = or(
            self.endpoint_slice_change_min_sync_delay,
            config.slice_change_min_delay,
        );
        config.concurrent_syncs = syncs.unwrap_or(config.concurrent_syncs);
        let retry = &mut config.retry;
        retry.first = or(self.sync_back_off, retry.first);
        retry.longest = or(self.max_sync_back_off, retry.longest);
        retry.per_second = self.retries_per_second.unwrap_or(retry.per_second);
        retry.burst = self.retry_burst.unwrap_or(retry.burst);
        retry.retries = self.max_retries.unwrap_or(retry.retries);
        config.wait_for_sync = true;
        config
    }
}

slim_object! {
    /// The settings of the API server.
    #[derive(Clone, Debug, Default)]
    pub struct ApiServerSettings("API server") refuse {
        /// The duration of each write. The writes of one sync are made one after the other, and take effect when the
        /// last one ends. Default none.
        "latency" pub latency: Option<Span>;
    }
}

own_themselves!(ApiServerSettings);

slim_object! {
    /// How the watch events of a kind reach the controller.
    ///
    /// A watch that loses, duplicates or reorders an event is broken. This is noticed after `relist`: the kind is then
    /// listed again, and events still on their way are dropped, as in client-go's reflector.
    #[derive(Clone, Debug, Default)]
    pub struct Watch<'a>("watch") kept {
        /// `Service`, `Pod`, `Node` or `EndpointSlice`. Default: all four.
        "kind" pub kind: Option<Text<'a>> where slicewise_live::controller::Kind::ALL.map(|kind| kind.as_str());
        /// The delay of each event. Default none.
        "lag" pub lag: Option<Span>;
        /// The maximum random delay in addition to `lag`; it does not change the order of events. Default none.
        "jitter" pub jitter: Option<Span>;
        /// The share of events that are lost. Default `0%`.
        "lost" pub lost: Option<Share>;
        /// The share of events that are delivered twice. Default `0%`.
        "doubled" pub doubled: Option<Share>;
        /// The share of events that arrive out of order, late by up to `relist`. Default `0%`.
        "reordered" pub reordered: Option<Share>;
        /// The time after which a broken watch is noticed. Default `10s`.
        "relist" pub relist: Option<Span>;
    }
}
