/** The section with the measurements of the consumer side. */
import { loadavg } from 'node:os';
import { table, times, verdict } from './bench-report.mjs';

/**
 * @typedef {import('../bench.mjs').Sample} Sample
 * @typedef {object} Results
 * @property {Record<string, Sample>} rust
 * @property {Record<string, Sample>} go
 * @property {string} cpu
 * @property {number} cores
 * @property {string[]} versions
 * @property {string} date
 * @property {string} command
 */

const SIZES = [100, 1000, 10_000];
const MIDDLE = 1000;
const LARGEST = 10_000;
const KINDS = ['', ' UDP'];
/** The measurements and their labels. */
const WORK = {
  'first sync': 'all slices have come; the sync',
  'one slice': 'one slice changes; the sync',
  '1000 updates': '1,000 changes of slices; the sync',
  'sync after 1000 updates': 'of which the sync',
  'endpoints of a port': 'then all endpoints of one of the ports, one by one',
};

/** @param {Results} results */
export function proxyReport(results) {
  const { rust, go, cpu, cores, versions, date, command } = results;
  const sizes = SIZES.flatMap((size) => KINDS.map((kind) => ({ size, kind })));
  const lines = Object.entries(WORK).flatMap(([what, title]) => sizes.map(({ size, kind }) => {
    const [ours, theirs] = [rust, go].map((side) => find(side, `${what} ${size}${kind}`));
    return [size.toLocaleString('en'), `${title}${kind && ', UDP'}`, ms(ours), ms(theirs), times(Number.isNaN(theirs / ours) ? null : theirs / ours)];
  }));
  const bytes = sizes.map(({ size, kind }) => `${find(rust, `bytes per endpoint ${size}${kind}`)} at ${size.toLocaleString('en')}${kind && ', UDP'}`);
  return `## The consumer side

How fast slicewise processes slices as kube-proxy does. \`proxy::Proxier\` is compared with the reference,
\`EndpointsChangeTracker\` and \`EndpointsMap\` of \`k8s.io/kubernetes\` v1.37.2, on one Service with two ports and 100
endpoints per slice, as shared objects, without JSON. Times are in milliseconds. The
reference collects its garbage before each run, outside the measured time.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}. The machine's load
was ${loadavg()[1]?.toFixed(1)} at the end; above 1 for each core, the figures are of a busy machine.

### Targets

${table(['Target', 'Wanted', 'Measured', ''], targets(results).map(({ what, wanted, shown, met }) => [what, wanted, shown, verdict(met)]))}

### All of it

At each sync, the reference merges all slices of every Service that has changed. We keep the merged state and replace
only the contribution of each changed slice; a list of endpoints is built only on request, whereas the reference has
already built it by then. Recording a slice only stores it, as in the reference; the sync reads the last version of each
and computes its effect. Slices that cannot be shared, such as those of a stream, are read when they arrive.

${table(['Endpoints', 'What happens', 'ours', 'Go', '×'], lines)}

In memory, bytes for each endpoint with both of its ports: ${bytes.join('; ')}.
`;
}

/** @param {Results} results */
function targets({ rust, go }) {
  return KINDS.flatMap((kind) => {
    const protocol = kind === '' ? 'TCP' : 'UDP';
    const [ours, theirs] = [rust, go].map((side) => find(side, `one slice ${LARGEST}${kind}`));
    const [many, reference] = [rust, go].map((side) => find(side, `1000 updates ${MIDDLE}${kind}`));
    const [sync, merge] = ['sync after 1000 updates', 'first sync'].map((what) => find(rust, `${what} ${LARGEST}${kind}`));
    return [
      { what: `one slice of 10,000 endpoints changes, ${protocol}`, wanted: '≥ 100×', shown: times(theirs / ours), met: theirs / ours >= 100 },
      {
        what: `1,000 changes of the slices of ${MIDDLE.toLocaleString('en')} endpoints, ${protocol}`,
        wanted: '≥ 1×',
        shown: times(reference / many),
        met: reference >= many,
      },
      {
        what: `the sync after 1,000 changes, compared with merging from scratch, ${protocol}`,
        wanted: '≤ 1×',
        shown: times(sync / merge),
        met: sync <= merge,
      },
    ];
  });
}

/** @param {Record<string, Sample>} side @param {string} what */
function find(side, what) {
  return side[what]?.median ?? NaN;
}

/** @param {number} value milliseconds */
function ms(value) {
  if (Number.isNaN(value)) return '–';
  return value.toFixed(value < 0.1 ? 4 : value < 1 ? 3 : 2);
}
