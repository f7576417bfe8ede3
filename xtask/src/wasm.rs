//! The WebAssembly modules, and the programs for WASI.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use slicewise_full::fields::{Module, fields};

use crate::files::{say, write_if_changed};
use crate::glue;

/// Keep in step with the dependency in `Cargo.toml`: part of the stamp, so that an upgrade
/// regenerates the glue.
const BINDGEN: &str = "0.2.130";

/// A module: what it is built from, and where it goes. Callers should not have to load more than they need.
struct Variant {
    module: Module,
    package: Package,
    /// Its Cargo feature.
    feature: &'static str,
    name: &'static str,
    folder: &'static str,
    optimized: Optimized,
    shrink: Option<glue::Shrink>,
}

/// What a module is optimized for, beyond the profile `wasm`. One profile for all, because each has a folder of its own,
/// where Cargo would compile the macros once more.
struct Optimized {
    /// Settings of the profile.
    profile: &'static [&'static str],
    /// LLVM inlines what it thinks cheaper than this; 225 unless told.
    inline_threshold: Option<u8>,
}

/// What is loaded over a network, and runs once.
const FOR_SIZE: Optimized = Optimized {
    profile: &["opt-level='z'", "package.slicewise-json.opt-level='z'"],
    inline_threshold: None,
};

/// What outlives a call, and what judges reviews, for speed; what answers a person's question, for size.
const FOR_SPEED: Optimized = Optimized {
    profile: &[
        "package.slicewise.opt-level=3",
        "package.slicewise-diagnosis.opt-level='z'",
        "package.slicewise-lint.opt-level='z'",
        "package.slicewise-simulation.opt-level='z'",
        "package.slicewise-sources.opt-level='z'",
        "package.slicewise-full.opt-level='z'",
        "package.slicewise-json.opt-level=3",
        "package.slicewise-live.opt-level=2",
        "package.hashbrown.opt-level=3",
        "package.serde_json.opt-level=3",
    ],
    inline_threshold: None,
};

const VARIANTS: [Variant; 2] = [
    Variant {
        module: Module::Main,
        package: Package {
            name: "slicewise-diagnosis",
            module: "slicewise_diagnosis.wasm",
        },
        feature: "wasm,slicewise/wasm-small",
        name: "main",
        folder: "pkg/glue",
        optimized: Optimized {
            profile: &["package.slicewise-diagnosis.opt-level='z'"],
            // Saves 3 KB for a twentieth more of a plan's time. `scripts/bench.mjs` measures with the same limit.
            inline_threshold: Some(5),
        },
        shrink: Some(shrink),
    },
    Variant {
        module: Module::Full,
        package: Package {
            name: "slicewise-full",
            module: "slicewise_full.wasm",
        },
        feature: "wasm",
        name: "full",
        folder: "pkg/glue/full",
        optimized: FOR_SPEED,
        shrink: None,
    },
];

/// Binaryen takes 5 KB from the main module. It may take addresses below 1024 for unused: there, the stack would end.
fn shrink(root: &Path, module: &Path) -> Result<()> {
    let status = Command::new("node")
        .arg(root.join("node_modules/binaryen/bin/wasm-opt"))
        .args(["-Os", "--low-memory-unused"])
        .arg("--one-caller-inline-max-function-size=0")
        .args([module, Path::new("-o"), module])
        .status()
        .context("cannot run node")?;
    ensure!(status.success(), "wasm-opt failed (missing? `npm ci`)");
    Ok(())
}

/// Builds each of the modules, or only the one with the given name, and regenerates its glue if it changed.
pub(crate) fn modules(root: &Path, only: Option<&str>) -> Result<()> {
    let is_meant = |variant: &&Variant| only.is_none_or(|name| variant.name == name);
    let mut meant = VARIANTS.iter().filter(is_meant).peekable();
    ensure!(meant.peek().is_some(), "there is no such module");
    meant.try_for_each(|variant| build_variant(root, variant))
}

