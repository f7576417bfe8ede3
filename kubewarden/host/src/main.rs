//! `run POLICY.wasm REVIEW.json [--settings FILE] [--cluster FILE]`: the policy's answer to a review, as `kwctl run` shows it.

use std::fs;
use std::io::{Write as _, stdout};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use slicewise_kubewarden_host::{Cluster, Granted, Policy, request_of};

const USAGE: &str =
    "usage: slicewise-kubewarden-host POLICY.wasm REVIEW.json [--settings FILE] [--cluster FILE]";
const METADATA: &str = include_str!("../../metadata.yml");

fn main() -> Result<()> {
    let mut files = Vec::new();
    let (mut settings, mut cluster) = ("{}".to_owned(), Cluster::default());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--settings" => settings = read(&words.next().context(USAGE)?)?,
            "--cluster" => {
                cluster = Cluster::read(
                    &read(&words.next().context(USAGE)?)?,
                    Granted::read(METADATA)?,
                )?
            }
            option if option.starts_with('-') => bail!("unknown option `{option}`\n{USAGE}"),
            _ => files.push(word),
        }
    }
    let [policy, review] = files.as_slice() else {
        bail!(USAGE);
    };
    let policy = Policy::compile(&fs::read(policy).with_context(|| policy.clone())?)?;
    let review = read(review)?;
    let answer = policy.validate(
        request_of(&review)?.as_bytes(),
        settings.as_bytes(),
        &Arc::new(cluster),
    )?;
    writeln!(stdout(), "{}", serde_json::to_string_pretty(&answer)?)?;
    Ok(())
}

fn read(file: &str) -> Result<String> {
    fs::read_to_string(file).with_context(|| file.to_owned())
}
