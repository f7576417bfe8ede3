//! Compiles many changes to the sources into one program (mutant schemata), in which each is switched on by its number.
//!
//! Its input is what `cargo mutants --list --json` prints, with an `id` for each change; it rewrites the files that they are in, below
//! the folder that is given. `a < b` becomes `(if on(7) { a <= b } else { a < b })`. Comments mark what belongs to a change, so that
//! `scripts/lib/schemata.mjs` finds out which one the compiler objects to:
//!
//! * `/*[7*/ … /*7]*/` is the changed text, with the condition that switches it on;
//! * `/*{7,8*/ … /*7,8}*/` has all changes of one text, and that text.
//!
//! Functions that are `const` without need are made plain ones, in all files, so that changes in them can be switched.

mod constant;
mod rewrite;
mod sites;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, bail};

use crate::constant::Constants;
use crate::rewrite::{Mutant, rewrite};

/// The module that each change asks whether it is switched on.
const SWITCH: &str = include_str!("../switch.rs");

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [list, root] = arguments.as_slice() else {
        bail!("usage: slicewise-mutants LIST.json FOLDER");
    };
    let root = Path::new(root);
    let mutants: Vec<Mutant> =
        serde_json::from_str(&fs::read_to_string(list).context("the list of changes")?)
            .context("the list of changes")?;
    make_plain(&root.join("src"))?;
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let mut left_out = Vec::new();
    for (file, mutants) in files {
        let path = root.join(file);
        let source = fs::read_to_string(&path).context(file.to_owned())?;
        let rewritten = rewrite(&source, &mutants).context(file.to_owned())?;
        left_out.extend(rewritten.left_out);
        fs::write(&path, rewritten.text)?;
    }
    let library = root.join("src/lib.rs");
    let source = fs::read_to_string(&library)?;
    fs::write(library, format!("{source}\nmod mutant_switch;\n"))?;
    fs::write(root.join("src/mutant_switch.rs"), SWITCH)?;
    println!("{}", serde_json::to_string(&left_out)?);
    Ok(())
}

/// Takes `const` from the functions below a folder that need not have it.
fn make_plain(folder: &Path) -> anyhow::Result<()> {
    let mut paths = Vec::new();
    find_sources(folder, &mut paths)?;
    let mut sources = Vec::new();
    let mut constants = Constants::default();
    for path in paths {
        let source = fs::read_to_string(&path)?;
        constants
            .read(&source)
            .with_context(|| path.display().to_string())?;
        sources.push((path, source));
    }
    for (path, source) in sources {
        let plain = constants.without_const(&source)?;
        if plain != source {
            fs::write(path, plain)?;
        }
    }
    Ok(())
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}
