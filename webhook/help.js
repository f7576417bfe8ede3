/** What `--help` prints: enough to learn the service from. */
import { policies } from 'slicewise/admission';
import { NODE_FLAGS } from './node-flags.js';

const lines = policies().map(({ name, about }) => `  ${name.padEnd(22)} ${about}`).join('\n');

export const HELP = `slicewise-webhook: judges changes of Services, EndpointSlices, Endpoints and Nodes before they happen

usage: npm run webhook -- [options]        or: node ${NODE_FLAGS.join(' ')} webhook/main.js [options]

An API server asks a validating admission webhook before it takes a change. This one plans the Service before
and after the change on a snapshot of the cluster, and answers yes, no, or yes with a warning, with the reason.
Without options it runs on loopback, with a certificate it makes itself, and knows the cluster it runs in, or none.
\`npm run webhook\` alone is the demo: with a small cluster, and curl lines to try.

policies
${lines}

options
  --config FILE           settings, YAML or JSON (below); flags win
  --snapshot FILE         the cluster: kubectl get services,pods,nodes,endpointslices -A -o json > FILE
                          JSON or YAML
  --kubeconfig FILE       watch that cluster; in a pod, the cluster it runs in is watched without being asked
  --context NAME          of the kubeconfig, which is kubectl's when none is given
                          with neither cluster nor snapshot, what needs the cluster answers as whenStale says
  --demo                  take the small cluster that comes with it, and print curl lines to try
  --listen HOST:PORT      reviews, HTTPS with TLS 1.3          [127.0.0.1:8443; port 0 takes a free one]
  --health-listen H:PORT  probes and metrics, plain HTTP       [127.0.0.1:8081]
  --tls-cert FILE         certificate and key in PEM; without them a pair for a week is made at start
  --tls-key FILE
  --log-level LEVEL       silent, error, warn, info, debug     [info]; one JSON line per review on standard output
  --check-config          read everything, say what is wrong, start nothing
  --version
  --help

paths
  POST /validate          admission.k8s.io/v1 AdmissionReview in and out, all policies
  POST /validate/POLICY   one policy alone;  ?timeout=10s is the deadline
  POST /audit             reviews, or objects as they are, one on each line; a verdict on each line back
  POST /explain           a review or an object; why the verdict is what it is, in words
  GET  /livez /readyz /startupz /metrics /version              on the plain port

settings (everything may be left out; these are the defaults)
  server:
    listen: 127.0.0.1:8443
    health: 127.0.0.1:8081
    maxConcurrent: 16     # reviews being read or judged; up to maxQueue wait, above that the answer is 429
    maxQueue: 128
    maxConnections: 1024
    maxConnectionAge: 5m  # an answer closes its connection after that, so that new replicas get their share
    maxConnectionIdle: 2m # longer than callers keep idle connections
    headersTimeout: 10s   # for a handshake, and for the headers of a request
    maxBodyBytes: 9437184
    defaultTimeout: 10s   # when the caller does not say
    maxTimeout: 30s       # whatever the caller says
    grace: 1s             # judging that goes on for so long does not end: the process does
    onFailure: error      # error | allow | deny, for a review that cannot be judged; of an error failurePolicy decides
    maxAudits: 1          # at a time
    maxAuditBytes: 268435456
    auditTimeout: 10m
    drainDelay: 3s        # after SIGTERM: readiness fails at once, the listener closes after this
    drainTimeout: 20s     # what reviews in flight have after that
  tls: {cert: FILE, key: FILE, clientCA: FILE, clientNames: [NAME, ...]}
                          # read anew when they change; callers must show a certificate of clientCA, and one
                          # of these names if there are any. Beyond loopback it is needed, or clients: anyone
  snapshot: FILE          # or a cluster that is watched: get, list and watch services, endpointslices, pods, nodes
  cluster: {kubeconfig: FILE, context: NAME, inCluster: true, waitForSync: true}
                          # not ready before each kind was listed once; waitForSync: false is
  logLevel: info
  policies:
    POLICY:               # each of them
      mode: enforce       # enforce | warn | audit | off
      whenStale: warn     # allow | warn | deny, where the cluster would have to be known and is not
      exemptUsers: [...]  # users whose changes are not judged; for slices and Endpoints the control plane's controllers
      namespaces: []      # other modes for some: [{names: [dev-*], mode: warn}]; of several the strictest counts
    slice-ownership:
      managers: [...]     # who may write what: [{managedBy: LABEL, users: [...]}]
    slice-addresses:      # and endpoints-legacy
      allowedCIDRs: []    # ranges whose addresses need not be pods
      deniedCIDRs: []     # ranges for no endpoint, such as those of Services and nodes
    slice-shape:
      maxEndpoints: 1000
      maxSlices: 1000     # of one Service
    service-blast-radius:
      removedPercent: 20  # warn when more than this share of the ready endpoints goes,
      removedAtLeast: 2   # and at least so many
    service-traffic:
      allowedExternalIPs: []
      kubernetesVersion: "1.37"
    node-topology:
      maxServices: 1000   # planned for one change of a Node
    expression:           # rules in CEL: docs/webhook.md
      validations: []     # [{name: no-node-ports, expression: object.spec.type != 'NodePort', on: {kinds: [Service]}}]

exit codes: 0 ended in order, 1 could not start or did not end in time, 2 wrong options or configuration
`;
