#compdef slicewise

autoload -U is-at-least

_slicewise() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'-h[Print help]' \
'--help[Print help]' \
'-V[Print version]' \
'--version[Print version]' \
":: :_slicewise_commands" \
"*::: :->slicewise" \
&& ret=0
    case $state in
    (slicewise)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:slicewise-command-$line[1]:"
        case $line[1] in
            (plan)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'-o+[How to print the plan]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per Service and slice, for people"
patch\:"Commands for \`kubectl\` that carry it out"))' \
'--output=[How to print the plan]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per Service and slice, for people"
patch\:"Commands for \`kubectl\` that carry it out"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs (with --ndjson\: longer lines) \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000 \[default\: 100\]]:N:_default' \
'--topology-hints=[Give hints for the topology-mode annotation; false is a controller without a topology cache \[default\: true\]]:BOOL:(true false)' \
'--prefer-same-traffic-distribution=[Act on trafficDistribution \`PreferSameZone\` and \`PreferSameNode\` \[default\: true\]]:BOOL:(true false)' \
'--packing=[How endpoints are spread over slices \[default\: upstream\]]:NAME:(upstream compact balanced)' \
'*--patches=[Give updates as patches, too\: json, merge, apply; with --output patch the first of these \[default there\: json\]]:TYPE:(json merge apply)' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'(--service --exit-code -f --filename -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size -l --selector)--ndjson[One plan request per line in, one plan or error per line out, in order, as they come]' \
'--exit-code[Exit with 3 when there is something to write]' \
'--assume-complete[Print commands even though the input lacks what they rest on]' \
'--explain[And tell why\: \`explanations\` in JSON and YAML, paragraphs in a summary]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, and where a cluster is read, the Service:_files' \
&& ret=0
;;
(explain)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--pod=[Only this pod, whatever there is to say of it]:[NAMESPACE/]NAME:_default' \
'--about=[Only this topic]:ABOUT:((service\:"The Service as a whole"
pods\:"Its pods"
nodes\:"The nodes of the cluster"
hints\:"Hints"
slices\:"Slices"
cost\:"What writes cost"))' \
'--fail-on=[Exit with 1 if something is of this severity or worse]:LEVEL:((broken\:"Clients get no answer"
degraded\:"Something asked for does not happen, or part of the traffic suffers"
risk\:"All is well now, and need not stay so"
note\:"Anything there is to say"))' \
'-o+[How to print the reasons]:OUTPUT:((text\:"For people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the reasons]:OUTPUT:((text\:"For people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--color=[Colours in the text]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000 \[default\: 100\]]:N:_default' \
'--topology-hints=[Give hints for the topology-mode annotation; false is a controller without a topology cache \[default\: true\]]:BOOL:(true false)' \
'--prefer-same-traffic-distribution=[Act on trafficDistribution \`PreferSameZone\` and \`PreferSameNode\` \[default\: true\]]:BOOL:(true false)' \
'--packing=[How endpoints are spread over slices \[default\: upstream\]]:NAME:(upstream compact balanced)' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-v[Print the reasons in prose as well, and every change that would help with its effect]' \
'--verbose[Print the reasons in prose as well, and every change that would help with its effect]' \
'--exit-code[Exit with 1 if something is degraded or broken]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, and where a cluster is read, the Service:_files' \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-o+[How to print what differs]:OUTPUT:((diff\:"Slice by slice, as \`kubectl diff\` shows it"
summary\:"A line per slice and endpoint, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print what differs]:OUTPUT:((diff\:"Slice by slice, as \`kubectl diff\` shows it"
summary\:"A line per slice and endpoint, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'--assume-complete[Compare lists that are cut off, or of one namespace only, as if there were no more]' \
'--exit-code[Exit with 3 when something differs]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':before -- JSON or YAML file with the slices as they were; `-` reads standard input:_files' \
'::after -- JSON or YAML file with the slices as they are; `-` reads standard input:_files' \
&& ret=0
;;
(mirror)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'-o+[How to print the plan]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per Service and slice, for people"
patch\:"Commands for \`kubectl\` that carry it out"))' \
'--output=[How to print the plan]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per Service and slice, for people"
patch\:"Commands for \`kubectl\` that carry it out"))' \
'--service=[Only the Endpoints of this Service]:NAMESPACE/NAME:_default' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs (with --ndjson\: longer lines) \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'--max-endpoints-per-subset=[Addresses that are mirrored of each subset, 1 to 1000 \[default\: 1000\]]:N:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'(--service --exit-code -f --filename -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size)--ndjson[One mirror request per line in, one plan or error per line out, in order, as they come]' \
'--exit-code[Exit with 3 when there is something to write]' \
'--assume-complete[Print commands even though the input lacks what they rest on]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, and where a cluster is read, the Service:_files' \
&& ret=0
;;
(kubernetes-service)
_arguments "${_arguments_options[@]}" : \
'-o+[How to print the writes]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per write, for people"))' \
'--output=[How to print the writes]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes as \`kubectl diff\` shows them"
summary\:"A line per write, for people"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs (with --ndjson\: longer lines)]:BYTES:_default' \
'(--exit-code)--ndjson[One request per line in, one plan or error per line out, in order, as they come]' \
'--exit-code[Exit with 3 when there is something to write]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON or YAML file; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(simulate)
_arguments "${_arguments_options[@]}" : \
'(--list)--bundled=[Run a scenario that comes with the command]:NAME:_default' \
'-o+[How to print what came of a scenario]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print what came of a scenario]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--max-input-bytes=[Refuse larger scenarios (with --ndjson\: longer lines)]:BYTES:_default' \
'--list[Name the scenarios that come with the command]' \
'--timeline[And all that happened, in order]' \
'(--list)--exit-code[Exit with 3 when a scenario has not converged, or was cut off by its \`until\`]' \
'(--bundled --list -o --output --timeline --exit-code)--ndjson[Lines of JSON in and out, as they come]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- Scenario as YAML or JSON, or with --ndjson JSON lines; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(proxy)
_arguments "${_arguments_options[@]}" : \
'--node=[The node whose view is wanted]:NAME:_default' \
'*--node-labels=[Labels of the node, until a Node object says them; its zone is what counts]:KEY=VALUE:_default' \
'--prefer-same-traffic-distribution=[Look at hints for nodes, too]:BOOL:(true false)' \
'--address-type=[The address family it serves, as a proxier has one]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--started=[Tell trigger times that are later, RFC 3339 \[default\: tell all\]]:TIME:_default' \
'--max-input-bytes=[Refuse longer lines]:BYTES:_default' \
'--ndjson[Lines of JSON in and out, as they come]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON lines; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(review)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'(-n --namespace -A --all-namespaces --context --kubeconfig --chunk-size)--snapshot=[What is known of the cluster, as \`kubectl get services,pods,nodes,endpointslices -A -o json\` prints it]:CLUSTER:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--config=[The webhook'\''s configuration, JSON or YAML]:FILE:_files' \
'--policy=[Only this policy]:NAME:(slice-ownership slice-addresses slice-shape slice-hints service-blast-radius service-traffic node-topology endpoints-legacy expression)' \
'(--test)--from=[The manifests as they were, so that changes and deletions are told from what is new]:FILE:_files' \
'--user=[Who makes the changes in manifests]:NAME:_default' \
'(-f --filename --from -o --output -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size)--test=[Files with reviews and the verdicts that are expected of them, in this folder]:DIR:_files' \
'-o+[How to print the verdicts]:OUTPUT:((json\:"AdmissionReviews, each on its line"
text\:"As \`kubectl\` would show it"
junit\:"Test results in XML, for CI"
sarif\:"SARIF 2.1.0, for code scanning"))' \
'--output=[How to print the verdicts]:OUTPUT:((json\:"AdmissionReviews, each on its line"
text\:"As \`kubectl\` would show it"
junit\:"Test results in XML, for CI"
sarif\:"SARIF 2.1.0, for code scanning"))' \
'--color=[Colours in the text]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON or YAML file; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(lint-config)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--fail-on=[Exit with 1 if there is a finding of this severity or worse]:SEVERITY:((error\:"Errors only"
warning\:"Errors and warnings"
info\:"All findings"))' \
'--now=[The current time, to check certificates for expiry\: \`--now "\$(date -u +%FT%TZ)"\`]:TIME:_default' \
'-o+[How to print the findings]:OUTPUT:((text\:"For people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the findings]:OUTPUT:((text\:"For people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--color=[Colours in the text]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON or YAML file; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(route)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--node=[The node whose view is wanted; a request may name it itself]:NAME:_default' \
'*--node-labels=[Labels of the node, whatever the input says; its zone is what counts]:KEY=VALUE:_default' \
'--address-type=[The address family \[default\: the Service'\''s first; IPv4 of several Services\]]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--prefer-same-traffic-distribution=[Look at hints for nodes, too \[default\: true\]]:BOOL:(true false)' \
'-o+[How to print the answer]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the answer]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, and where a cluster is read, the Service:_files' \
&& ret=0
;;
(traffic)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all in this folder; \`-\` is standard input; can be given several times]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels of the cluster, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--reader=[Who reads the slices \[default\: kube-proxy\]]:NAME:(kube-proxy cilium istio linkerd envoy-gateway)' \
'--address-type=[The address family \[default\: the Service'\''s first; IPv4 of several Services\]]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--prefer-same-traffic-distribution=[kube-proxy looks at hints for nodes, too \[default\: true\]]:BOOL:(true false)' \
'-o+[How to print the answer]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the answer]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects in JSON\]]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, and where a cluster is read, the Service:_files' \
&& ret=0
;;
(controller)
_arguments "${_arguments_options[@]}" : \
'--kubeconfig=[How to reach the API server \[default\: \$KUBECONFIG, ~/.kube/config, or the Pod'\''s ServiceAccount\]]:FILE:_files' \
'--namespace=[Only this namespace \[default\: all\]]:NAME:_default' \
'--service-selector=[Only Services with these labels, in the form of \`kubectl --selector\` \[default\: all\]]:SELECTOR:_default' \
'--shard=[Only the Services of this shard, from 0, of so many; which one a Service is in, is told by its name]:INDEX/COUNT:_default' \
'--listen=[Serve /metrics, /healthz, /livez and /readyz here; with port 0, on one that is free \[default\: nowhere\]]:ADDRESS:PORT:_default' \
'--log-format=[How to log, to standard error]:LOG_FORMAT:((text\:"A line for people"
json\:"A line of JSON"))' \
'--log-level=[Log from this level on]:LOG_LEVEL:((error\:"What has failed for good"
warn\:"What goes wrong and is tried again"
info\:"What is written"
debug\:"Every sync"))' \
'--shutdown-grace-period=[How long writes in flight may take to finish at shutdown]:DURATION:_default' \
'--resync-period=[All Services are looked at again after this time, whether anything has changed or not]:DURATION:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000]:N:_default' \
'--topology-hints=[Give hints for the topology-mode annotation; false is a controller without a topology cache]:BOOL:(true false)' \
'--prefer-same-traffic-distribution=[Act on trafficDistribution \`PreferSameZone\` and \`PreferSameNode\`]:BOOL:(true false)' \
'--packing=[How endpoints are spread over slices]:NAME:(upstream compact balanced)' \
'--endpointslice-updates-batch-period=[Changes of Pods wait so long for more of them]:DURATION:_default' \
'--endpointslice-change-min-sync-delay=[Changes of EndpointSlices by others wait at least so long]:DURATION:_default' \
'--concurrent-service-endpoint-syncs=[Services whose plans are written at one time]:N:_default' \
'--sync-back-off=[Wait after the first failure of a Service; it doubles with each further one]:DURATION:_default' \
'--max-sync-back-off=[The longest wait of a Service for its failures]:DURATION:_default' \
'--retries-per-second=[Retries of all Services in one second, in the long run]:N:_default' \
'--retry-burst=[Retries of all Services that may come at once]:N:_default' \
'--max-retries=[A Service that has failed so often is dropped with the next failure, until something about it changes]:N:_default' \
'--leader-elect=[Write only while holding a Lease, so that several instances can stand by]:BOOL:(true false)' \
'--leader-elect-lease-duration=[Whoever stands by takes the Lease over when it has not been renewed for so long; whole seconds]:DURATION:_default' \
'--leader-elect-renew-deadline=[The leader gives up, and ends, when it could not renew the Lease for so long]:DURATION:_default' \
'--leader-elect-retry-period=[The Lease is renewed, and looked at by those who stand by, in such intervals]:DURATION:_default' \
'--leader-elect-resource-name=[Name of the Lease \[default\: slicewise-controller, with the shard where there are several\]]:NAME:_default' \
'--leader-elect-resource-namespace=[Namespace of the Lease \[default\: that of the Pod, or of the kubeconfig'\''s context\]]:NAME:_default' \
'--identity=[Who holds the Lease, and reports events \[default\: the host'\''s name and something unique\]]:NAME:_default' \
'--dry-run[Tell what would be written, and write nothing\: no slices, events or Lease]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(watch)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--unwritten-after=[Tell when slices have been other than planned for so long, and nobody has written any]:SECONDS:_default' \
'-o+[How to print changes]:OUTPUT:((text\:"A line for people; what becomes of the connection goes to standard error"
json\:"A line of JSON for each change, and for what becomes of the connection"))' \
'--output=[How to print changes]:OUTPUT:((text\:"A line for people; what becomes of the connection goes to standard error"
json\:"A line of JSON for each change, and for what becomes of the connection"))' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::service -- Only this Service, which need not exist yet:_default' \
&& ret=0
;;
(serve)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: that of the context\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[How many objects are asked for at one time; 0 asks for all]:N:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--unwritten-after=[Tell when slices have been other than planned for so long, and nobody has written any]:SECONDS:_default' \
'--port=[The port to listen on; 0 is one that is free]:PORT:_default' \
'--listen=[The address to listen on; with any but loopback, others can reach it, and read the token on its way]:ADDRESS:_default' \
'--page=[The folder that the page was built into \[default\: where it is installed\]]:FOLDER:_files' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(version)
_arguments "${_arguments_options[@]}" : \
'-o+[How to print it]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print it]:OUTPUT:((table\:"Tables, for people"
json\:"One line of JSON"
yaml\:"YAML"))' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
'-h[Print help]' \
'--help[Print help]' \
':shell -- The shell to complete for:(bash elvish fish powershell zsh)' \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
'-h[Print help]' \
'--help[Print help]' \
'::command -- The command it is of; without one, `slicewise` itself:_default' \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
":: :_slicewise__subcmd__help_commands" \
"*::: :->help" \
&& ret=0

    case $state in
    (help)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:slicewise-help-command-$line[1]:"
        case $line[1] in
            (plan)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(explain)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(mirror)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(kubernetes-service)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(simulate)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(proxy)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(review)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(lint-config)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(route)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(traffic)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(controller)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(watch)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(serve)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(version)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(completions)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(man)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(help)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
}

(( $+functions[_slicewise_commands] )) ||
_slicewise_commands() {
    local commands; commands=(
'plan:Plan the slices of one Service, or of every Service of a snapshot' \
'explain:Tell why\: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help' \
'diff:Tell what differs between two sets of slices, endpoint by endpoint' \
'mirror:Plan the slices that mirror Endpoints objects' \
'kubernetes-service:Plan the Endpoints and the slice of the API servers'\'' own Service, \`default/kubernetes\`' \
'simulate:Run the EndpointSlice controller in virtual time\: over a scenario, or over events as they come' \
'proxy:Tell what kube-proxy on a node makes of Services and their slices, as they come' \
'review:Judge changes before they are made\: admission reviews, or manifests' \
'lint-config:Lint webhook configurations\: what could deadlock a cluster, and what is not good practice' \
'route:Tell which endpoints of a Service kube-proxy on a node uses, and by which rule' \
'traffic:Tell who serves whom\: each endpoint'\''s share, and what goes from zone to zone' \
'controller:Run the EndpointSlice controller against a Kubernetes API server' \
'watch:Follow a cluster\: each change of a Service'\''s traffic, as it happens' \
'serve:Serve the page on this machine, with a cluster as it is' \
'version:Tell which version this is, and of which Kubernetes it makes the decisions' \
'completions:Print a completion script, e.g. \`slicewise completions bash > /etc/bash_completion.d/slicewise\`' \
'man:Print a man page, e.g. \`slicewise man plan | man -l -\`' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'slicewise commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__completions_commands] )) ||
_slicewise__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise completions commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__controller_commands] )) ||
_slicewise__subcmd__controller_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise controller commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__diff_commands] )) ||
_slicewise__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise diff commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__explain_commands] )) ||
_slicewise__subcmd__explain_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise explain commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help_commands] )) ||
_slicewise__subcmd__help_commands() {
    local commands; commands=(
'plan:Plan the slices of one Service, or of every Service of a snapshot' \
'explain:Tell why\: why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help' \
'diff:Tell what differs between two sets of slices, endpoint by endpoint' \
'mirror:Plan the slices that mirror Endpoints objects' \
'kubernetes-service:Plan the Endpoints and the slice of the API servers'\'' own Service, \`default/kubernetes\`' \
'simulate:Run the EndpointSlice controller in virtual time\: over a scenario, or over events as they come' \
'proxy:Tell what kube-proxy on a node makes of Services and their slices, as they come' \
'review:Judge changes before they are made\: admission reviews, or manifests' \
'lint-config:Lint webhook configurations\: what could deadlock a cluster, and what is not good practice' \
'route:Tell which endpoints of a Service kube-proxy on a node uses, and by which rule' \
'traffic:Tell who serves whom\: each endpoint'\''s share, and what goes from zone to zone' \
'controller:Run the EndpointSlice controller against a Kubernetes API server' \
'watch:Follow a cluster\: each change of a Service'\''s traffic, as it happens' \
'serve:Serve the page on this machine, with a cluster as it is' \
'version:Tell which version this is, and of which Kubernetes it makes the decisions' \
'completions:Print a completion script, e.g. \`slicewise completions bash > /etc/bash_completion.d/slicewise\`' \
'man:Print a man page, e.g. \`slicewise man plan | man -l -\`' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'slicewise help commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__completions_commands] )) ||
_slicewise__subcmd__help__subcmd__completions_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help completions commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__controller_commands] )) ||
_slicewise__subcmd__help__subcmd__controller_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help controller commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__diff_commands] )) ||
_slicewise__subcmd__help__subcmd__diff_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help diff commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__explain_commands] )) ||
_slicewise__subcmd__help__subcmd__explain_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help explain commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__help_commands] )) ||
_slicewise__subcmd__help__subcmd__help_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help help commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__kubernetes-service_commands] )) ||
_slicewise__subcmd__help__subcmd__kubernetes-service_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help kubernetes-service commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__lint-config_commands] )) ||
_slicewise__subcmd__help__subcmd__lint-config_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help lint-config commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__man_commands] )) ||
_slicewise__subcmd__help__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help man commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__mirror_commands] )) ||
_slicewise__subcmd__help__subcmd__mirror_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help mirror commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__plan_commands] )) ||
_slicewise__subcmd__help__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help plan commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__proxy_commands] )) ||
_slicewise__subcmd__help__subcmd__proxy_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help proxy commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__review_commands] )) ||
_slicewise__subcmd__help__subcmd__review_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help review commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__route_commands] )) ||
_slicewise__subcmd__help__subcmd__route_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help route commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__serve_commands] )) ||
_slicewise__subcmd__help__subcmd__serve_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help serve commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__simulate_commands] )) ||
_slicewise__subcmd__help__subcmd__simulate_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help simulate commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__traffic_commands] )) ||
_slicewise__subcmd__help__subcmd__traffic_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help traffic commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__version_commands] )) ||
_slicewise__subcmd__help__subcmd__version_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help version commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__watch_commands] )) ||
_slicewise__subcmd__help__subcmd__watch_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help watch commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__kubernetes-service_commands] )) ||
_slicewise__subcmd__kubernetes-service_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise kubernetes-service commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__lint-config_commands] )) ||
_slicewise__subcmd__lint-config_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise lint-config commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__man_commands] )) ||
_slicewise__subcmd__man_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise man commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__mirror_commands] )) ||
_slicewise__subcmd__mirror_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise mirror commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__plan_commands] )) ||
_slicewise__subcmd__plan_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise plan commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__proxy_commands] )) ||
_slicewise__subcmd__proxy_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise proxy commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__review_commands] )) ||
_slicewise__subcmd__review_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise review commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__route_commands] )) ||
_slicewise__subcmd__route_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise route commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__serve_commands] )) ||
_slicewise__subcmd__serve_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise serve commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__simulate_commands] )) ||
_slicewise__subcmd__simulate_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise simulate commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__traffic_commands] )) ||
_slicewise__subcmd__traffic_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise traffic commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__version_commands] )) ||
_slicewise__subcmd__version_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise version commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__watch_commands] )) ||
_slicewise__subcmd__watch_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise watch commands' commands "$@"
}

if [ "$funcstack[1]" = "_slicewise" ]; then
    _slicewise "$@"
else
    compdef _slicewise slicewise
fi
