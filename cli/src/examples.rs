//! Examples in the help and the man page of each command.

use clap::Command;
use clap::builder::StyledStr;

/// Each command, with lines to try.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "plan",
        "\
  What would the EndpointSlice controller change in this namespace?
    slicewise plan -n shop -o summary

  The same from a dump; one Service, as a diff:
    kubectl get services,pods,nodes,endpointslices -A -o json > cluster.json
    slicewise plan cluster.json --service shop/cart -o diff",
    ),
    (
        "explain",
        "\
  Who is served by this Service, and if nobody is, why?
    slicewise explain -n shop cart

  What is wrong in the cluster, worst first, and which pods lack traffic?
    slicewise explain -A --severity degraded
    slicewise explain -n shop cart --pod cart-7d4b9

  What will this chart's Services serve?
    helm template shop | slicewise explain -f -",
    ),
    (
        "diff",
        "\
  What has changed between two dumps, endpoint by endpoint?
    slicewise diff before.json after.json -o summary

  And since the dump, in the cluster?
    slicewise diff before.json -n shop --service cart",
    ),
    (
        "mirror",
        "\
  Which slices mirror the Endpoints of this namespace?
    slicewise mirror -n shop -o summary

  As patches for kubectl, from a dump:
    slicewise mirror cluster.json --service shop/legacy -o patch",
    ),
    (
        "kubernetes-service",
        "\
  What would this API server write for default/kubernetes?
    slicewise kubernetes-service request.json -o summary",
    ),
    (
        "simulate",
        "\
  What does a rolling update cost, and who gets traffic meanwhile?
    slicewise simulate --bundled rolling-update

  Which scenarios are there, and how does one in a file go?
    slicewise simulate --list
    slicewise simulate scenario.yaml -o json",
    ),
    (
        "proxy",
        "\
  What does kube-proxy on a node make of slices, event by event?
    slicewise proxy --node node-1 --ndjson < events.ndjson",
    ),
    (
        "upgrade",
        "\
  What changes in this cluster with the next version of Kubernetes?
    slicewise upgrade -A --to 1.38

  And if hints for nodes have been turned off there, for a dump, as data?
    slicewise upgrade cluster.json --to 1.38 --prefer-same-traffic-distribution false -o json",
    ),
    (
        "review",
        "\
  Would the admission webhook allow these manifests in this cluster?
    slicewise review manifests.yaml -A -o text

  The same with a dump of the cluster:
    slicewise review manifests.yaml --snapshot cluster.json",
    ),
    (
        "audit",
        "\
  What do the admission policies find in this cluster? Nothing is written.
    slicewise audit -A --config webhook.yaml -o text

  Write it to the cluster as reports, and keep them up to date:
    slicewise audit -A --config webhook.yaml --every 10m",
    ),
    (
        "policy",
        "\
  Apply the rules that need no webhook as ValidatingAdmissionPolicies:
    slicewise policy export --vap webhook.yaml | kubectl apply -f -",
    ),
    (
        "lint-config",
        "\
  Could a webhook outage deadlock this cluster?
    slicewise lint-config -A

  Is this manifest good practice?
    slicewise lint-config webhook.yaml",
    ),
    (
        "route",
        "\
  Which endpoints does a node use, and by which rule?
    slicewise route -n shop cart --node node-1",
    ),
    (
        "traffic",
        "\
  Who serves whom, and how much crosses zones?
    slicewise traffic -n shop cart

  The same for the requests of some pods, as Cilium reads the slices:
    slicewise traffic -n shop cart --clients app=web --reader cilium",
    ),
    (
        "controller",
        "\
  What would it write in this cluster?
    slicewise controller --kubeconfig ~/.kube/config --dry-run",
    ),
    (
        "watch",
        "\
  How does the traffic of a Service change, as it happens?
    slicewise watch -n shop cart

  Of all Services with a label, for programs:
    slicewise watch -A -l tier=front -o json",
    ),
    (
        "serve",
        "\
  The page, with the Services of a namespace, live:
    slicewise serve -n shop",
    ),
    (
        "version",
        "\
  Which version is this, for programs?
    slicewise version -o json",
    ),
    (
        "completions",
        "\
  Complete commands in bash:
    slicewise completions bash > /etc/bash_completion.d/slicewise",
    ),
    (
        "man",
        "\
  Read a page without installing it:
    slicewise man plan | man -l -",
    ),
];

/// The commands with their examples, before the exit codes.
pub(crate) fn added(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (name, examples)| {
        if command.find_subcommand(name).is_none() {
            return command;
        }
        command.mut_subcommand(name, |subcommand| {
            let before = |after: Option<&StyledStr>| {
                let after = after.map(|after| format!("\n\n{after}"));
                format!("Examples:\n  {examples}{}", after.unwrap_or_default())
            };
            let short = before(subcommand.get_after_help());
            let long = subcommand.get_after_long_help();
            let long = long.map(|long| before(Some(long)));
            let subcommand = subcommand.after_help(short);
            match long {
                Some(long) => subcommand.after_long_help(long),
                None => subcommand,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::command::Args;

    #[test]
    fn every_command_has_examples_that_it_understands() {
        let command = added(Args::command());
        for subcommand in command.get_subcommands() {
            let name = subcommand.get_name();
            for help in [
                subcommand.clone().render_help(),
                subcommand.clone().render_long_help(),
            ] {
                assert!(help.to_string().contains("\nExamples:\n"), "{name}");
            }
            let examples = EXAMPLES.iter().find(|(known, _)| *known == name);
            let (_, examples) = examples.unwrap_or_else(|| panic!("{name} has no examples"));
            let lines = examples.lines().filter(|line| line.starts_with("    "));
            let mut count = 0;
            for line in lines {
                // What a shell passes on.
                let Some((_, passed)) = line.split_once("slicewise ") else {
                    continue;
                };
                let passed = passed.split(['|', '<', '>']).next().unwrap();
                count += 1;
                let words: Vec<&str> = passed.split_whitespace().collect();
                assert_eq!(words.first(), Some(&name), "{line}");
                let words = ["slicewise"].into_iter().chain(words);
                assert!(Args::try_parse_from(words).is_ok(), "{line}");
                assert!(line.len() <= 96, "{line}");
            }
            assert!(count > 0, "{name}");
        }
        assert_eq!(EXAMPLES.len(), command.get_subcommands().count());
    }
}
