//! The `slicewise` command: plans EndpointSlices from files and pipes.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
