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
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'-o+[How to print the plan \[default\: summary at a terminal, json otherwise\]]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes in the style of \`kubectl diff\`"
summary\:"A line per Service and slice"
patch\:"\`kubectl\` commands that apply it"))' \
'--output=[How to print the plan \[default\: summary at a terminal, json otherwise\]]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes in the style of \`kubectl diff\`"
summary\:"A line per Service and slice"
patch\:"\`kubectl\` commands that apply it"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000 \[default\: 100\]]:N:_default' \
'--topology-hints=[Set hints for the topology-mode annotation; false means a controller without a topology cache \[default\: true\]]:BOOL:(true false)' \
'--kubernetes=[The version of Kubernetes whose controller decides \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[Support trafficDistribution \`PreferSameZone\` and \`PreferSameNode\` \[default\: true\]]:BOOL:(true false)' \
'--packing=[How to distribute endpoints over slices \[default\: upstream\]]:NAME:(upstream compact balanced)' \
'*--patches=[Also print updates as patches\: json, merge, apply; --output patch uses the first of these \[default there\: json\]]:TYPE:(json merge apply)' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'(--service --exit-code -f --filename -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size --request-timeout -l --selector)--ndjson[Read one plan request per line, and print one plan or error per line, in order, as a stream; --max-input-bytes limits each line]' \
'--exit-code[Exit with 3 if there is something to write]' \
'--assume-complete[Print commands even if the input is incomplete]' \
'--explain[Also explain the plan\: \`explanations\` in JSON and YAML, paragraphs in a summary]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
&& ret=0
;;
(explain)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--pod=[Only this pod]:[NAMESPACE/]NAME:_default' \
'--clients=[Client pods, whose requests are looked at \[default\: requests from nodes, by CPU\]]:[NAMESPACE/]SELECTOR:_default' \
'--about=[Only this topic]:ABOUT:((service\:"The Service as a whole"
pods\:"Its pods"
nodes\:"The nodes of the cluster"
hints\:"Hints"
slices\:"Slices"
cost\:"The cost of writes"))' \
'--severity=[Only what is of this severity or worse; the totals and the exit code still count the rest]:LEVEL:((broken\:"Clients get no answer"
degraded\:"A requested feature does not take effect, or part of the traffic suffers"
risk\:"Everything works now, but may not stay that way"
note\:"Any explanation"))' \
'--fail-on=[Exit with 1 if something is of this severity or worse]:LEVEL:((broken\:"Clients get no answer"
degraded\:"A requested feature does not take effect, or part of the traffic suffers"
risk\:"Everything works now, but may not stay that way"
note\:"Any explanation"))' \
'-o+[How to print the reasons]:OUTPUT:((text\:"Human-readable text, at most 40 lines without --verbose"
wide\:"A table with a line per Service"
json\:"One line of JSON"
yaml\:"YAML"
junit\:"Test results in XML, for CI\: a test per Service, which fails if it is broken or degraded"))' \
'--output=[How to print the reasons]:OUTPUT:((text\:"Human-readable text, at most 40 lines without --verbose"
wide\:"A table with a line per Service"
json\:"One line of JSON"
yaml\:"YAML"
junit\:"Test results in XML, for CI\: a test per Service, which fails if it is broken or degraded"))' \
'--color=[Colours in the text]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000 \[default\: 100\]]:N:_default' \
'--topology-hints=[Set hints for the topology-mode annotation; false means a controller without a topology cache \[default\: true\]]:BOOL:(true false)' \
'--kubernetes=[The version of Kubernetes whose controller decides \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[Support trafficDistribution \`PreferSameZone\` and \`PreferSameNode\` \[default\: true\]]:BOOL:(true false)' \
'--packing=[How to distribute endpoints over slices \[default\: upstream\]]:NAME:(upstream compact balanced)' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-v[Print everything\: also detailed reasons, every change that would help with its effect, and the Services that are well]' \
'--verbose[Print everything\: also detailed reasons, every change that would help with its effect, and the Services that are well]' \
'--exit-code[Exit with 1 if something is degraded or broken]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-o+[How to print the differences]:OUTPUT:((diff\:"Slice by slice, in the style of \`kubectl diff\`"
summary\:"A line per slice and endpoint"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the differences]:OUTPUT:((diff\:"Slice by slice, in the style of \`kubectl diff\`"
summary\:"A line per slice and endpoint"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects\]]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'--assume-complete[Treat truncated lists, or lists of a single namespace, as complete]' \
'--exit-code[Exit with 3 if something differs, with 2 if nothing does but some slices could not be compared]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':before -- JSON or YAML file with the old slices; `-` reads standard input:_files' \
'::after -- JSON or YAML file with the new slices; `-` reads standard input:_files' \
&& ret=0
;;
(mirror)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'-o+[How to print the plan \[default\: summary at a terminal, json otherwise\]]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes in the style of \`kubectl diff\`"
summary\:"A line per Service and slice"
patch\:"\`kubectl\` commands that apply it"))' \
'--output=[How to print the plan \[default\: summary at a terminal, json otherwise\]]:OUTPUT:((json\:"One line of JSON"
yaml\:"YAML"
diff\:"The changes in the style of \`kubectl diff\`"
summary\:"A line per Service and slice"
patch\:"\`kubectl\` commands that apply it"))' \
'--color=[Colours in a diff]:COLOR:((auto\:"On a terminal, unless \`NO_COLOR\` is set"
always\:"Always"
never\:"Never"))' \
'--max-endpoints-per-subset=[Maximum number of mirrored addresses per subset, 1 to 1000 \[default\: 1000\]]:N:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'(--service --exit-code -f --filename -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size --request-timeout -l --selector)--ndjson[Read one mirror request per line, and print one plan or error per line, in order, as a stream; --max-input-bytes limits each line]' \
'--exit-code[Exit with 3 if there is something to write]' \
'--assume-complete[Print commands even if the input is incomplete]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
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
'(--exit-code)--ndjson[Read one request per line, and print one plan or error per line, in order, as a stream]' \
'--exit-code[Exit with 3 if there is something to write]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON or YAML file; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(simulate)
_arguments "${_arguments_options[@]}" : \
'(--list)--bundled=[Run a bundled scenario]:NAME:_default' \
'-o+[How to print the report of a scenario]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the report of a scenario]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--max-input-bytes=[Refuse larger scenarios (with --ndjson\: longer lines)]:BYTES:_default' \
'--list[List the bundled scenarios]' \
'--timeline[Also print everything that happened, in order]' \
'(--list)--exit-code[Exit with 3 if a scenario has not converged, or was cut off by its \`until\`]' \
'(--bundled --list -o --output --timeline --exit-code)--ndjson[Read and write JSON lines as a stream]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- Scenario as YAML or JSON, or with --ndjson JSON lines; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(proxy)
_arguments "${_arguments_options[@]}" : \
'--node=[The node whose view to compute]:NAME:_default' \
'*--node-labels=[Labels of the node until a Node object provides them; only its zone matters]:KEY=VALUE:_default' \
'--kubernetes=[The version of Kubernetes that the proxy is of \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[Also follow hints for nodes]:BOOL:(true false)' \
'--address-type=[The address family to serve]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--started=[Only report trigger times after this time, RFC 3339 \[default\: report all\]]:TIME:_default' \
'--max-input-bytes=[Refuse longer lines]:BYTES:_default' \
'--ndjson[Read and write JSON lines as a stream]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON lines; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(upgrade)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--to=[The version of Kubernetes to go to]:VERSION:(1.37 1.38)' \
'-o+[How to print the differences]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the differences]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000 \[default\: 100\]]:N:_default' \
'--topology-hints=[Set hints for the topology-mode annotation; false means a controller without a topology cache \[default\: true\]]:BOOL:(true false)' \
'--kubernetes=[The version of Kubernetes whose controller decides \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[Support trafficDistribution \`PreferSameZone\` and \`PreferSameNode\` \[default\: true\]]:BOOL:(true false)' \
'--packing=[How to distribute endpoints over slices \[default\: upstream\]]:NAME:(upstream compact balanced)' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
&& ret=0
;;
(review)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'(-A --all-namespaces --context --kubeconfig --chunk-size --request-timeout)--snapshot=[The cluster, as printed by \`kubectl get services,pods,nodes,endpointslices -A -o json\`]:CLUSTER:_files' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--config=[The webhook'\''s configuration, JSON or YAML]:FILE:_files' \
'--policy=[Only this policy]:NAME:(slice-ownership slice-addresses slice-shape slice-hints service-blast-radius service-traffic node-topology workload-traffic endpoints-legacy expression)' \
'(--test)--from=[The old manifests, to distinguish changes and deletions from new objects]:FILE:_files' \
'--user=[The user who makes the changes in manifests]:NAME:_default' \
'(-f --filename --from -n --namespace -A --all-namespaces --context --kubeconfig --chunk-size --request-timeout)--test=[Run the test files in this folder\: reviews with their expected verdicts]:DIR:_files' \
'(--test)--fail-on=[The mildest verdict that fails]:VERDICT:((deny\:"A change that is denied"
warn\:"A change that is allowed with warnings"))' \
'(--test)--baseline=[Verdicts that are known, as \`-o json\` printed them\: changes with no other findings pass]:FILE:_files' \
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
(audit)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--config=[The webhook'\''s configuration, JSON or YAML]:FILE:_files' \
'--policy=[Only this policy]:NAME:(slice-ownership slice-addresses slice-shape slice-hints service-blast-radius service-traffic node-topology workload-traffic endpoints-legacy expression)' \
'-o+[Print the findings, and write nothing \[default\: text for files\]]:OUTPUT:((text\:"One line per finding"
openreports\:"Reports of openreports.io, YAML"
openreports-json\:"Reports of openreports.io, one line of JSON each"))' \
'--output=[Print the findings, and write nothing \[default\: text for files\]]:OUTPUT:((text\:"One line per finding"
openreports\:"Reports of openreports.io, YAML"
openreports-json\:"Reports of openreports.io, one line of JSON each"))' \
'(-o --output --now)--every=[Audit again at this interval, such as 10m, until it is stopped]:TIME:_default' \
'--metrics=[Serve /metrics on this address of this machine, such as 127.0.0.1\:9090]:ADDRESS:PORT:_default' \
'--now=[The time of new results, in seconds\: \`--now "\$(date +%s)"\` \[default\: the clock'\''s\]]:SECONDS:_default' \
'--max-input-bytes=[Refuse larger inputs \[default\: none\]]:BYTES:_default' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::file -- JSON or YAML file; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'-o+[How to print the objects]:OUTPUT:((yaml\:"YAML, one document for each object"
json\:"One line of JSON\: a List"))' \
'--output=[How to print the objects]:OUTPUT:((yaml\:"YAML, one document for each object"
json\:"One line of JSON\: a List"))' \
'--max-input-bytes=[Refuse larger inputs]:BYTES:_default' \
'--vap[As ValidatingAdmissionPolicies and their bindings]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
':task -- What to do\: write the rules for API servers:((export\:"Write them as objects of the API"))' \
'::config -- The webhook'\''s configuration, JSON or YAML; `-`, or nothing, reads standard input:_files' \
&& ret=0
;;
(lint-config)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--fail-on=[Exit with 1 if there is a finding of this severity or worse]:SEVERITY:((error\:"Errors only"
warning\:"Errors and warnings"
info\:"All findings"))' \
'--now=[The current time, to check certificates for expiry\: \`--now "\$(date -u +%FT%TZ)"\`]:TIME:_default' \
'-o+[How to print the findings]:OUTPUT:((text\:"Human-readable text"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the findings]:OUTPUT:((text\:"Human-readable text"
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
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--node=[The node whose view to compute; a request may name it itself]:NAME:_default' \
'*--node-labels=[Labels of the node, overriding the input; only its zone matters]:KEY=VALUE:_default' \
'--address-type=[The address family \[default\: the Service'\''s first; IPv4 for several Services\]]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--kubernetes=[The version of Kubernetes whose kube-proxy reads slices \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[kube-proxy also follows hints for nodes \[default\: true\]]:BOOL:(true false)' \
'-o+[How to print the answer]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the answer]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
&& ret=0
;;
(traffic)
_arguments "${_arguments_options[@]}" : \
'*-f+[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'*--filename=[Read this JSON or YAML file, or all files in this folder; \`-\` is standard input; can be repeated]:FILE:_files' \
'--max-input-bytes=[Refuse larger inputs \[default\: 67108864; none for objects, and for requests that are only planned\]]:BYTES:_default' \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'--service=[Only this Service]:NAMESPACE/NAME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--reader=[The consumer of the slices \[default\: kube-proxy\]]:NAME:(kube-proxy cilium istio linkerd envoy-gateway)' \
'--clients=[Client pods that requests come from \[default\: requests from nodes, by CPU\]]:[NAMESPACE/]SELECTOR:_default' \
'--address-type=[The address family \[default\: the Service'\''s first; IPv4 for several Services\]]:FAMILY:((IPv4\:"IPv4"
IPv6\:"IPv6"))' \
'--kubernetes=[The version of Kubernetes whose kube-proxy reads slices \[default\: 1.37\]]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[kube-proxy also follows hints for nodes \[default\: true\]]:BOOL:(true false)' \
'-o+[How to print the answer]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print the answer]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'--no-pager[Never use a pager]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::subject -- JSON or YAML file; `-`, or nothing, reads standard input. With -f, or when reading a cluster, the Service\: NAME, NAMESPACE/NAME or svc/NAME. -n, -A and -l read a cluster, or select from the file:_files' \
&& ret=0
;;
(controller)
_arguments "${_arguments_options[@]}" : \
'--kubeconfig=[How to reach the API server \[default\: \$KUBECONFIG, ~/.kube/config, or the Pod'\''s ServiceAccount\]]:FILE:_files' \
'--namespace=[Only this namespace \[default\: all\]]:NAME:_default' \
'--service-selector=[Only Services with these labels, in the form of \`kubectl --selector\` \[default\: all\]]:SELECTOR:_default' \
'--shard=[Only the Services of this shard, given as INDEX/COUNT from 0; the name of a Service determines its shard]:INDEX/COUNT:_default' \
'--listen=[Serve /metrics, /healthz, /livez and /readyz on this address; port 0 picks a free port \[default\: do not serve\]]:ADDRESS:PORT:_default' \
'--log-format=[How to log, to standard error]:LOG_FORMAT:((text\:"Human-readable lines"
json\:"JSON lines"))' \
'--log-level=[Log messages of this level and above]:LOG_LEVEL:((error\:"Permanent failures"
warn\:"Failures that are retried"
info\:"Writes"
debug\:"Every sync"))' \
'--shutdown-grace-period=[How long writes in flight may take to finish on shutdown]:DURATION:_default' \
'--resync-period=[Sync all Services at this interval, even if nothing has changed]:DURATION:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned]:NAME:_default' \
'--max-endpoints-per-slice=[Endpoints per slice, 1 to 1000]:N:_default' \
'--topology-hints=[Set hints for the topology-mode annotation; false means a controller without a topology cache]:BOOL:(true false)' \
'--kubernetes=[The version of Kubernetes whose controller decides]:VERSION:(1.37 1.38)' \
'--prefer-same-traffic-distribution=[Support trafficDistribution \`PreferSameZone\` and \`PreferSameNode\`]:BOOL:(true false)' \
'--packing=[How to distribute endpoints over slices]:NAME:(upstream compact balanced)' \
'--endpointslice-updates-batch-period=[Batching delay for changes to Pods]:DURATION:_default' \
'--endpointslice-change-min-sync-delay=[Minimum delay for changes to EndpointSlices by others]:DURATION:_default' \
'--concurrent-service-endpoint-syncs=[How many Services are written concurrently]:N:_default' \
'--sync-back-off=[Delay after the first failure of a Service; it doubles with each further failure]:DURATION:_default' \
'--max-sync-back-off=[The maximum delay after failures of a Service]:DURATION:_default' \
'--retries-per-second=[Retries per second on average, for all Services together]:N:_default' \
'--retry-burst=[Retries that may happen at once, for all Services together]:N:_default' \
'--max-retries=[A Service is dropped when it fails more often than this, until it changes]:N:_default' \
'--leader-elect=[Only write while holding a Lease, so that other instances can stand by]:BOOL:(true false)' \
'--leader-elect-lease-duration=[A standby takes over the Lease when it has not been renewed for this long; whole seconds]:DURATION:_default' \
'--leader-elect-renew-deadline=[The leader gives up, and exits, when it could not renew the Lease for this long]:DURATION:_default' \
'--leader-elect-retry-period=[The interval at which the leader renews the Lease and standbys check it]:DURATION:_default' \
'--leader-elect-resource-name=[Name of the Lease \[default\: slicewise-controller, with the shard if there are several\]]:NAME:_default' \
'--leader-elect-resource-namespace=[Namespace of the Lease \[default\: that of the Pod, or of the kubeconfig'\''s context\]]:NAME:_default' \
'--identity=[The identity that holds the Lease and reports events \[default\: the host name and a unique suffix\]]:NAME:_default' \
'--dry-run[Print plans as \`slicewise plan\` does, one after another, and write nothing\: no slices, events or Lease]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
&& ret=0
;;
(watch)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--unwritten-after=[Report when slices have differed from the plan for this long without being written]:SECONDS:_default' \
'-o+[How to print changes]:OUTPUT:((text\:"Human-readable lines; the state of the connection goes to standard error"
json\:"A line of JSON for each change, and for changes in the state of the connection"))' \
'--output=[How to print changes]:OUTPUT:((text\:"Human-readable lines; the state of the connection goes to standard error"
json\:"A line of JSON for each change, and for changes in the state of the connection"))' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help (see more with '\''--help'\'')]' \
'--help[Print help (see more with '\''--help'\'')]' \
'::service -- Only this Service, which need not exist yet:_default' \
&& ret=0
;;
(serve)
_arguments "${_arguments_options[@]}" : \
'-n+[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--namespace=[Read this namespace of the cluster \[default\: the context'\''s\]]:NAME:_default' \
'--context=[Read the cluster of this context \[default\: the current one, or the cluster of the Pod\]]:NAME:_default' \
'--kubeconfig=[Read the cluster of this kubeconfig \[default\: \$KUBECONFIG, or ~/.kube/config\]]:FILE:_files' \
'--chunk-size=[Objects per request; 0 requests all at once]:N:_default' \
'--request-timeout=[How long to wait for an answer of the API server, such as 10s or 2m; 0 waits for ever]:TIME:_default' \
'-l+[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--selector=[Only Services with these labels, in the form of \`kubectl --selector\`]:SELECTOR:_default' \
'--managed-by=[Value of the managed-by label\: whose slices are planned \[default\: endpointslice-controller.k8s.io\]]:NAME:_default' \
'--unwritten-after=[Report when slices have differed from the plan for this long without being written]:SECONDS:_default' \
'--port=[The port to listen on; 0 picks a free port]:PORT:_default' \
'--listen=[The address to listen on; unless it is loopback, others can reach it and intercept the token]:ADDRESS:_default' \
'--page=[The folder of the built page \[default\: where it is installed\]]:FOLDER:_files' \
'-A[Read all namespaces of the cluster]' \
'--all-namespaces[Read all namespaces of the cluster]' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(version)
_arguments "${_arguments_options[@]}" : \
'-o+[How to print it]:OUTPUT:((table\:"Tables"
json\:"One line of JSON"
yaml\:"YAML"))' \
'--output=[How to print it]:OUTPUT:((table\:"Tables"
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
'::command -- The command to describe; `slicewise` itself by default:_default' \
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
(upgrade)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(review)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(audit)
_arguments "${_arguments_options[@]}" : \
&& ret=0
;;
(policy)
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
'explain:Explain why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help' \
'diff:Compare two sets of slices, endpoint by endpoint' \
'mirror:Plan the slices that mirror Endpoints objects' \
'kubernetes-service:Plan the Endpoints and the slice of the API servers'\'' own Service, \`default/kubernetes\`' \
'simulate:Run the EndpointSlice controller in virtual time\: over a scenario or a stream of events' \
'proxy:Follow a stream of Services and slices as kube-proxy on a node does' \
'upgrade:Show what another version of Kubernetes changes\: plans, traffic, settings and metrics' \
'review:Review changes before they are made\: admission reviews or manifests' \
'audit:Audit what is in a cluster by the admission policies\: keep reports in it, or print the findings' \
'policy:Write the rules of a configuration as ValidatingAdmissionPolicies, which API servers evaluate themselves' \
'lint-config:Lint webhook configurations\: find possible deadlocks of a cluster and departures from good practice' \
'route:Show which endpoints of a Service kube-proxy on a node uses, and by which rule' \
'traffic:Show who serves whom\: each endpoint'\''s share, and the traffic between zones' \
'controller:Run the EndpointSlice controller against a Kubernetes API server' \
'watch:Follow a cluster, and print each change to a Service'\''s traffic as it happens' \
'serve:Serve the page on this machine, with a live cluster' \
'version:Print the version, and the Kubernetes version whose decisions it matches' \
'completions:Print a completion script, e.g. \`slicewise completions bash > /etc/bash_completion.d/slicewise\`' \
'man:Print a man page, e.g. \`slicewise man plan | man -l -\`' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'slicewise commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__audit_commands] )) ||
_slicewise__subcmd__audit_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise audit commands' commands "$@"
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
'explain:Explain why a pod gets no traffic, why there are no hints, why slices are as they are, and what would help' \
'diff:Compare two sets of slices, endpoint by endpoint' \
'mirror:Plan the slices that mirror Endpoints objects' \
'kubernetes-service:Plan the Endpoints and the slice of the API servers'\'' own Service, \`default/kubernetes\`' \
'simulate:Run the EndpointSlice controller in virtual time\: over a scenario or a stream of events' \
'proxy:Follow a stream of Services and slices as kube-proxy on a node does' \
'upgrade:Show what another version of Kubernetes changes\: plans, traffic, settings and metrics' \
'review:Review changes before they are made\: admission reviews or manifests' \
'audit:Audit what is in a cluster by the admission policies\: keep reports in it, or print the findings' \
'policy:Write the rules of a configuration as ValidatingAdmissionPolicies, which API servers evaluate themselves' \
'lint-config:Lint webhook configurations\: find possible deadlocks of a cluster and departures from good practice' \
'route:Show which endpoints of a Service kube-proxy on a node uses, and by which rule' \
'traffic:Show who serves whom\: each endpoint'\''s share, and the traffic between zones' \
'controller:Run the EndpointSlice controller against a Kubernetes API server' \
'watch:Follow a cluster, and print each change to a Service'\''s traffic as it happens' \
'serve:Serve the page on this machine, with a live cluster' \
'version:Print the version, and the Kubernetes version whose decisions it matches' \
'completions:Print a completion script, e.g. \`slicewise completions bash > /etc/bash_completion.d/slicewise\`' \
'man:Print a man page, e.g. \`slicewise man plan | man -l -\`' \
'help:Print this message or the help of the given subcommand(s)' \
    )
    _describe -t commands 'slicewise help commands' commands "$@"
}
(( $+functions[_slicewise__subcmd__help__subcmd__audit_commands] )) ||
_slicewise__subcmd__help__subcmd__audit_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help audit commands' commands "$@"
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
(( $+functions[_slicewise__subcmd__help__subcmd__policy_commands] )) ||
_slicewise__subcmd__help__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help policy commands' commands "$@"
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
(( $+functions[_slicewise__subcmd__help__subcmd__upgrade_commands] )) ||
_slicewise__subcmd__help__subcmd__upgrade_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise help upgrade commands' commands "$@"
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
(( $+functions[_slicewise__subcmd__policy_commands] )) ||
_slicewise__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise policy commands' commands "$@"
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
(( $+functions[_slicewise__subcmd__upgrade_commands] )) ||
_slicewise__subcmd__upgrade_commands() {
    local commands; commands=()
    _describe -t commands 'slicewise upgrade commands' commands "$@"
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
