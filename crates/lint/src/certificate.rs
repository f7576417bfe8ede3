//! Bundles of certificates: base64 of PEM.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};
use x509_cert::Certificate;
use x509_cert::der::DecodePem;

use super::LintSeverity;
use slicewise::model::Timestamp;

/// Certificates that expire within this time should be replaced.
const SOON: u32 = 30 * 24 * 60 * 60;
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const CERTIFICATE: &str = "CERTIFICATE-----";

/// What is wrong with a bundle, and how to fix it.
pub(super) fn check(
    bundle: &str,
    now: Option<Timestamp>,
) -> Vec<(LintSeverity, String, &'static str)> {
    let error = |message: &str, mend| Vec::from([(LintSeverity::Error, message.into(), mend)]);
    let plain: String = bundle
        .chars()
        .filter(|character| !character.is_ascii_whitespace())
        .collect();
    let decoded = Base64::decode_vec(&plain)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let Some(pem) = decoded else {
        let message = "caBundle is not base64 of PEM: the API server rejects the configuration";
        return error(message, "use the output of `base64 -w0 ca.crt`");
    };
    if pem.contains("PRIVATE KEY-----") {
        let message =
            "caBundle contains a private key, visible to everyone who can read the configuration";
        return error(message, "keep only the certificate, and replace the key");
    }
    let mut ends = Vec::new();
    for block in blocks(&pem) {
        match Certificate::from_pem(block) {
            Ok(certificate) => {
                let end = certificate.tbs_certificate().validity().not_after;
                let seconds = i64::try_from(end.to_unix_duration().as_secs()).unwrap_or(i64::MAX);
                ends.extend(Timestamp::from_unix(seconds, 0));
            }
            Err(_) => {
                let message = "a certificate in caBundle cannot be parsed: the API server rejects the configuration";
                return error(
                    message,
                    "inspect it with `openssl x509 -text`, and replace it",
                );
            }
        }
    }
    let Some(last) = ends.iter().max().copied() else {
        return error(
            "caBundle contains no certificate: the API server rejects the configuration",
            "set it to the CA as PEM",
        );
    };
    let Some(now) = now else { return Vec::new() };
    let mend = "renew the CA, and keep both in the bundle until all certificates are signed by the new one";
    if last <= now {
        let message = format!(
            "the certificates in caBundle have expired, the last on {last}: every call fails"
        );
        Vec::from([(LintSeverity::Error, message, mend)])
    } else if now.after(SOON).is_some_and(|soon| last <= soon) {
        let message = format!("caBundle expires on {last}: every call fails from then on");
        Vec::from([(LintSeverity::Warning, message, mend)])
    } else {
        Vec::new()
    }
}

/// The certificates in a PEM text, each with its delimiters; other text is skipped, as by the API server.
fn blocks(pem: &str) -> Vec<&str> {
    let (begin, end) = (
        format!("{BEGIN}{CERTIFICATE}"),
        format!("{END}{CERTIFICATE}"),
    );
    let mut blocks = Vec::new();
    let mut rest = pem;
    while let Some((start, _)) = rest.match_indices(begin.as_str()).next() {
        let block = rest.get(start..).unwrap_or_default();
        let length = block
            .find(end.as_str())
            .map_or(block.len(), |at| at + end.len());
        blocks.extend(block.get(..length));
        rest = block.get(length..).unwrap_or_default();
    }
    blocks
}
