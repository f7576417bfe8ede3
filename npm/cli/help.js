/** What `--help` prints. */

export const HELP = `Plans Kubernetes EndpointSlices: a Service, pods, nodes and slices in, what to write out

Usage: slicewise <COMMAND>

Commands:
  plan  Plan the slices of one Service, or of every Service in a snapshot

Options:
  -h, --help     Print help
  -V, --version  Print version

The native command has more commands and outputs; answers to the same input are the same bytes.
`;

export const HELP_PLAN = `Plan the slices of one Service, or of every Service in a snapshot

Usage: slicewise plan [OPTIONS] [FILE]

Arguments:
  [FILE]  A plan request, or what \`kubectl get services,pods,nodes,endpointslices -A -o json\` prints;
          \`-\` or nothing reads standard input

Options:
  -o, --output <FORMAT>  How to print the plan [default: json] [possible values: json]
      --ndjson           One request per line in, one plan or error per line out, in order
  -h, --help             Print help

Exit codes:
  0  done
  1  the machine failed: reading standard input, or writing
  2  bad input or usage, or a file that cannot be read
`;
