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
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "explain" -d 'Explain why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "diff" -d 'Compare two sets of slices, endpoint by endpoint'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "mirror" -d 'Plan the slices that mirror Endpoints objects'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "kubernetes-service" -d 'Plan the Endpoints and the slice of the API servers\' own Service, `default/kubernetes`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "simulate" -d 'Run the EndpointSlice controller in virtual time: over a scenario or a stream of events'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "proxy" -d 'Follow a stream of Services and slices as kube-proxy on a node does'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "upgrade" -d 'Show what another version of Kubernetes changes: plans, traffic, settings and metrics'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "review" -d 'Review changes before they are made: admission reviews or manifests'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "audit" -d 'Audit what is in a cluster by the admission policies: keep reports in it, or print the findings'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "policy" -d 'Write the rules of a configuration as ValidatingAdmissionPolicies, which API servers evaluate themselves'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "lint-config" -d 'Lint webhook configurations: find possible deadlocks of a cluster and departures from good practice'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "route" -d 'Show which endpoints of a Service kube-proxy on a node uses, and by which rule'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "traffic" -d 'Show who serves whom: each endpoint\'s share, and the traffic between zones'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "controller" -d 'Run the EndpointSlice controller against a Kubernetes API server'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "watch" -d 'Follow a cluster, and print each change to a Service\'s traffic as it happens'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "serve" -d 'Serve the page on this machine, with a live cluster'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "version" -d 'Print the version, and the Kubernetes version whose decisions it matches'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "completions" -d 'Print a completion script, e.g. `slicewise completions bash > /etc/bash_completion.d/slicewise`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "man" -d 'Print a man page, e.g. `slicewise man plan | man -l -`'
complete -c slicewise -n "__fish_slicewise_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s o -l output -d 'How to print the plan [default: summary at a terminal, json otherwise]' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes in the style of `kubectl diff`'
summary\t'A line per Service and slice'
patch\t'`kubectl` commands that apply it'"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000 [default: 100]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l topology-hints -d 'Set hints for the topology-mode annotation; false means a controller without a topology cache [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l kubernetes -d 'The version of Kubernetes whose controller decides [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l prefer-same-traffic-distribution -d 'Support trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l packing -d 'How to distribute endpoints over slices [default: upstream]' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l patches -d 'Also print updates as patches: json, merge, apply; --output patch uses the first of these [default there: json]' -r -f -a "json\t''
merge\t''
apply\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l ndjson -d 'Read one plan request per line, and print one plan or error per line, in order, as a stream; --max-input-bytes limits each line'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l exit-code -d 'Exit with 3 if there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l assume-complete -d 'Print commands even if the input is incomplete'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l explain -d 'Also explain the plan: `explanations` in JSON and YAML, paragraphs in a summary'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l pod -d 'Only this pod' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l clients -d 'Client pods, whose requests are looked at [default: requests from nodes, by CPU]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l about -d 'Only this topic' -r -f -a "service\t'The Service as a whole'
pods\t'Its pods'
nodes\t'The nodes of the cluster'
hints\t'Hints'
slices\t'Slices'
cost\t'The cost of writes'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l severity -d 'Only what is of this severity or worse; the totals and the exit code still count the rest' -r -f -a "broken\t'Clients get no answer'
degraded\t'A requested feature does not take effect, or part of the traffic suffers'
risk\t'Everything works now, but may not stay that way'
note\t'Any explanation'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l fail-on -d 'Exit with 1 if something is of this severity or worse' -r -f -a "broken\t'Clients get no answer'
degraded\t'A requested feature does not take effect, or part of the traffic suffers'
risk\t'Everything works now, but may not stay that way'
note\t'Any explanation'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s o -l output -d 'How to print the reasons' -r -f -a "text\t'Human-readable text, at most 40 lines without --verbose'
wide\t'A table with a line per Service'
json\t'One line of JSON'
yaml\t'YAML'
junit\t'Test results in XML, for CI: a test per Service, which fails if it is broken or degraded'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l color -d 'Colours in the text' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000 [default: 100]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l topology-hints -d 'Set hints for the topology-mode annotation; false means a controller without a topology cache [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l kubernetes -d 'The version of Kubernetes whose controller decides [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l prefer-same-traffic-distribution -d 'Support trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l packing -d 'How to distribute endpoints over slices [default: upstream]' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s v -l verbose -d 'Print everything: also detailed reasons, every change that would help with its effect, and the Services that are well'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l exit-code -d 'Exit with 1 if something is degraded or broken'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s o -l output -d 'How to print the differences' -r -f -a "diff\t'Slice by slice, in the style of `kubectl diff`'
summary\t'A line per slice and endpoint'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l assume-complete -d 'Treat truncated lists, or lists of a single namespace, as complete'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -l exit-code -d 'Exit with 3 if something differs, with 2 if nothing does but some slices could not be compared'
complete -c slicewise -n "__fish_slicewise_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s o -l output -d 'How to print the plan [default: summary at a terminal, json otherwise]' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes in the style of `kubectl diff`'
summary\t'A line per Service and slice'
patch\t'`kubectl` commands that apply it'"
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l max-endpoints-per-subset -d 'Maximum number of mirrored addresses per subset, 1 to 1000 [default: 1000]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l ndjson -d 'Read one mirror request per line, and print one plan or error per line, in order, as a stream; --max-input-bytes limits each line'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l exit-code -d 'Exit with 3 if there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l assume-complete -d 'Print commands even if the input is incomplete'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand mirror" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -s o -l output -d 'How to print the writes' -r -f -a "json\t'One line of JSON'
yaml\t'YAML'
diff\t'The changes as `kubectl diff` shows them'
summary\t'A line per write, for people'"
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l color -d 'Colours in a diff' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l max-input-bytes -d 'Refuse larger inputs (with --ndjson: longer lines)' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l ndjson -d 'Read one request per line, and print one plan or error per line, in order, as a stream'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -l exit-code -d 'Exit with 3 if there is something to write'
complete -c slicewise -n "__fish_slicewise_using_subcommand kubernetes-service" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l bundled -d 'Run a bundled scenario' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -s o -l output -d 'How to print the report of a scenario' -r -f -a "table\t'Tables'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l max-input-bytes -d 'Refuse larger scenarios (with --ndjson: longer lines)' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l list -d 'List the bundled scenarios'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l timeline -d 'Also print everything that happened, in order'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l exit-code -d 'Exit with 3 if a scenario has not converged, or was cut off by its `until`'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -l ndjson -d 'Read and write JSON lines as a stream'
complete -c slicewise -n "__fish_slicewise_using_subcommand simulate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l node -d 'The node whose view to compute' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l node-labels -d 'Labels of the node until a Node object provides them; only its zone matters' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l kubernetes -d 'The version of Kubernetes that the proxy is of [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l prefer-same-traffic-distribution -d 'Also follow hints for nodes' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l address-type -d 'The address family to serve' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l started -d 'Only report trigger times after this time, RFC 3339 [default: report all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l max-input-bytes -d 'Refuse longer lines' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -l ndjson -d 'Read and write JSON lines as a stream'
complete -c slicewise -n "__fish_slicewise_using_subcommand proxy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l to -d 'The version of Kubernetes to go to' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s o -l output -d 'How to print the differences' -r -f -a "table\t'Tables'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000 [default: 100]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l topology-hints -d 'Set hints for the topology-mode annotation; false means a controller without a topology cache [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l kubernetes -d 'The version of Kubernetes whose controller decides [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l prefer-same-traffic-distribution -d 'Support trafficDistribution `PreferSameZone` and `PreferSameNode` [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l packing -d 'How to distribute endpoints over slices [default: upstream]' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand upgrade" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l snapshot -d 'The cluster, as printed by `kubectl get services,pods,nodes,endpointslices -A -o json`' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l config -d 'The webhook\'s configuration, JSON or YAML' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l policy -d 'Only this policy' -r -f -a "slice-ownership\t''
slice-addresses\t''
slice-shape\t''
slice-hints\t''
service-blast-radius\t''
service-traffic\t''
node-topology\t''
workload-traffic\t''
endpoints-legacy\t''
expression\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l from -d 'The old manifests, to distinguish changes and deletions from new objects' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l user -d 'The user who makes the changes in manifests' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l test -d 'Run the test files in this folder: reviews with their expected verdicts' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l fail-on -d 'The mildest verdict that fails' -r -f -a "deny\t'A change that is denied'
warn\t'A change that is allowed with warnings'"
complete -c slicewise -n "__fish_slicewise_using_subcommand review" -l baseline -d 'Verdicts that are known, as `-o json` printed them: changes with no other findings pass' -r -F
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
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l config -d 'The webhook\'s configuration, JSON or YAML' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l policy -d 'Only this policy' -r -f -a "slice-ownership\t''
slice-addresses\t''
slice-shape\t''
slice-hints\t''
service-blast-radius\t''
service-traffic\t''
node-topology\t''
workload-traffic\t''
endpoints-legacy\t''
expression\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -s o -l output -d 'Print the findings, and write nothing [default: text for files]' -r -f -a "text\t'One line per finding'
openreports\t'Reports of openreports.io, YAML'
openreports-json\t'Reports of openreports.io, one line of JSON each'"
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l every -d 'Audit again at this interval, such as 10m, until it is stopped' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l metrics -d 'Serve /metrics on this address of this machine, such as 127.0.0.1:9090' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l now -d 'The time of new results, in seconds: `--now "$(date +%s)"` [default: the clock\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -l max-input-bytes -d 'Refuse larger inputs [default: none]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand audit" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand policy" -s o -l output -d 'How to print the objects' -r -f -a "yaml\t'YAML, one document for each object'
json\t'One line of JSON: a List'"
complete -c slicewise -n "__fish_slicewise_using_subcommand policy" -l max-input-bytes -d 'Refuse larger inputs' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand policy" -l vap -d 'As ValidatingAdmissionPolicies and their bindings'
complete -c slicewise -n "__fish_slicewise_using_subcommand policy" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l fail-on -d 'Exit with 1 if there is a finding of this severity or worse' -r -f -a "error\t'Errors only'
warning\t'Errors and warnings'
info\t'All findings'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l now -d 'The current time, to check certificates for expiry: `--now "$(date -u +%FT%TZ)"`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s o -l output -d 'How to print the findings' -r -f -a "text\t'Human-readable text'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l color -d 'Colours in the text' -r -f -a "auto\t'On a terminal, unless `NO_COLOR` is set'
always\t'Always'
never\t'Never'"
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -l max-input-bytes -d 'Refuse larger inputs' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand lint-config" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l node -d 'The node whose view to compute; a request may name it itself' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l node-labels -d 'Labels of the node, overriding the input; only its zone matters' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l address-type -d 'The address family [default: the Service\'s first; IPv4 for several Services]' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l kubernetes -d 'The version of Kubernetes whose kube-proxy reads slices [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l prefer-same-traffic-distribution -d 'kube-proxy also follows hints for nodes [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s o -l output -d 'How to print the answer' -r -f -a "table\t'Tables'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand route" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s f -l filename -d 'Read this JSON or YAML file, or all files in this folder; `-` is standard input; can be repeated' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l max-input-bytes -d 'Refuse larger inputs [default: 67108864; none for objects, and for requests that are only planned]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l service -d 'Only this Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l reader -d 'The consumer of the slices [default: kube-proxy]' -r -f -a "kube-proxy\t''
cilium\t''
istio\t''
linkerd\t''
envoy-gateway\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l clients -d 'Client pods that requests come from [default: requests from nodes, by CPU]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l address-type -d 'The address family [default: the Service\'s first; IPv4 for several Services]' -r -f -a "IPv4\t'IPv4'
IPv6\t'IPv6'"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l kubernetes -d 'The version of Kubernetes whose kube-proxy reads slices [default: 1.37]' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l prefer-same-traffic-distribution -d 'kube-proxy also follows hints for nodes [default: true]' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s o -l output -d 'How to print the answer' -r -f -a "table\t'Tables'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -l no-pager -d 'Never use a pager'
complete -c slicewise -n "__fish_slicewise_using_subcommand traffic" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l kubeconfig -d 'How to reach the API server [default: $KUBECONFIG, ~/.kube/config, or the Pod\'s ServiceAccount]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l namespace -d 'Only this namespace [default: all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l service-selector -d 'Only Services with these labels, in the form of `kubectl --selector` [default: all]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l shard -d 'Only the Services of this shard, given as INDEX/COUNT from 0; the name of a Service determines its shard' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l listen -d 'Serve /metrics, /healthz, /livez and /readyz on this address; port 0 picks a free port [default: do not serve]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l log-format -d 'How to log, to standard error' -r -f -a "text\t'Human-readable lines'
json\t'JSON lines'"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l log-level -d 'Log messages of this level and above' -r -f -a "error\t'Permanent failures'
warn\t'Failures that are retried'
info\t'Writes'
debug\t'Every sync'"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l shutdown-grace-period -d 'How long writes in flight may take to finish on shutdown' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l resync-period -d 'Sync all Services at this interval, even if nothing has changed' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l managed-by -d 'Value of the managed-by label: whose slices are planned' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-endpoints-per-slice -d 'Endpoints per slice, 1 to 1000' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l topology-hints -d 'Set hints for the topology-mode annotation; false means a controller without a topology cache' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l kubernetes -d 'The version of Kubernetes whose controller decides' -r -f -a "1.37\t''
1.38\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l prefer-same-traffic-distribution -d 'Support trafficDistribution `PreferSameZone` and `PreferSameNode`' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l packing -d 'How to distribute endpoints over slices' -r -f -a "upstream\t''
compact\t''
balanced\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l endpointslice-updates-batch-period -d 'Batching delay for changes to Pods' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l endpointslice-change-min-sync-delay -d 'Minimum delay for changes to EndpointSlices by others' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l concurrent-service-endpoint-syncs -d 'How many Services are written concurrently' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l sync-back-off -d 'Delay after the first failure of a Service; it doubles with each further failure' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-sync-back-off -d 'The maximum delay after failures of a Service' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l retries-per-second -d 'Retries per second on average, for all Services together' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l retry-burst -d 'Retries that may happen at once, for all Services together' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l max-retries -d 'A Service is dropped when it fails more often than this, until it changes' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect -d 'Only write while holding a Lease, so that other instances can stand by' -r -f -a "true\t''
false\t''"
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-lease-duration -d 'A standby takes over the Lease when it has not been renewed for this long; whole seconds' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-renew-deadline -d 'The leader gives up, and exits, when it could not renew the Lease for this long' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-retry-period -d 'The interval at which the leader renews the Lease and standbys check it' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-resource-name -d 'Name of the Lease [default: slicewise-controller, with the shard if there are several]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l leader-elect-resource-namespace -d 'Namespace of the Lease [default: that of the Pod, or of the kubeconfig\'s context]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l identity -d 'The identity that holds the Lease and reports events [default: the host name and a unique suffix]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -l dry-run -d 'Print plans as `slicewise plan` does, one after another, and write nothing: no slices, events or Lease'
complete -c slicewise -n "__fish_slicewise_using_subcommand controller" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -l unwritten-after -d 'Report when slices have differed from the plan for this long without being written' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s o -l output -d 'How to print changes' -r -f -a "text\t'Human-readable lines; the state of the connection goes to standard error'
json\t'A line of JSON for each change, and for changes in the state of the connection'"
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand watch" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s n -l namespace -d 'Read this namespace of the cluster [default: the context\'s]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l context -d 'Read the cluster of this context [default: the current one, or the cluster of the Pod]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l kubeconfig -d 'Read the cluster of this kubeconfig [default: $KUBECONFIG, or ~/.kube/config]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l chunk-size -d 'Objects per request; 0 requests all at once' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l request-timeout -d 'How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s l -l selector -d 'Only Services with these labels, in the form of `kubectl --selector`' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l managed-by -d 'Value of the managed-by label: whose slices are planned [default: endpointslice-controller.k8s.io]' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l unwritten-after -d 'Report when slices have differed from the plan for this long without being written' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l port -d 'The port to listen on; 0 picks a free port' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l listen -d 'The address to listen on; unless it is loopback, others can reach it and intercept the token' -r
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -l page -d 'The folder of the built page [default: where it is installed]' -r -F
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s A -l all-namespaces -d 'Read all namespaces of the cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand serve" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand version" -s o -l output -d 'How to print it' -r -f -a "table\t'Tables'
json\t'One line of JSON'
yaml\t'YAML'"
complete -c slicewise -n "__fish_slicewise_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c slicewise -n "__fish_slicewise_using_subcommand completions" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand man" -s h -l help -d 'Print help'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "plan" -d 'Plan the slices of one Service, or of every Service of a snapshot'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "explain" -d 'Explain why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "diff" -d 'Compare two sets of slices, endpoint by endpoint'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "mirror" -d 'Plan the slices that mirror Endpoints objects'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "kubernetes-service" -d 'Plan the Endpoints and the slice of the API servers\' own Service, `default/kubernetes`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "simulate" -d 'Run the EndpointSlice controller in virtual time: over a scenario or a stream of events'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "proxy" -d 'Follow a stream of Services and slices as kube-proxy on a node does'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "upgrade" -d 'Show what another version of Kubernetes changes: plans, traffic, settings and metrics'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "review" -d 'Review changes before they are made: admission reviews or manifests'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "audit" -d 'Audit what is in a cluster by the admission policies: keep reports in it, or print the findings'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "policy" -d 'Write the rules of a configuration as ValidatingAdmissionPolicies, which API servers evaluate themselves'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "lint-config" -d 'Lint webhook configurations: find possible deadlocks of a cluster and departures from good practice'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "route" -d 'Show which endpoints of a Service kube-proxy on a node uses, and by which rule'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "traffic" -d 'Show who serves whom: each endpoint\'s share, and the traffic between zones'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "controller" -d 'Run the EndpointSlice controller against a Kubernetes API server'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "watch" -d 'Follow a cluster, and print each change to a Service\'s traffic as it happens'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "serve" -d 'Serve the page on this machine, with a live cluster'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "version" -d 'Print the version, and the Kubernetes version whose decisions it matches'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "completions" -d 'Print a completion script, e.g. `slicewise completions bash > /etc/bash_completion.d/slicewise`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "man" -d 'Print a man page, e.g. `slicewise man plan | man -l -`'
complete -c slicewise -n "__fish_slicewise_using_subcommand help; and not __fish_seen_subcommand_from plan explain diff mirror kubernetes-service simulate proxy upgrade review audit policy lint-config route traffic controller watch serve version completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
