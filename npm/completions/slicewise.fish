# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_slicewise_global_optspecs
    string join \n h/help V/version
end

function __fish_slicewise_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_slicewise_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_slicewise_using_subcommand
    set -l cmd (__fish_slicewise_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c slicewise -n "__fish_slicewise_needs_command" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_needs_command" -s V -l version -d 'Print version'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "plan" -d 'Plan the slices of one Service, or of every Service of a snapshot'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "explain" -d 'Tell why: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "diff" -d 'Tell what differs between two sets of slices, endpoint by endpoint'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "mirror" -d 'Plan the slices that mirror Endpoints objects'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "kubernetes-service" -d 'Plan the Endpoints and the slice of the API servers\' own Service, `default/kubernetes`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "simulate" -d 'Run the EndpointSlice controller in virtual time: over a scenario, or over events as they come'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "proxy" -d 'Tell what kube-proxy on a node makes of Services and their slices, as they come'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "review" -d 'Judge changes before they are made: admission reviews, or manifests'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "lint-config" -d 'Lint webhook configurations: what could deadlock a cluster, and what is not good practice'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "route" -d 'Tell which endpoints of a Service kube-proxy on a node uses, and by which rule'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "traffic" -d 'Tell who serves whom: each endpoint\'s share, and what goes from zone to zone'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "controller" -d 'Run the EndpointSlice controller against a Kubernetes API server'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "watch" -d 'Follow a cluster: each change of a Service\'s traffic, as it happens'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "serve" -d 'Serve the page on this machine, with a cluster as it is'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "version" -d 'Tell which version this is, and of which Kubernetes it makes the decisions'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "completions" -d 'Print a completion script, e.g. `slicewise completions bash > /etc/bash_completion.d/slicewise`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "man" -d 'Print a man page, e.g. `slicewise man plan | man -l -`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s l -l selector -d 'Only Services with these labels of the cluster, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s o -l output -d 'How to print the plan' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes as `kubectl diff` shows them'
summary\t'A line per Service and slice, for people'
patch\t'Commands for `kubectl` that carry it out'"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l max-input-bytes -d 'Refuse larger inputs (with --ndjson: longer lines) [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000 [default: 100]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l topology-hints -d 'Give hints for the topology-mode annotation; false is a controller without a topology cache [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l prefer-same-traffic-distribution -d 'Act on trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l packing -d 'How endpoints are spread over slices [default: upstream]' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l patches -d 'Give updates as patches, too: json, merge, apply; with --output patch the first of these [default there: json]' -r -f -a "json\t''
merge\t''
apply\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l ndjson -d 'One plan request per line in, one plan or error per line out, in order, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l exit-code -d 'Exit with 3 when there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l assume-complete -d 'Print commands even though the input lacks what they rest on'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l explain -d 'And tell why: `explanations` in JSON and YAML, paragraphs in a summary'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s l -l selector -d 'Only Services with these labels of the cluster, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l pod -d 'Only this pod, whatever there is to say of it' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l about -d 'Only this topic' -r -f -a "service\t'The Service as a whole'
pods\t'Its pods'
nodes\t'The nodes of the cluster'
hints\t'Hints'
slices\t'Slices'
cost\t'What writes cost'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l fail-on -d 'Exit with 1 if something is of this severity or worse' -r -f -a "broken\t'Clients get no answer'
degraded\t'Something asked for does not happen, or part of the traffic suffers'
risk\t'All is well now, and need not stay so'
note\t'Anything there is to say'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s o -l output -d 'How to print the reasons' -r -f -a "text\t'For people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l color -d 'Colours in the text' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000 [default: 100]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l topology-hints -d 'Give hints for the topology-mode annotation; false is a controller without a topology cache [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l prefer-same-traffic-distribution -d 'Act on trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l packing -d 'How endpoints are spread over slices [default: upstream]' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s v -l verbose -d 'Print the reasons in prose as well, and every change that would help with its effect'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l exit-code -d 'Exit with 1 if something is degraded or broken'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s o -l output -d 'How to print what differs' -r -f -a "diff\t'Slice by slice, as `kubectl diff` shows it'
summary\t'A line per slice and endpoint, for people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l assume-complete -d 'Compare lists that are cut off, or of one namespace only, as if there were no more'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l exit-code -d 'Exit with 3 when something differs'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s o -l output -d 'How to print the plan' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes as `kubectl diff` shows them'
summary\t'A line per Service and slice, for people'
patch\t'Commands for `kubectl` that carry it out'"
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l service -d 'Only the Endpoints of this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l max-input-bytes -d 'Refuse larger inputs (with --ndjson: longer lines) [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l max-endpoints-per-subset -d 'Addresses that are mirrored of each subset, 1 to 1000 [default: 1000]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l ndjson -d 'One mirror request per line in, one plan or error per line out, in order, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l exit-code -d 'Exit with 3 when there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l assume-complete -d 'Print commands even though the input lacks what they rest on'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -s o -l output -d 'How to print the writes' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes as `kubectl diff` shows them'
summary\t'A line per write, for people'"
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l max-input-bytes -d 'Refuse larger inputs (with --ndjson: longer lines)' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l ndjson -d 'One request per line in, one plan or error per line out, in order, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l exit-code -d 'Exit with 3 when there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l bundled -d 'Run a scenario that comes with the command' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -s o -l output -d 'How to print what came of a scenario' -r -f -a "table\t'Tables, for people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l max-input-bytes -d 'Refuse larger scenarios (with --ndjson: longer lines)' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l list -d 'Name the scenarios that come with the command'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l timeline -d 'And all that happened, in order'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l exit-code -d 'Exit with 3 when a scenario has not converged, or was cut off by its `until`'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l ndjson -d 'Lines of JSON in and out, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l node -d 'The node whose view is wanted' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l node-labels -d 'Labels of the node, until a Node object says them; its zone is what counts' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l prefer-same-traffic-distribution -d 'Look at hints for nodes, too' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l address-type -d 'The address family it serves, as a proxier has one' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l started -d 'Tell trigger times that are later, RFC 3339 [default: tell all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l max-input-bytes -d 'Refuse longer lines' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l ndjson -d 'Lines of JSON in and out, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l snapshot -d 'What is known of the cluster, as `kubectl get services,pods,nodes,endpointslices -A -o json` prints it' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l config -d 'The webhook\'s configuration, JSON or YAML' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l policy -d 'Only this policy' -r -f -a "slice-ownership\t''
slice-addresses\t''
slice-shape\t''
slice-hints\t''
service-blast-radius\t''
service-traffic\t''
node-topology\t''
endpoints-legacy\t''
expression\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l from -d 'The manifests as they were, so that changes and deletions are told from what is new' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l user -d 'Who makes the changes in manifests' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l test -d 'Files with reviews and the verdicts that are expected of them, in this folder' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s o -l output -d 'How to print the verdicts' -r -f -a "json\t'AdmissionReviews, each on its line'
text\t'As `kubectl` would show it'
junit\t'Test results in XML, for CI'
sarif\t'SARIF 2.1.0, for code scanning'"
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l color -d 'Colours in the text' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l max-input-bytes -d 'Refuse larger inputs' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l fail-on -d 'Exit with 1 if there is a finding of this severity or worse' -r -f -a "error\t'Errors only'
warning\t'Errors and warnings'
info\t'All findings'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l now -d 'The current time, to check certificates for expiry: `--now "$(date -u +%FT%TZ)"`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s o -l output -d 'How to print the findings' -r -f -a "text\t'For people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l color -d 'Colours in the text' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l max-input-bytes -d 'Refuse larger inputs' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s l -l selector -d 'Only Services with these labels of the cluster, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l node -d 'The node whose view is wanted; a request may name it itself' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l node-labels -d 'Labels of the node, whatever the input says; its zone is what counts' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l address-type -d 'The address family [default: the Service\'s first; IPv4 of several Services]' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l prefer-same-traffic-distribution -d 'Look at hints for nodes, too [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s o -l output -d 'How to print the answer' -r -f -a "table\t'Tables, for people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s f -l filename -d 'Read this JSON or YAML file, or all in this folder; `-` is standard input; can be given several times' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s l -l selector -d 'Only Services with these labels of the cluster, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l reader -d 'Who reads the slices [default: kube-proxy]' -r -f -a "kube-proxy\t''
cilium\t''
istio\t''
linkerd\t''
envoy-gateway\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l address-type -d 'The address family [default: the Service\'s first; IPv4 of several Services]' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l prefer-same-traffic-distribution -d 'kube-proxy looks at hints for nodes, too [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s o -l output -d 'How to print the answer' -r -f -a "table\t'Tables, for people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects in JSON]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l kubeconfig -d 'How to reach the API server [default: $KUBECONFIG, ~/.kube/config, or the Pod\'s ServiceAccount]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l namespace -d 'Only this namespace [default: all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l service-selector -d 'Only Services with these labels, in the form of `kubectl --selector` [default: all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l shard -d 'Only the Services of this shard, from 0, of so many; which one a Service is in, is told by its name' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l listen -d 'Serve /metrics, /healthz, /livez and /readyz here; with port 0, on one that is free [default: nowhere]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l log-format -d 'How to log, to standard error' -r -f -a "text\t'A line for people'
json\t'A line of JSON'"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l log-level -d 'Log from this level on' -r -f -a "error\t'What has failed for good'
warn\t'What goes wrong and is tried again'
info\t'What is written'
debug\t'Every sync'"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l shutdown-grace-period -d 'How long writes in flight may take to finish at shutdown' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l resync-period -d 'All Services are looked at again after this time, whether anything has changed or not' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l managed-by -d 'Value of the managed-by label: whose slices are planned' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l topology-hints -d 'Give hints for the topology-mode annotation; false is a controller without a topology cache' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l prefer-same-traffic-distribution -d 'Act on trafficDistribution `PreferSameZone` and `PreferSameNode`' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l packing -d 'How endpoints are spread over slices' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l endpointslice-updates-batch-period -d 'Changes of Pods wait so long for more of them' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l endpointslice-change-min-sync-delay -d 'Changes of EndpointSlices by others wait at least so long' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l concurrent-service-endpoint-syncs -d 'Services whose plans are written at one time' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l sync-back-off -d 'Wait after the first failure of a Service; it doubles with each further one' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-sync-back-off -d 'The longest wait of a Service for its failures' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l retries-per-second -d 'Retries of all Services in one second, in the long run' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l retry-burst -d 'Retries of all Services that may come at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-retries -d 'A Service that has failed so often is dropped with the next failure, until something about it changes' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect -d 'Write only while holding a Lease, so that several instances can stand by' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-lease-duration -d 'Whoever stands by takes the Lease over when it has not been renewed for so long; whole seconds' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-renew-deadline -d 'The leader gives up, and ends, when it could not renew the Lease for so long' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-retry-period -d 'The Lease is renewed, and looked at by those who stand by, in such intervals' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-resource-name -d 'Name of the Lease [default: slicewise-controller, with the shard where there are several]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-resource-namespace -d 'Namespace of the Lease [default: that of the Pod, or of the kubeconfig\'s context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l identity -d 'Who holds the Lease, and reports events [default: the host\'s name and something unique]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l dry-run -d 'Tell what would be written, and write nothing: no slices, events or Lease'
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l unwritten-after -d 'Tell when slices have been other than planned for so long, and nobody has written any' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s o -l output -d 'How to print changes' -r -f -a "text\t'A line for people; what becomes of the connection goes to standard error'
json\t'A line of JSON for each change, and for what becomes of the connection'"
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s n -l namespace -d 'Read this namespace of the cluster [default: that of the context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l chunk-size -d 'How many objects are asked for at one time; 0 asks for all' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l unwritten-after -d 'Tell when slices have been other than planned for so long, and nobody has written any' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l port -d 'The port to listen on; 0 is one that is free' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l listen -d 'The address to listen on; with any but loopback, others can reach it, and read the token on its way' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l page -d 'The folder that the page was built into [default: where it is installed]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand version" -s o -l output -d 'How to print it' -r -f -a "table\t'Tables, for people'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand completions" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand man" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "plan" -d 'Plan the slices of one Service, or of every Service of a snapshot'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "explain" -d 'Tell why: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "diff" -d 'Tell what differs between two sets of slices, endpoint by endpoint'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "mirror" -d 'Plan the slices that mirror Endpoints objects'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "kubernetes-service" -d 'Plan the Endpoints and the slice of the API servers\' own Service, `default/kubernetes`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "simulate" -d 'Run the EndpointSlice controller in virtual time: over a scenario, or over events as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "proxy" -d 'Tell what kube-proxy on a node makes of Services and their slices, as they come'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "review" -d 'Judge changes before they are made: admission reviews, or manifests'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "lint-config" -d 'Lint webhook configurations: what could deadlock a cluster, and what is not good practice'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "route" -d 'Tell which endpoints of a Service kube-proxy on a node uses, and by which rule'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "traffic" -d 'Tell who serves whom: each endpoint\'s share, and what goes from zone to zone'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "controller" -d 'Run the EndpointSlice controller against a Kubernetes API server'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "watch" -d 'Follow a cluster: each change of a Service\'s traffic, as it happens'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "serve" -d 'Serve the page on this machine, with a cluster as it is'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "version" -d 'Tell which version this is, and of which Kubernetes it makes the decisions'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "completions" -d 'Print a completion script, e.g. `slicewise completions bash > /etc/bash_completion.d/slicewise`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "man" -d 'Print a man page, e.g. `slicewise man plan | man -l -`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy review lint-config route traffic controller watch serve version completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
