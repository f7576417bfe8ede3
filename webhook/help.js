/** What `--help` prints: enough to learn the service from. */
export const HELP = `slicewise-webhook: judges changes of Services and EndpointSlices before they happen

usage: npm run webhook -- [options]        or: node webhook/main.js [options]

An API server asks a validating admission webhook before it takes a change. This one plans the Service before
and after the change on a snapshot of the cluster, and answers yes, no, or yes with a warning, with the reason.
Without options it runs on loopback, with a certificate it makes itself and a small cluster that comes with it,
and prints curl lines to try.

policies
  slice-shape             an EndpointSlice written by hand must fit its Service: address family, ports, size;
                          no endpoint twice, neither in itself nor across the Service's other slices
  service-blast-radius    a change must not take a Service's last ready endpoint; losing many of them, a port,
                          or the Service itself is a warning with the numbers

options
  --config FILE           settings, YAML or JSON (below); flags win
  --snapshot FILE         the cluster: kubectl get services,pods,nodes,endpointslices -A -o json > FILE
                          JSON or YAML; "none" for none: what needs the cluster then answers as whenStale says
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
  GET  /livez /readyz /startupz /metrics /version              on the plain port

settings (everything may be left out; these are the defaults)
  server:
    listen: 127.0.0.1:8443
    health: 127.0.0.1:8081
    maxConcurrent: 16     # reviews being read or judged; up to maxQueue wait, above that the answer is 429
    maxQueue: 128
    maxConnections: 1024
    maxBodyBytes: 9437184
    defaultTimeout: 10s   # when the caller does not say
    maxTimeout: 30s       # whatever the caller says
    drainDelay: 3s        # after SIGTERM: readiness fails at once, the listener closes after this
    drainTimeout: 20s     # what reviews in flight have after that
  tls: {cert: FILE, key: FILE}
  snapshot: FILE
  logLevel: info
  policies:
    slice-shape:
      mode: enforce       # enforce | warn | audit | off
      whenStale: warn     # allow | warn | deny, where the cluster would have to be known and is not
      maxEndpoints: 1000
      exemptUsers: [...]  # users whose slices are not judged; default: the control plane's controllers
    service-blast-radius:
      mode: enforce
      whenStale: warn
      removedPercent: 20  # warn when more than this share of the ready endpoints goes,
      removedAtLeast: 2   # and at least so many

exit codes: 0 ended in order, 1 could not start or did not end in time, 2 wrong options or configuration
`;
