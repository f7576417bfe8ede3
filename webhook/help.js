/** The output of `--help`: enough to learn how to use the service. */
import { policies } from 'slicewise/admission';
import { defaults } from './config.js';
import { NODE_FLAGS } from './node-flags.js';

const { limits } = defaults();
const lines = policies().map(({ name, about }) => `  ${name.padEnd(22)} ${about}`).join('\n');

export const HELP = `slicewise-webhook: reviews changes to Services, EndpointSlices, Endpoints and Nodes before they happen

usage: npm run webhook -- [options]        or: node ${NODE_FLAGS.join(' ')} webhook/main.js [options]

An API server calls a validating admission webhook before it accepts a change. This one plans the Service before
and after the change with its view of the cluster, and allows it, denies it, or allows it with a warning, with the
reason. Without options it runs on loopback with a self-signed certificate, and watches the cluster it runs in, if any.
\`npm run webhook\` runs the demo: a small cluster, and curl commands to try.

policies
${lines}

options
  --config FILE           settings, YAML or JSON (below); flags override it
  --snapshot FILE         the cluster: kubectl get services,pods,nodes,endpointslices -A -o json > FILE
                          JSON or YAML
  --kubeconfig FILE       watch that cluster; in a pod, the default is the cluster it runs in
  --context NAME          a context of the kubeconfig (kubectl's by default)
                          with neither cluster nor snapshot, policies that need it answer according to whenStale
  --demo                  use the bundled cluster, and print curl commands to try
  --listen HOST:PORT      reviews, HTTPS with TLS 1.3          [127.0.0.1:8443; port 0 picks a free one]
  --health-listen H:PORT  probes and metrics, plain HTTP       [127.0.0.1:8081]
  --tls-cert FILE         certificate and key in PEM; by default a pair for a week is generated at startup
  --tls-key FILE
  --log-level LEVEL       silent, error, warn, info, debug     [info]; one JSON line per review on standard output
  --check-config          read everything, report errors, start nothing
  --version
  --help

paths
  POST /validate          admission.k8s.io/v1 AdmissionReview in and out, all policies
  POST /validate/POLICY   a single policy;  ?timeout=10s sets the deadline
  POST /audit             reviews or plain objects, one per line; prints a verdict per line
  POST /explain           a review or an object; explains the verdict in words
  GET  /livez /readyz /startupz /metrics /version              on the plain port

settings (all optional; these are the defaults)
  server:
    listen: 127.0.0.1:8443
    health: 127.0.0.1:8081
    maxConcurrent: 16     # reviews being processed; up to maxQueue wait, above that the answer is 429
    maxQueue: 128
    maxConnections: 1024
    maxConnectionAge: 5m  # answers close older connections, so that new replicas get their share
    maxConnectionIdle: 2m # longer than callers keep idle connections
    headersTimeout: 10s   # limit for a handshake, and for the headers of a request
    maxBodyBytes: ${limits.maxBodyBytes}
    bodyTimeout: 5s       # limit for a body, and for each line of an audit, to arrive
    maxBufferedBytes: ${limits.maxBufferedBytes} # of all bodies; above it, the one that has been arriving for longest gets a 429
    defaultTimeout: 10s   # if the caller sets none
    maxTimeout: 30s       # upper limit for callers
    grace: 1s             # a review that runs longer than this is stopped
    onFailure: error      # error | allow | deny, for a review that cannot be processed; on error, failurePolicy decides
    maxAudits: 1          # at a time
    maxAuditBytes: 268435456
    auditTimeout: 10m
    drainDelay: 3s        # after SIGTERM: readiness fails at once, the listener closes after this
    drainTimeout: 20s     # time for reviews in flight after that
  tls: {cert: FILE, key: FILE, clientCA: FILE, clientNames: [NAME, ...]}
                          # reloaded when they change; callers must present a certificate of clientCA, with one of these
                          # names if there are any. Beyond loopback it is needed, or clients: anyone
  snapshot: FILE          # or a watched cluster: needs get, list and watch for services, endpointslices, pods, nodes
  cluster: {kubeconfig: FILE, context: NAME, inCluster: true, waitForSync: true}
                          # not ready until each kind has been listed once, unless waitForSync: false
  logLevel: info
  policies:
    POLICY:               # any policy
      mode: enforce       # enforce | warn | audit | off; by default warn for workload-traffic
      whenStale: warn     # allow | warn | deny, if the cluster needs to be known and is not; by default deny for
                          # slice-addresses and endpoints-legacy, if there is a cluster to watch
      exemptUsers: []     # users to exempt, besides the control plane's from policies about slices and Endpoints:
                          # names, or system:serviceaccount:NAMESPACE:*
      exemptGroups: []    # groups to exempt
      namespaces: []      # other modes for some: [{names: [dev-*], mode: warn}]; the strictest match counts
    slice-ownership:
      managers: []        # who else may write which slices: [{managedBy: LABEL, users: [...], groups: [...]}]
    slice-addresses:      # and endpoints-legacy
      allowedCIDRs: []    # ranges whose addresses need not belong to pods
      deniedCIDRs: []     # forbidden ranges, such as those of Services and nodes
    slice-shape:
      maxEndpoints: 1000
      maxSlices: 1000     # of one Service
    service-blast-radius:
      removedPercent: 20  # warn if more than this share of the ready endpoints is removed,
      removedAtLeast: 2   # and at least this many
    service-traffic:
      allowedExternalIPs: []
      loadBalancerUsers: [] # who may write the addresses of load balancers
      loadBalancerGroups: []
      kubernetesVersion: "1.37"
    node-topology:
      maxServices: 1000   # maximum planned for one Node change
    workload-traffic:
      maxServices: 100    # maximum planned for one change of a workload
    expression:           # rules in CEL: docs/webhook.md
      validations: []     # [{name: no-node-ports, expression: object.spec.type != 'NodePort', on: {kinds: [Service]}}]
      variables: []       # [{name: X, expression: Y}], for all rules
      matchConditions: [] # [{name: X, expression: Y}]: rules run if all are true
      params: null        # any value, for all rules
      failurePolicy: Fail # Fail | Ignore, for a change that an expression cannot evaluate
      costLimit: 200000   # steps of one expression
      costBudget: 1000000 # steps of all expressions of a review
  writers: []             # programs that write slices of their own: [cilium-clustermesh, ...]
  exceptions: []          # changes that pass policies until a time: [{name: X, policies: [...], until: TIME, ...}]
  context:
    maxAgeSeconds: 60     # an older view of the cluster counts as unknown
    catchUpMs: 250        # the longest wait for a pod that the watch has not shown yet
  ownService: NAMESPACE/NAME # of the webhook itself: writes to it are never denied

exit codes: 0 clean exit, 1 failed to start or to stop in time, 2 invalid options or configuration
`;
