//! Times a proxy natively: slice updates in, changes out; and measures the memory it keeps.
//!
//! `proxy [MILLISECONDS]` prints one JSON line for each measurement; `npm run bench` compares. One Service has endpoints
//! in slices of 100, with two ports. As in the reference, slices are shared objects; nothing is serialised.

use std::alloc::System;
use std::error::Error;
use std::hint::black_box;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cap::Cap;
use slicewise::model::EndpointSlice;
use slicewise_traffic::proxy::{Proxier, ProxierSettings};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const SIZES: [usize; 3] = [100, 1_000, 10_000];
const PER_SLICE: usize = 100;
const UPDATES: usize = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` itself passes `--bench`.
    let milliseconds = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"))
        .map_or(Ok(1000), |text| text.parse())?;
    let budget = Duration::from_millis(milliseconds);
    for size in SIZES {
        for protocol in ["TCP", "UDP"] {
            let of = Cluster::new(size, protocol)?;
            memory(&of)?;
            first_sync(&of, budget)?;
            one_slice(&of, budget)?;
            many_updates(&of, budget)?;
            endpoints(&of, budget)?;
        }
    }
    Ok(())
}

/// The slices, and two updates for each: the second undoes the first.
struct Cluster {
    size: usize,
    /// A suffix for the names of measurements.
    suffix: &'static str,
    slices: Vec<Arc<EndpointSlice<'static>>>,
    updates: Vec<[Arc<EndpointSlice<'static>>; 2]>,
}

impl Cluster {
    fn new(size: usize, protocol: &str) -> Result<Self, Box<dyn Error>> {
        let slices: Result<Vec<_>, _> = (0..size / PER_SLICE)
            .map(|number| slice(number, protocol))
            .collect();
        let slices = slices?;
        let updates = slices.iter().enumerate().map(|(number, slice)| {
            let changed = |version: &str, is_ready: bool| {
                let mut slice = EndpointSlice::clone(slice);
                slice.metadata.resource_version = version.to_owned().into();
                let place = number * 7 % PER_SLICE;
                if let Some(endpoint) = slice.endpoints.get_mut(place) {
                    endpoint.conditions.ready = Some(is_ready);
                    endpoint.conditions.serving = Some(is_ready);
                }
                Arc::new(slice)
            };
            [changed("2", false), changed("3", true)]
        });
        let suffix = if protocol == "UDP" { " UDP" } else { "" };
        Ok(Self {
            size,
            suffix,
            updates: updates.collect(),
            slices,
        })
    }

    fn recorded(&self) -> Proxier {
        let mut proxier = Proxier::new(ProxierSettings::on_node("node-1"));
        for slice in &self.slices {
            proxier.set_shared_slice(Arc::clone(slice));
        }
        proxier
    }

    /// The update with that number, wrapping around.
    fn update(&self, number: usize) -> Option<&Arc<EndpointSlice<'static>>> {
        let count = self.updates.len();
        let of_slice = self.updates.get(number % count)?;
        of_slice.get(number / count % 2)
    }

    fn report(&self, what: &str, times: &mut [Duration]) -> Result<(), Box<dyn Error>> {
        times.sort_unstable();
        let milliseconds =
            |at: usize| times.get(at).copied().unwrap_or_default().as_secs_f64() * 1000.0;
        let (median, best, runs) = (milliseconds(times.len() / 2), milliseconds(0), times.len());
        let (size, suffix) = (self.size, self.suffix);
        writeln!(
            std::io::stdout(),
            r#"{{"what":"{what} {size}{suffix}","median":{median},"best":{best},"runs":{runs},"writes":""}}"#
        )?;
        Ok(())
    }
}

fn slice(number: usize, protocol: &str) -> Result<Arc<EndpointSlice<'static>>, serde_json::Error> {
    let endpoints: Vec<String> = (0..PER_SLICE)
        .map(|place| number * PER_SLICE + place)
        .map(|pod| {
            let (high, low) = (pod / 250, pod % 250 + 1);
            let zone = ["a", "b", "c"].get(pod % 3).copied().unwrap_or_default();
            let node = pod % 500;
            format!(
                r#"{{"addresses":["10.1.{high}.{low}"],"conditions":{{"ready":true,"serving":true,"terminating":false}},"nodeName":"node-{node}","zone":"zone-{zone}","targetRef":{{"kind":"Pod","namespace":"shop","name":"web-{pod}","uid":"00000000-0000-4000-8000-{pod:012}"}},"hints":{{"forZones":[{{"name":"zone-{zone}"}}]}}}}"#
            )
        })
        .collect();
    let text = format!(
        r#"{{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{{"namespace":"shop","name":"web-{number:05}","uid":"10000000-0000-4000-8000-{number:012}","resourceVersion":"1","labels":{{"kubernetes.io/service-name":"web","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"}}}},"addressType":"IPv4","endpoints":[{}],"ports":[{{"name":"http","port":8080,"protocol":"{protocol}"}},{{"name":"metrics","port":9090,"protocol":"{protocol}"}}]}}"#,
        endpoints.join(",")
    );
    let slice: EndpointSlice<'_> = serde_json::from_str(&text)?;
    Ok(Arc::new(slice.into_owned()))
}

/// The memory an address takes, with both of its ports.
fn memory(cluster: &Cluster) -> Result<(), Box<dyn Error>> {
    let before = ALLOCATOR.allocated();
    let mut proxier = cluster.recorded();
    proxier.sync();
    let bytes = (ALLOCATOR.allocated() - before) / cluster.size;
    drop(proxier);
    let (size, suffix) = (cluster.size, cluster.suffix);
    writeln!(
        std::io::stdout(),
        r#"{{"what":"bytes per endpoint {size}{suffix}","median":{bytes},"best":{bytes},"runs":1,"writes":""}}"#
    )?;
    Ok(())
}

/// The sync after all slices have been recorded.
fn first_sync(cluster: &Cluster, budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut times = Vec::new();
    while is_within(&times, budget) {
        let mut proxier = cluster.recorded();
        times.push(timed(|| proxier.sync()));
    }
    cluster.report("first sync", &mut times)
}

/// One changed slice and the sync after it.
fn one_slice(cluster: &Cluster, budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut proxier = cluster.recorded();
    proxier.sync();
    let mut times = Vec::new();
    for number in 0.. {
        if !is_within(&times, budget) {
            break;
        }
        let slice = cluster.update(number).ok_or("there are no slices")?;
        times.push(timed(|| {
            proxier.set_shared_slice(Arc::clone(slice));
            proxier.sync()
        }));
    }
    cluster.report("one slice", &mut times)
}

/// Many slice changes, each recorded, and a single sync after them.
fn many_updates(cluster: &Cluster, budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut proxier = cluster.recorded();
    proxier.sync();
    let (mut times, mut syncs) = (Vec::new(), Vec::new());
    let mut number = 0;
    while is_within(&times, budget) {
        let recording = timed(|| {
            for _ in 0..UPDATES {
                if let Some(slice) = cluster.update(number) {
                    proxier.set_shared_slice(Arc::clone(slice));
                }
                number += 1;
            }
        });
        let sync = timed(|| proxier.sync());
        times.push(recording + sync);
        syncs.push(sync);
    }
    cluster.report("1000 updates", &mut times)?;
    cluster.report("sync after 1000 updates", &mut syncs)
}

/// Iterates over all endpoints of a port after a slice has changed.
fn endpoints(cluster: &Cluster, budget: Duration) -> Result<(), Box<dyn Error>> {
    let mut proxier = cluster.recorded();
    proxier.sync();
    let name = proxier.endpoint_ports().next();
    let name = name.ok_or("there are no ports")?;
    let mut times = Vec::new();
    for number in 0.. {
        if !is_within(&times, budget) {
            break;
        }
        let slice = cluster.update(number).ok_or("there are no slices")?;
        proxier.set_shared_slice(Arc::clone(slice));
        proxier.sync();
        times.push(timed(|| {
            let mut ready = 0;
            proxier.for_each_endpoint(&name, |endpoint| ready += usize::from(endpoint.is_ready()));
            ready
        }));
    }
    cluster.report("endpoints of a port", &mut times)
}

const FEWEST: usize = 3;
/// For short calls, whose preparation is not counted.
const MOST: usize = 2_000;

fn is_within(times: &[Duration], budget: Duration) -> bool {
    times.len() < FEWEST || (times.len() < MOST && times.iter().sum::<Duration>() < budget)
}

#[expect(
    clippy::disallowed_methods,
    reason = "measuring is what this program is for"
)]
fn timed<T>(call: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(call());
    start.elapsed()
}
