//! The WebAssembly modules and their glue for each kind of JavaScript host.
//!
//! All hosts share one `slicewise_bg.wasm` per variant: wasm-bindgen emits the same module for each
//! of them, which [`emit_all`] checks; only the glue differs.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use slicewise_full::fields::{Module, fields};
use wasm_bindgen_cli_support::Bindgen;

use crate::files::{say, write_if_changed};

/// The name wasm-bindgen gives to the module.
const MODULE: &str = "slicewise_bg.wasm";
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
}

/// What a module is optimized for, beyond the profile `wasm`. One profile for all, because each has a folder of its own,
/// where Cargo would compile the macros once more.
struct Optimized {
    /// Settings of the profile.
    profile: &'static [&'static str],
    /// LLVM inlines what it thinks cheaper than this; 225 unless told.
    inline_threshold: Option<u8>,
}

const FOR_SIZE: Optimized = Optimized {
    profile: &[
        "package.slicewise.opt-level='s'",
        "package.slicewise-json.opt-level='s'",
    ],
    inline_threshold: None,
};

const VARIANTS: [Variant; 3] = [
    Variant {
        module: Module::Main,
        package: Package {
            name: "slicewise",
            module: "slicewise.wasm",
        },
        feature: "wasm",
        name: "main",
        folder: "pkg/glue",
        // Saves 10 KB without making it slower. `scripts/bench.mjs` measures with the same limit.
        optimized: Optimized {
            profile: &[],
            inline_threshold: Some(130),
        },
    },
    Variant {
        module: Module::Page,
        package: Package {
            name: "slicewise-diagnosis",
            module: "slicewise_diagnosis.wasm",
        },
        feature: "wasm-page,slicewise/wasm",
        name: "page",
        folder: "pkg/glue/page",
        optimized: Optimized {
            profile: &[
                "package.slicewise.opt-level='s'",
                "package.slicewise-json.opt-level='s'",
                "package.slicewise-diagnosis.opt-level='z'",
            ],
            inline_threshold: Some(20),
        },
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
        // What outlives a call and what judges reviews for speed, what answers single questions or is read once for size.
        optimized: Optimized {
            profile: &[
                "opt-level=3",
                "package.slicewise.opt-level=3",
                "package.slicewise-json.opt-level=3",
                "package.slicewise-diagnosis.opt-level='s'",
                "package.slicewise-simulation.opt-level='s'",
                "package.slicewise-sources.opt-level='s'",
                "package.cel.opt-level='s'",
                "package.regex-lite.opt-level='s'",
            ],
            inline_threshold: None,
        },
    },
];

/// One kind of host: its name in wasm-bindgen, and where its files go.
struct Host {
    name: &'static str,
    select: fn(&mut Bindgen) -> Result<&mut Bindgen>,
    files: &'static [(&'static str, &'static str)],
}

const HOSTS: [Host; 3] = [
    Host {
        name: "node-esm",
        select: |bindgen| bindgen.nodejs_module(true),
        files: &[("slicewise.js", "node.js"), ("slicewise.d.ts", "node.d.ts")],
    },
    Host {
        name: "node-cjs",
        select: |bindgen| bindgen.nodejs(true),
        files: &[
            ("slicewise.js", "node.cjs"),
            ("slicewise.d.ts", "node.d.cts"),
        ],
    },
    Host {
        name: "web",
        select: |bindgen| bindgen.web(true),
        files: &[("slicewise.js", "web.js"), ("slicewise.d.ts", "web.d.ts")],
    },
];

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
    } = variant;
    let library = [
        "rustc",
        "--lib",
        "--crate-type",
        "cdylib",
        "--features",
        feature,
    ];
    let module = compile(root, package, "wasm32-unknown-unknown", optimized, &library)?;
    let glue = root.join(folder);
    let fields = serde_json::to_string(&fields(*of))?;
    let stamp = stamp(&module, &fields)?;
    let stamp_file = glue.join(".stamp");
    if fs::read_to_string(&stamp_file).is_ok_and(|present| present == stamp) && complete(&glue) {
        return say(&format!("{name}: {folder} is up to date"));
    }
    emit_all(&module, &glue, &fields)?;
    write_if_changed(&stamp_file, stamp.as_bytes())?;
    say(&format!("{name}: {folder} written"))
}

/// Builds the WASI command, which the npm package runs, into `pkg/command/`.
pub(crate) fn command(root: &Path) -> Result<()> {
    build_program(root, &COMMAND, "command")
}

