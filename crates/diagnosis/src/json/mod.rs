//! JSON in, JSON out: the questions of this crate on bytes, as [`slicewise::api`] has plans.

mod edit;
mod explain;
mod export;
mod glance;
mod plan;
mod stream;
mod upgrade;

pub use edit::{EditQuestion, edit};
pub use explain::{
    Explained, InTurn, Question, ServiceExplained, TextForm, Workers, explain, explained,
};
pub use export::{ExportQuestion, exported};
pub use glance::{GlanceQuestion, glance, legend, look};
pub use plan::{plan, plan_snapshot, with_plan, with_snapshot_plans};
pub use stream::{DetailsStream, SnapshotStream, StreamedDetails, StreamedSnapshot};
pub use upgrade::{UpgradeQuestion, upgrade, with_upgrade};
