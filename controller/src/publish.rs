//! Publishes events on Services in the background, one at a time: nothing waits for them, and if the API server does not
//! keep up, they are dropped and counted.

use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use slicewise::model::NamespacedName;
use slicewise::topology::events;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tracing::warn;

use super::settings::NAME;

/// The size of the queue.
const WAITING: usize = 1000;
/// The API's limit for a note, in bytes.
const NOTE_LIMIT: usize = 1024;
/// The time limit for one event.
const LIMIT: Duration = Duration::from_secs(10);
/// The time limit for all remaining events at shutdown.
const END_LIMIT: Duration = Duration::from_secs(2);

/// Takes events and publishes them in the background.
pub(super) struct Publisher {
    queue: mpsc::Sender<(Event, ObjectReference)>,
    task: JoinHandle<()>,
}

impl Publisher {
    pub(super) fn start(client: Client, instance: &str) -> Self {
        let reporter = Reporter {
            controller: NAME.to_owned(),
            instance: Some(cut(instance, 128).to_owned()),
        };
        let recorder = Recorder::new(client, reporter);
        let (queue, waiting) = mpsc::channel(WAITING);
        let task = tokio::spawn(publish_all(recorder, waiting));
        Self { queue, task }
    }

    /// Returns false if the event was dropped.
    pub(super) fn publish(
        &self,
        service: &NamespacedName,
        uid: &str,
        event: &events::Event,
    ) -> bool {
        let reference = ObjectReference {
            api_version: Some("v1".to_owned()),
            kind: Some("Service".to_owned()),
            namespace: Some(service.namespace.clone()),
            name: Some(service.name.clone()),
            uid: Some(uid.to_owned()),
            ..ObjectReference::default()
        };
        let type_ = match event.event_type {
            events::EventType::Normal => EventType::Normal,
            events::EventType::Warning => EventType::Warning,
        };
        let event = Event {
            type_,
            reason: event.reason.to_owned(),
            note: Some(cut(&event.message, NOTE_LIMIT).to_owned()),
            action: "Sync".to_owned(),
            secondary: None,
        };
        self.queue.try_send((event, reference)).is_ok()
    }

    /// Publishes what is queued, as far as time permits.
    pub(super) async fn end(self) {
        drop(self.queue);
        // Events inform people; nothing depends on delivering the last of them.
        let _ = tokio::time::timeout(END_LIMIT, self.task).await;
    }
}

async fn publish_all(recorder: Recorder, mut waiting: mpsc::Receiver<(Event, ObjectReference)>) {
    while let Some((event, reference)) = waiting.recv().await {
        let published = tokio::time::timeout(LIMIT, recorder.publish(&event, &reference)).await;
        let name = reference.name.as_deref().unwrap_or_default();
        match published {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                warn!(service = name, reason = event.reason, %error, "cannot publish an event")
            }
            Err(_) => warn!(
                service = name,
                reason = event.reason,
                "no response to an event"
            ),
        }
    }
}

/// Truncates a text to the limit without splitting a character.
fn cut(text: &str, limit: usize) -> &str {
    let ends = (0..=limit.min(text.len())).rev();
    let end = { ends }.find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_characters() {
        assert_eq!(cut("zone", 10), "zone");
        assert_eq!(cut("zone", 4), "zone");
        assert_eq!(cut("zöne", 2), "z");
        assert_eq!(cut("zöne", 3), "zö");
    }
}
