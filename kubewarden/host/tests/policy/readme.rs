//! The output in the README is what the command prints.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn commands_print_what_is_written_below_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("../README.md")).unwrap();
    let mut count = 0;
    for example in text.split("<!-- run -->\n").skip(1) {
        let mut blocks = example.split("```").skip(1).step_by(2);
        let (command, shown) = (blocks.next().unwrap(), blocks.next().unwrap());
        let command = command
            .lines()
            .find_map(|line| line.strip_prefix("cargo run -- "));
        let output = Command::new(env!("CARGO_BIN_EXE_slicewise-kubewarden-host"))
            .args(command.unwrap().split(' '))
            .current_dir(folder)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            shown.strip_prefix("json\n"),
            Some(printed.as_str()),
            "{:?}",
            output.stderr
        );
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn the_manifest_asks_for_what_the_metadata_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let metadata = std::fs::read_to_string(folder.join("metadata.yml")).unwrap();
    let metadata: Value = serde_yaml::from_str(&metadata).unwrap();
    let text = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let manifest = text
        .split("```yaml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let spec = &serde_yaml::from_str::<Value>(manifest).unwrap()["spec"];
    for field in ["rules", "contextAwareResources", "backgroundAudit"] {
        assert_eq!(spec[field], metadata[field], "{field}");
    }
    let settings = spec["settings"].to_string();
    slicewise_admission::Reviewer::new(settings.as_bytes()).unwrap();
}
