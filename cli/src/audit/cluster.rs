//! The cluster to audit, read page by page: of the pods, which nobody judges, only what judging others takes is kept.

use serde::Deserialize;
use serde_json::{Value, json};
use slicewise::Error;
use slicewise::api::Limits;
use slicewise::model::kind::Kind;
use slicewise_admission::reports::ReportApi;
use slicewise_admission::{Reviewer, policies};
use slicewise_cluster::watches::resource;
use slicewise_live::json::next_page;

use super::args::{AuditArgs, WANTED};
use super::judge::Audit;
use crate::failure::CommandFailure;
use crate::input::{CHECKED, add};
use crate::origin::{CommandInput, FromCluster};
use crate::reviewer::{besides, configured, take_exceptions};

/// A cluster, or one namespace of it.
pub(super) struct AuditedCluster {
    reviewer: Reviewer,
    /// The lists of what is judged, as the API server has sent them.
    json: Vec<u8>,
    /// The only namespace that was read.
    pub(super) namespace: Option<String>,
    /// What could not be read, or not be used.
    pub(super) notes: Vec<String>,
}

impl AuditedCluster {
    /// Reads the cluster that the arguments name.
    pub(super) fn read(
        config: Option<&Value>,
        arguments: &AuditArgs,
    ) -> Result<Self, CommandFailure> {
        let limits = Limits::new(arguments.max_input_bytes());
        let mut reviewer = configured(config)?;
        let wanted = CommandInput {
            besides: besides(&reviewer),
            ..WANTED
        };
        let lists = FromCluster::all(&arguments.cluster).lists(wanted)?;
        let (json, exceptions, mut notes) = lists.attempt(|| {
            begin(&mut reviewer).map_err(slicewise_cluster::Error::from)?;
            let (mut json, mut exceptions) = (Vec::new(), Vec::new());
            let notes = lists.read(&mut |page| {
                let next = next_page(page)?;
                let kind = kind_of(page);
                if policies::judge_existing(kind) {
                    add(&mut json, page, limits)?;
                }
                match kind {
                    "SliceException" => add(&mut exceptions, page, limits)?,
                    "Endpoints" => {}
                    _ => drop(reviewer.apply(page, CHECKED)?),
                }
                Ok(next)
            })?;
            Ok((json, exceptions, notes))
        })?;
        notes.extend(take_exceptions(&mut reviewer, config, &[&exceptions])?);
        Ok(Self {
            reviewer,
            json,
            namespace: lists.namespace().map(ToOwned::to_owned),
            notes,
        })
    }

    /// Judges what is in it.
    pub(super) fn audit(
        &mut self,
        api: ReportApi,
        arguments: &AuditArgs,
    ) -> Result<Audit, CommandFailure> {
        let namespace = self.namespace.as_deref();
        let audit = Audit::of(&mut self.reviewer, &self.json, namespace, api, arguments);
        Ok(audit?)
    }
}

/// Begins the lists that come in pages.
fn begin(reviewer: &mut Reviewer) -> Result<(), Error> {
    let kinds = Kind::ALL.map(|kind| (kind.as_str(), resource(kind).api_version));
    let namespaces = reviewer
        .reads_namespaces()
        .then(|| ("Namespace", "v1".to_owned()));
    for (kind, version) in kinds.into_iter().chain(namespaces) {
        let object = json!({"kind": kind, "apiVersion": version});
        let event = json!({"type": "LISTING", "object": object}).to_string();
        reviewer.apply(event.as_bytes(), CHECKED)?;
    }
    Ok(())
}

/// The kind of the objects of a page; empty if it does not say.
fn kind_of(page: &[u8]) -> &str {
    #[derive(Deserialize)]
    struct Page<'p> {
        kind: &'p str,
    }
    let page: Option<Page<'_>> = serde_json::from_slice(page).ok();
    let kind = page.and_then(|page| page.kind.strip_suffix("List"));
    kind.unwrap_or_default()
}