fn build_variant(root: &Path, variant: &Variant) -> Result<()> {
    let Variant {
        module: of,
        package,
        feature,
        name,
        folder,
        optimized,
        shrink,
    } = variant;
    let library = [
        "rustc",
        "--lib",
        "--crate-type",
        "cdylib",
        "--features",
        feature,
    ];
    let modules = compile(
        root,
        &[*package],
        "wasm32-unknown-unknown",
        optimized,
        &library,
    )?;
    let module = modules.first().context("cargo built nothing")?;
    let written = root.join(folder);
    let fields = serde_json::to_string(&fields(*of))?;
    let stamp = stamp(module, &fields)?;
    let stamp_file = written.join(".stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|present| present == stamp)
        && glue::complete(&written)
    {
        return say(&format!("{name}: {folder} is up to date"));
    }
    glue::write(module, root, folder, &fields, *shrink)?;
    write_if_changed(&stamp_file, stamp.as_bytes())?;
    say(&format!("{name}: {folder} written"))
}

/// Builds the programs for WASI: the command, which the npm package runs, and the policy for Kubewarden. Together, because
/// most of what they are made of is the same.
pub(crate) fn programs(root: &Path) -> Result<()> {
    let packages = PROGRAMS.map(|(package, _)| package);
    let modules = compile(root, &packages, "wasm32-wasip1", &FOR_SIZE, &["build"])?;
    for ((package, folder), module) in PROGRAMS.iter().zip(modules) {
        let file = root.join("pkg").join(folder).join(package.module);
        let changed = write_if_changed(&file, &fs::read(module)?)?;
        let state = if changed { "written" } else { "is up to date" };
        say(&format!("{folder}: pkg/{folder} {state}"))?;
    }
    Ok(())
}

/// A package of the workspace, and the module it compiles to.
#[derive(Clone, Copy)]
struct Package {
    name: &'static str,
    module: &'static str,
}

/// The programs, and their folders in `pkg/`.
const PROGRAMS: [(Package, &str); 2] = [
    (
        Package {
            name: "slicewise-cli",
            module: "slicewise.wasm",
        },
        "command",
    ),
    (
        Package {
            name: "slicewise-kubewarden",
            module: "policy.wasm",
        },
        "kubewarden",
    ),
];

/// Builds the module for hosts without JavaScript, which needs no glue.
pub(crate) fn abi(root: &Path) -> Result<()> {
    let package = Package {
        name: "slicewise-abi",
        module: "slicewise_abi.wasm",
    };
    let target = "wasm32-unknown-unknown";
    let library = ["rustc", "--lib", "--crate-type", "cdylib"];
    let modules = compile(root, &[package], target, &FOR_SPEED, &library)?;
    let module = fs::read(modules.first().context("cargo built nothing")?)?;
    let mut written = 0;
    for file in ABI {
        written += usize::from(write_if_changed(&root.join(file), &module)?);
    }
    let state = if written > 0 {
        "written"
    } else {
        "is up to date"
    };
    say(&format!("abi: pkg/abi {state}"))
}

/// Where the module goes: for any host, and where the Go package embeds it from.
const ABI: [&str; 2] = ["pkg/abi/slicewise.wasm", "bindings/go/slicewise.wasm"];

/// Runs cargo for modules; their paths come from cargo's own messages, because users choose the target folder.
fn compile(
    root: &Path,
    packages: &[Package],
    target: &str,
    optimized: &Optimized,
    what: &[&str],
) -> Result<Vec<PathBuf>> {
    let settings = optimized.profile.iter();
    let settings = settings.map(|setting| format!("profile.wasm.{setting}"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(what)
        .args(
            packages
                .iter()
                .flat_map(|package| ["--package", package.name]),
        )
        .args(["--no-default-features", "--locked"])
        .args(["--target", target, "--profile", "wasm"])
        .args(settings.flat_map(|setting| ["--config".to_owned(), setting]))
        .arg("--message-format=json-render-diagnostics")
        .env_remove("RUSTFLAGS")
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            flags(root, optimized.inline_threshold)?.join("\x1f"),
        )
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "the wasm build failed (missing target? `rustup target add {target}`)"
    );
    let written: Vec<PathBuf> = String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| Some(message.get("filenames")?.as_array()?.clone()))
        .flatten()
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .collect();
    let module_of = |Package { module, .. }: &Package| {
        let file = written.iter().rfind(|path| path.ends_with(module));
        file.cloned()
            .with_context(|| format!("cargo built no {module}"))
    };
    packages.iter().map(module_of).collect()
}

/// Compiler flags: SIMD, which all hosts support by now; and source paths that do not depend on the machine, for
/// reproducible modules.
fn flags(root: &Path, inline_threshold: Option<u8>) -> Result<Vec<String>> {
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned()];
    flags.extend(inline_threshold.map(|most| format!("-Cllvm-args=-inline-threshold={most}")));
    let mut name = |folder: &Path, name: &str| {
        flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
    };
    name(root, "slicewise");
    // Where the sources of the standard library are installed, the compiler names them by their place here.
    let (sysroot, commit) = (rustc(&["--print", "sysroot"])?, rustc(&["-vV"])?);
    let commit = commit
        .lines()
        .find_map(|line| line.strip_prefix("commit-hash: "));
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    name(
        &library,
        &format!("/rustc/{}", commit.context("rustc tells no commit")?),
    );
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let sources = home.context("no home directory")?.join("registry/src");
    if sources.is_dir() {
        let mut registries = fs::read_dir(&sources)?.collect::<Result<Vec<_>, _>>()?;
        registries.sort_by_key(fs::DirEntry::file_name);
        for registry in registries {
            name(&registry.path(), "crates");
        }
    }
    Ok(flags)
}

/// What the compiler says.
fn rustc(question: &[&str]) -> Result<String> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).args(question).output();
    Ok(String::from_utf8(
        output.context("cannot run rustc")?.stdout,
    )?)
}

/// Identifies the module, the fields its functions read, and the version of the glue.
fn stamp(module: &Path, fields: &str) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    fs::read(module)?.hash(&mut hasher);
    fields.hash(&mut hasher);
    include_str!("glue.rs").hash(&mut hasher);
    include_str!("wasm.rs").hash(&mut hasher);
    Ok(format!("{BINDGEN} {:016x}\n", hasher.finish()))
}
