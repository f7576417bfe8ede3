//! A proxy that is fed lines of arbitrary bytes: no panics, answers that are JSON, and the same answers twice.

use serde_json::Value;
use slicewise::api::Limits;
use slicewise_traffic::ProxyStream;
use slicewise_traffic::proxy::ProxierSettings;

/// Arbitrary bytes as lines.
///
/// # Panics
/// If an invariant does not hold.
pub fn proxy_lines(data: &[u8]) {
    assert_eq!(
        answers(data),
        answers(data),
        "the same lines gave other answers"
    );
}

fn answers(data: &[u8]) -> Vec<u8> {
    let mut stream = ProxyStream::new(ProxierSettings::on_node("node-1"));
    let mut all = Vec::new();
    let asking: &[u8] = b"{\"sync\":true}";
    for line in data.split(|byte| *byte == b'\n').chain([asking]) {
        let mut output = Vec::new();
        match stream.feed(line, Limits::default(), &mut output) {
            Ok(()) => {}
            Err(error) => {
                assert!(output.is_empty() && !error.message().is_empty());
                output = error.to_json();
            }
        }
        let is_json = serde_json::from_slice::<Value>(&output).is_ok_and(|value| value.is_object());
        assert!(output.is_empty() || is_json, "the answer is no JSON object");
        all.extend(output);
    }
    let (_, asked) = all.split_at(all.len().saturating_sub(1));
    assert_eq!(asked, b"\n", "the question has no answer");
    all
}