/// Builds the policy for Kubewarden into `pkg/kubewarden/`.
pub(crate) fn kubewarden(root: &Path) -> Result<()> {
    build_program(root, &KUBEWARDEN, "kubewarden")
}

/// Builds a WASI program into a folder of `pkg/`.
fn build_program(root: &Path, package: &Package, folder: &str) -> Result<()> {
    let module = compile(root, package, "wasm32-wasip1", &FOR_SIZE, &["build"])?;
    let file = root.join("pkg").join(folder).join(package.module);
    let changed = write_if_changed(&file, &fs::read(module)?)?;
    let state = if changed { "written" } else { "is up to date" };
    say(&format!("{folder}: pkg/{folder} {state}"))
}

/// A package of the workspace, and the module it compiles to.
struct Package {
    name: &'static str,
    module: &'static str,
}

const COMMAND: Package = Package {
    name: "slicewise-cli",
    module: "slicewise.wasm",
};

const KUBEWARDEN: Package = Package {
    name: "slicewise-kubewarden",
    module: "policy.wasm",
};

/// Runs cargo for a module; the path comes from cargo's own messages, because users choose
/// the target folder.
fn compile(
    root: &Path,
    package: &Package,
    target: &str,
    optimized: &Optimized,
    what: &[&str],
) -> Result<PathBuf> {
    let Package { name, module } = package;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let settings = optimized.profile.iter();
    let settings = settings.map(|setting| format!("profile.wasm.{setting}"));
    let output = Command::new(cargo)
        .current_dir(root)
        .args(what)
        .args(["--package", name, "--no-default-features"])
        .args(["--target", target, "--profile", "wasm", "--locked"])
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
    String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| Some(message.get("filenames")?.as_array()?.clone()))
        .flatten()
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .rfind(|path| path.ends_with(module))
        .with_context(|| format!("cargo built no {module}"))
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

/// Identifies the module, the fields its functions read, and the version of the glue.
fn stamp(module: &Path, fields: &str) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    fs::read(module)?.hash(&mut hasher);
    fields.hash(&mut hasher);
    include_str!("wasm.rs").hash(&mut hasher);
    Ok(format!("{BINDGEN} {:016x}\n", hasher.finish()))
}

/// Whether all files of all hosts exist.
fn complete(glue: &Path) -> bool {
    let mut names = HOSTS.iter().flat_map(|host| host.files);
    glue.join(MODULE).is_file() && names.all(|(_, name)| glue.join(name).is_file())
}

/// Writes the glue of all hosts for a module, and the module itself, which they share.
fn emit_all(module: &Path, glue: &Path, fields: &str) -> Result<()> {
    let mut shared: Option<Vec<u8>> = None;
    for host in &HOSTS {
        let out = glue.join(format!(".{}", host.name));
        emit(host, module, &out).with_context(|| format!("wasm-bindgen, {}", host.name))?;
        let bytes = fs::read(out.join(MODULE))?;
        match &shared {
            Some(first) if *first != bytes => {
                bail!("{}: the module differs from that of other hosts", host.name)
            }
            Some(_) => {}
            None => {
                write_if_changed(&glue.join(MODULE), &bytes)?;
                shared = Some(bytes);
            }
        }
        for (from, to) in host.files {
            let text = fs::read_to_string(out.join(from))?;
            write_if_changed(&glue.join(to), with_fields(to, text, fields).as_bytes())?;
        }
        fs::remove_dir_all(&out)?;
    }
    Ok(())
}

/// The fields that the functions read, in the form of each kind of file. The wrapper serialises only these fields of an
/// object, and the module itself does not grow.
const FIELDS_ESM: &str = "\nexport const fields = ";
const FIELDS_CJS: &str = "\nexports.fields = ";
const FIELDS_TYPES: &str = "\n/** What the doors read, which npm/fields.js understands. */\nexport const fields: { doors: Record<string, unknown>; kinds: Record<string, { by: string; of: Record<string, unknown> }> };\n";

/// Appends those fields to a file of the glue if it is the one that callers import.
fn with_fields(name: &str, mut text: String, fields: &str) -> String {
    if name.ends_with(".d.ts") || name.ends_with(".d.cts") {
        text.push_str(FIELDS_TYPES);
    } else {
        let is_esm = name.ends_with(".js");
        text.push_str(if is_esm { FIELDS_ESM } else { FIELDS_CJS });
        text.push_str(fields);
        text.push_str(";\n");
    }
    text
}

/// Runs wasm-bindgen for one host.
fn emit(host: &Host, module: &Path, out: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("slicewise")
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true);
    (host.select)(&mut bindgen)?.generate(out)
}
