//! Both interfaces write the same things in the same order, and stop at the same places.

use k8s_openapi::api::discovery::v1::EndpointSlice as KubeSlice;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::super::cluster::request;
use super::noise::among_others;
use super::routes::typed;
use crate::api::{Limits, with_plan};
use crate::k8s::{self, Options};
use crate::kubernetes::KubernetesVersion;
use crate::metrics::Metrics;
use crate::model::EndpointSlice;
use crate::plan::writing::StoredSlice;
use crate::plan::{SliceRef, apply};
use crate::reconcile::EndpointsPerSlice;
use crate::tracker::SliceTracker;

/// Records every write; refuses some by their number, and every create if the namespace is terminating.
#[derive(Default)]
struct Recorder {
    log: Vec<String>,
    refused: Vec<usize>,
    terminating: bool,
}

impl Recorder {
    /// The number of the write, unless it is refused.
    fn write(&mut self, verb: &str, slice: &str) -> Result<usize, &'static str> {
        let number = self.log.len();
        self.log.push(format!("{verb} {slice}"));
        match (
            self.terminating && verb == "create",
            self.refused.contains(&number),
        ) {
            (true, _) => Err("terminating"),
            (_, true) => Err("refused"),
            _ => Ok(number),
        }
    }
}

impl apply::Writer for Recorder {
    type Error = &'static str;

    fn create(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, &'static str> {
        let endpoints = slice.endpoints.len();
        let number = self.write("create", &format!("{} {endpoints}", slice.address_type))?;
        let mut stored = slice.clone().into_owned();
        stored.metadata.uid = format!("new-{number}").into();
        stored.metadata.generation = Some(1);
        Ok(stored.into())
    }

    fn update(&mut self, slice: &EndpointSlice<'_>) -> Result<StoredSlice, &'static str> {
        self.write("update", slice.name())?;
        let mut stored = slice.clone().into_owned();
        stored.metadata.generation = Some(2);
        Ok(stored.into())
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), &'static str> {
        self.write("delete", &format!("{namespace}/{}", slice.name))
            .map(drop)
    }

    fn is_namespace_terminating(&self, error: &&'static str) -> bool {
        *error == "terminating"
    }
}

impl k8s::Writer for Recorder {
    type Error = &'static str;

    fn create(&mut self, slice: &KubeSlice) -> Result<KubeSlice, &'static str> {
        let endpoints = slice.endpoints.as_ref().map_or(0, Vec::len);
        let number = self.write("create", &format!("{} {endpoints}", slice.address_type))?;
        let mut stored = slice.clone();
        stored.metadata.uid = Some(format!("new-{number}"));
        stored.metadata.generation = Some(1);
        Ok(stored)
    }

    fn update(&mut self, slice: &KubeSlice) -> Result<KubeSlice, &'static str> {
        self.write("update", slice.metadata.name.as_deref().unwrap())?;
        let mut stored = slice.clone();
        stored.metadata.generation = Some(2);
        Ok(stored)
    }

    fn delete(&mut self, namespace: &str, slice: &SliceRef<'_>) -> Result<(), &'static str> {
        self.write("delete", &format!("{namespace}/{}", slice.name))
            .map(drop)
    }

    fn is_namespace_terminating(&self, error: &&'static str) -> bool {
        *error == "terminating"
    }
}

type Failures = Vec<(&'static str, String, &'static str)>;

fn failures(failures: Vec<apply::FailedWrite<&'static str>>) -> Failures {
    failures
        .into_iter()
        .map(|failure| (failure.operation, failure.slice, failure.error))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(20_261_121), ..ProptestConfig::default() })]

    #[test]
    fn the_same_writes_whatever_is_refused(request in request(), refused in prop::collection::vec(0_usize..6, 0..3), terminating in prop::bool::weighted(0.2)) {
        let text = among_others(request).to_string();
        let recorder = || Recorder { refused: refused.clone(), terminating, ..Recorder::default() };

        let (mut metrics, mut typed_metrics) = (Metrics::new(EndpointsPerSlice::new(3).unwrap(), KubernetesVersion::default()), Metrics::new(EndpointsPerSlice::new(3).unwrap(), KubernetesVersion::default()));
        let mut by_json = recorder();
        let (applied, failed) = with_plan(text.as_bytes(), &Options::default(), Limits::default(), |plan, _| {
            metrics.observe_plan(plan);
            let result = match plan.apply(&mut by_json) {
                Ok(applied) => (applied, Failures::new()),
                Err(error) => (error.applied, failures(error.failures)),
            };
            metrics.observe_writes(plan, &result.0);
            result
        }).unwrap();

        let (plan, _) = typed(&text).unwrap();
        let mut by_types = recorder();
        let (typed_applied, typed_failed) = match plan.apply(&mut by_types) {
            Ok(applied) => (applied, Failures::new()),
            Err(error) => (error.applied, failures(error.failures)),
        };

        typed_metrics.observe_plan(&plan);
        typed_metrics.observe_writes(&plan, &typed_applied);
        prop_assert_eq!(typed_metrics.gather(), metrics.gather());

        prop_assert_eq!(&by_types.log, &by_json.log);
        prop_assert_eq!(&typed_failed, &failed);
        prop_assert_eq!(by_types.log.len() + typed_applied.skipped, plan.operations().count());
        let counts = (typed_applied.created.len(), typed_applied.updated.len(), typed_applied.skipped);
        prop_assert_eq!(counts, (applied.created.len(), applied.updated.len(), applied.skipped));
        prop_assert_eq!(&typed_applied.deleted, &applied.deleted);
        prop_assert_eq!(typed_applied.namespace_terminating, applied.namespace_terminating);

        let (mut written, mut typed_written) = (SliceTracker::default(), SliceTracker::default());
        applied.record(&plan.service, &mut written);
        typed_applied.record(&plan.service, &mut typed_written);
        prop_assert_eq!(format!("{typed_written:?}"), format!("{written:?}"), "what trackers expect");
    }
}
