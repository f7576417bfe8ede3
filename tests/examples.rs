//! Every example runs, and prints what its first comment says.
//!
//! After an intended change, `UPDATE_EXPECT=1 cargo test --test examples` updates the comments.
#![cfg(feature = "k8s-openapi")]

use std::path::{Path, PathBuf};

macro_rules! examples {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(
            #[path = $file]
            #[allow(dead_code, reason = "`main` is the example's own door")]
            mod $name;
        )*

        /// Name, source file and output of each example.
        fn examples() -> Vec<(&'static str, PathBuf, String)> {
            vec![$({
                let mut output = Vec::new();
                $name::run(&mut output).unwrap();
                let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join($file);
                (stringify!($name), file, String::from_utf8(output).unwrap())
            }),*]
        }
    };
}

examples! {
    controller_loop = "../examples/controller_loop/main.rs",
    plan_json = "../examples/plan_json.rs",
    plan_typed = "../examples/plan_typed.rs",
    veto_and_label = "../examples/veto_and_label.rs",
}

#[test]
fn examples_print_what_they_promise() {
    for (name, file, output) in examples() {
        let source = std::fs::read_to_string(&file).unwrap();
        let (before, promised, after) = parts(&source).expect("a text block in the first comment");
        let printed = commented(&output);
        if promised != printed && std::env::var_os("UPDATE_EXPECT").is_some() {
            let updated = format!("{before}{OPEN}{printed}{CLOSE}{after}");
            std::fs::write(&file, updated).unwrap();
        } else {
            assert_eq!(
                promised, printed,
                "{name} prints something else than its comment says"
            );
        }
    }
}

#[test]
fn no_example_is_left_out() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let entries = std::fs::read_dir(directory).unwrap();
    let programs = entries.map(|entry| entry.unwrap().path()).filter(|path| {
        path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists()
    });
    let mut names: Vec<_> = programs
        .map(|path| path.file_stem().unwrap().to_owned())
        .collect();
    names.sort();
    let run: Vec<_> = examples().into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, run);
}

const OPEN: &str = "//! ```text\n";
const CLOSE: &str = "//! ```\n";

/// The source before, in and after the text block of the first comment.
fn parts(source: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = source.split_once(OPEN)?;
    let (block, after) = rest.split_once(CLOSE)?;
    Some((before, block, after))
}

/// The output as comment lines.
fn commented(output: &str) -> String {
    let line = |line: &str| format!("{}\n", format!("//! {line}").trim_end());
    output.lines().map(line).collect()
}
