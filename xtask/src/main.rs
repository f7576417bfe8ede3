//! Builds what a package.json script cannot: `wasm` compiles the modules and writes their glue, `abi` compiles the module
//! for hosts without JavaScript, `programs` compiles the command and the policy for Kubewarden for WASI, and `schema`
//! writes the JSON Schemas of the boundary. All write below `pkg/`, change only what is out of date, and finish quickly if
//! nothing is. `kinds`, for which the feature `kinds` has to be on, writes the Kubernetes fields that the page's editor knows.

mod files;
mod glue;
#[cfg(feature = "kinds")]
mod kinds;
mod schema;
mod wasm;

use std::io::{Write as _, stdout};
use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "usage: cargo run -p xtask -- <command>...

commands:
  wasm        build the WebAssembly modules and their JavaScript glue into pkg/glue/
  wasm:NAME   build one of them: main or full
  abi         build the module for hosts without JavaScript, into pkg/abi/ and bindings/go/
  programs    build the command and the policy for Kubewarden for WASI, into pkg/command/ and pkg/kubewarden/
  schema      write the JSON Schemas of the boundary into pkg/schema/
  kinds       write the fields of Kubernetes objects into www/editor/kubernetes.json; needs `--features kinds`
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let commands: Vec<String> = std::env::args().skip(1).collect();
    if commands.is_empty() {
        bail!("no command\n\n{USAGE}");
    }
    let root = files::workspace_root()?;
    for command in &commands {
        match command.as_str() {
            "wasm" => wasm::modules(&root, None)?,
            "abi" => wasm::abi(&root)?,
            "programs" => wasm::programs(&root)?,
            "schema" => schema::schemas(&root)?,
            #[cfg(feature = "kinds")]
            "kinds" => kinds::kinds(&root)?,
            "help" | "--help" | "-h" => stdout().write_all(USAGE.as_bytes())?,
            other => match other.strip_prefix("wasm:") {
                Some(name) => wasm::modules(&root, Some(name))?,
                None => bail!("unknown command `{other}`\n\n{USAGE}"),
            },
        }
    }
    Ok(())
}
