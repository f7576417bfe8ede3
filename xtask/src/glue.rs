//! The JavaScript around a module. wasm-bindgen writes it for one instance, which is the file's own; here it becomes a
//! function that makes instances, one file for ESM and one for CommonJS, whatever the host.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use crate::files::write_if_changed;

/// The name wasm-bindgen gives to the module.
const MODULE: &str = "slicewise_bg.wasm";
/// What is written for a module.
const FILES: [&str; 5] = [MODULE, "glue.js", "glue.cjs", "glue.d.ts", "raw.d.ts"];
/// The end of what wasm-bindgen writes for the web: how an instance is made.
const EXPORTED: &str = "export { initSync, __wbg_init as default };";

const DECLARATION: &str = "\
import * as raw from './raw.js';

/** An instance: its functions and classes, which work once one of the first two has made it. */
export type Instance = Omit<typeof raw, 'default'> & {
  init: typeof raw.default;
  initSync: typeof raw.initSync;
  /** What it was made of. */
  readonly module: WebAssembly.Module;
};

export function glue(): Instance;
";

/// Makes a module smaller where it is; the root of the repository comes first.
pub(crate) type Shrink = fn(&Path, &Path) -> Result<()>;

/// Whether all files exist.
pub(crate) fn complete(folder: &Path) -> bool {
    FILES.iter().all(|name| folder.join(name).is_file())
}

/// Writes a module and its glue into a folder of the repository. `fields` are those that its functions read, as JSON: the
/// module itself does not hold them. `shrink` makes it smaller.
pub(crate) fn write(
    module: &Path,
    root: &Path,
    folder: &str,
    fields: &str,
    shrink: Option<Shrink>,
) -> Result<()> {
    let to = root.join(folder);
    let out = to.join(".bindgen");
    Bindgen::new()
        .input_path(module)
        .out_name("slicewise")
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)?
        .generate(&out)
        .context("wasm-bindgen")?;
    let up = "../".repeat(folder.split('/').count());
    let text = fs::read_to_string(out.join("slicewise.js"))?;
    let glue = Glue::of(&text, fields)?;
    shrink.map_or(Ok(()), |shrink| shrink(root, &out.join(MODULE)))?;
    write_if_changed(&to.join(MODULE), &fs::read(out.join(MODULE))?)?;
    write_if_changed(&to.join("raw.d.ts"), &fs::read(out.join("slicewise.d.ts"))?)?;
    write_if_changed(&to.join("glue.d.ts"), DECLARATION.as_bytes())?;
    write_if_changed(
        &to.join("glue.js"),
        glue.esm(&format!("{up}npm")).as_bytes(),
    )?;
    let common_js = glue.common_js(&format!("{up}pkg/cjs"));
    write_if_changed(&to.join("glue.cjs"), common_js.as_bytes())?;
    fs::remove_dir_all(&out)?;
    Ok(())
}

/// What wasm-bindgen wrote, taken apart.
struct Glue<'t> {
    /// Names, and the file in `npm/` that exports them: all modules share it, and so the class of their errors.
    imports: Vec<(&'t str, &'t str)>,
    body: String,
    exports: Vec<&'t str>,
    fields: &'t str,
}

impl<'t> Glue<'t> {
    fn of(text: &'t str, fields: &'t str) -> Result<Self> {
        let (text, rest) = text.split_once(EXPORTED).context("another ending")?;
        ensure!(rest.trim().is_empty(), "something follows the exports");
        let is_import = |line: &&str| line.starts_with("import ");
        let imports: Vec<_> = text
            .lines()
            .filter(is_import)
            .map(imported)
            .collect::<Result<_>>()?;
        let exports = text.lines().filter_map(exported).collect();
        let own = |line: &str| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n";
        let is_body =
            |line: &&str| !line.starts_with("import ") && !line.starts_with("/* @ts-self-types");
        let body = text.lines().filter(is_body).map(own).collect();
        Ok(Self {
            imports,
            body,
            exports,
            fields,
        })
    }

    fn esm(&self, npm: &str) -> String {
        let head = self.head(&|names, file| format!("import {{ {names} }} from '{npm}/{file}';"));
        format!("{head}\nexport {}", self.function())
    }

    fn common_js(&self, npm: &str) -> String {
        let head = self.head(&|names, file| {
            let names = names.replace(" as ", ": ");
            format!("const {{ {names} }} = require('{npm}/{file}');")
        });
        format!("'use strict';\n{head}\nexports.glue = {}", self.function())
    }

    /// The imports, and the function that writes values: only the fields that the module reads.
    fn head(&self, import: &dyn Fn(&str, &str) -> String) -> String {
        let shared = self
            .imports
            .iter()
            .filter(|(_, file)| *file != "written.js");
        let mut lines: Vec<String> = shared.map(|(names, file)| import(names, file)).collect();
        lines.push(import("readers", "fields.js"));
        lines.push(import("written as write", "writer.js"));
        lines.push(format!("const read = readers({});", self.fields));
        lines.push(
            "const written = (value, what, door) => write(value, read(door), what);\n".to_owned(),
        );
        lines.join("\n")
    }

    fn function(&self) -> String {
        let Self { body, exports, .. } = self;
        let exports = exports.join(", ");
        format!(
            "function glue() {{\n{body}\nreturn {{ {exports}, init: __wbg_init, initSync, get module() {{ return wasmModule; }} }};\n}}\n"
        )
    }
}

/// `import { A, b } from './snippets/…/npm/writer.js';`: the names, and the file.
fn imported(line: &str) -> Result<(&str, &str)> {
    let parts = line
        .strip_prefix("import { ")
        .and_then(|rest| rest.split_once(" } from '"));
    let (names, from) = parts.with_context(|| format!("another form of import: {line}"))?;
    let file = from
        .trim_end_matches("';")
        .rsplit_once("/npm/")
        .map(|(_, file)| file);
    Ok((
        names,
        file.with_context(|| format!("not a file in npm/: {line}"))?,
    ))
}

/// The name of a class or a function that a line exports.
fn exported(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("export class ")
        .or_else(|| line.strip_prefix("export function "))?;
    rest.split(['(', ' ']).next()
}
