/** The measurements as a page: targets first, then every table. */

/**
 * @typedef {import('../bench.mjs').Row} Row
 * @typedef {import('../bench.mjs').Side} Side
 * @typedef {object} Results
 * @property {Row[]} rows
 * @property {number} left how many cases the time did not suffice for
 * @property {{ours: number, go: number | null}} ready
 * @property {{ours: number, go: number | null}} gzip
 * @property {string} cpu
 * @property {number} cores
 * @property {string[]} versions
 * @property {string} date
 * @property {string} command
 * @property {string} notes
 */

/** @typedef {{what: string, target: string, worst: number | null, met: boolean | null, shown: string}} Verdict */

/** @param {Results} results */
export function report(results) {
  const { rows, left } = results;
  const whole = rows.filter(({ of }) => !of.slim);
  return `${head(results)}
## Targets

${table(['Target', 'Wanted', 'Worst case measured', ''], verdicts(results).map(({ what, target, shown, met }) => [what, target, shown, verdict(met)]))}

${left > 0 ? `${left} inputs are missing: the time did not suffice.\n\n` : ''}<!-- notes -->
${results.notes}<!-- /notes -->

## JSON in, plan out

Milliseconds; × is how many times faster than the reference we are, natively and in WebAssembly. \`JSON.parse\` only parses
the same bytes.

${table(
  ['Endpoints', 'What changed', 'MB', 'native', 'Go', '×', 'wasm', 'Go in wasm', '×', 'wasm to native Go ×', '`JSON.parse`'],
  whole.map((row) => [
    ...label(row), row.megabytes.toFixed(1), ms(row, 'rust', 'json'), ms(row, 'go', 'json'), times(ratio(row, ['go', 'json'], ['rust', 'json'])), ms(row, 'wasm', 'json'),
    ms(row, 'goWasm', 'json'), times(ratio(row, ['goWasm', 'json'], ['wasm', 'json'])), times(ratio(row, ['go', 'json'], ['wasm', 'json'])), ms(row, 'wasm', 'parse'),
  ]),
)}

## The typed call

On decoded objects: \`plan::plan\` against \`Reconcile\` with a client that keeps what it is given and does nothing else.
\`decision\` is \`reconcile::reconcile\` alone, before whole slices are built.

${table(
  ['Endpoints', 'What changed', 'plan', 'decision', 'plan in wasm', 'Go', '×', 'wasm to native Go ×', 'Go in wasm', 'writes'],
  rows.map((row) => [
    ...label(row), ms(row, 'rust', 'typed'), ms(row, 'rust', 'decision'), ms(row, 'wasm', 'typed'), ms(row, 'go', 'typed'), times(ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    times(ratio(row, ['go', 'typed'], ['wasm', 'typed'])),
    ms(row, 'goWasm', 'typed'), row.samples.rust?.typed?.writes ?? '–',
  ]),
)}

Writes are slices created + updated + deleted. Decoding alone takes most of JSON in, plan out:

${table(
  ['Endpoints', 'What changed', 'decode', 'JSON in, plan out', 'decode MB/s'],
  whole.filter(({ of }) => of.scenario === 'no-change').map((row) => [
    ...label(row), ms(row, 'rust', 'decode'), ms(row, 'rust', 'json'), (row.megabytes * 1000 / (medianOf(row, 'rust', 'decode') ?? NaN)).toFixed(0),
  ]),
)}

## The module

${table(['', 'slicewise', 'Go in wasm'], [
  ['KB, gzip', (results.gzip.ours / 1024).toFixed(1), results.gzip.go === null ? '–' : (results.gzip.go / 1024).toFixed(0)],
  ['ms until it has answered once', results.ready.ours.toFixed(1), results.ready.go?.toFixed(0) ?? '–'],
])}
`;
}

/** @param {Results} results */
function head({ cpu, cores, versions, date, command }) {
  return `# Performance

Ours and the reference, \`k8s.io/endpointslice\` v0.37.2, on the same generated inputs (\`benches/generate.mjs\`): pods of
5 KB as an API server gives them (slim ones at 100,000 endpoints, where only the typed call is measured), a node for
each 30 pods, three zones, one Service with two ports. All four programs run one after the other on each input; numbers
are medians. The reference collects its garbage before each call, outside the time. Trust ratios over absolutes.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.
`;
}

/** @param {Results} results @returns {Verdict[]} */
function verdicts({ rows, ready, gzip }) {
  const whole = rows.filter(({ of: { slim } }) => !slim);
  const large = whole.filter(({ of: { size } }) => size >= 1000);
  /** @param {string} what @param {number} least @param {Row[]} among @param {(row: Row) => number | null} rate */
  const atLeast = (what, least, among, rate) => {
    const rated = among.map((row) => ({ row, value: rate(row) })).filter(({ value }) => value !== null);
    rated.sort((a, b) => Number(a.value) - Number(b.value));
    const [worst] = rated;
    const value = worst ? Number(worst.value) : null;
    const short = rated.filter((each) => Number(each.value) < least).length;
    const shown = worst ? `${times(value)} (${label(worst.row).join(', ')})${short > 0 ? `; ${short} of ${rated.length} below` : ''}` : '–';
    return { what, target: `≥ ${least}×`, worst: value, met: value === null ? null : value >= least, shown };
  };
  /** @param {string} what @param {number} most @param {number} value @param {string} unit */
  const atMost = (what, most, value, unit) => ({ what, target: `≤ ${most} ${unit}`, worst: value, met: value <= most, shown: `${value.toFixed(1)} ${unit}` });
  const removed = rows.filter(({ of: { scenario } }) => scenario === 'hints-removed');
  return [
    atLeast('typed call, native, to Go', 50, rows.filter((row) => !removed.includes(row)), (row) => ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    atLeast('typed call, wasm, to native Go', 25, rows.filter((row) => !removed.includes(row)), (row) => ratio(row, ['go', 'typed'], ['wasm', 'typed'])),
    atLeast('typed call, hints removed, native, to Go', 500, removed, (row) => ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    atLeast('JSON in, plan out, wasm, to Go in wasm', 45, large, (row) => ratio(row, ['goWasm', 'json'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, wasm, to native Go', 8, large, (row) => ratio(row, ['go', 'json'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, wasm, to `JSON.parse` alone', 1, large, (row) => ratio(row, ['wasm', 'parse'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, native, to Go', 12, large, (row) => ratio(row, ['go', 'json'], ['rust', 'json'])),
    atMost('module, gzip', 130, gzip.ours / 1024, 'KB'),
    atMost('module, ready', 15, ready.ours, 'ms'),
  ];
}

/** @param {boolean | null} met */
function verdict(met) {
  if (met === null) return 'not measured';
  return met ? 'met' : '**missed**';
}

/** @param {Row} row @param {Side} side @param {string} what @returns {number | null} */
function medianOf(row, side, what) {
  return row.samples[side]?.[what]?.median ?? null;
}

/** @param {Row} row @param {[Side, string]} theirs @param {[Side, string]} ours */
function ratio(row, theirs, ours) {
  const [slow, fast] = [medianOf(row, ...theirs), medianOf(row, ...ours)];
  return slow === null || fast === null ? null : slow / fast;
}

/** @param {Row} row */
function label({ of: { size, scenario, hints } }) {
  return [size.toLocaleString('en'), `${scenario.replaceAll('-', ' ')}${hints ? ', hints' : ''}`];
}

/** @param {Row} row @param {Side} side @param {string} what */
function ms(row, side, what) {
  const value = medianOf(row, side, what);
  if (value === null) return '–';
  return value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);
}

/** @param {number | null} value */
const times = (value) => (value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)}×`);

/** @param {string[]} header @param {string[][]} lines */
function table(header, lines) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [row(header), row(header.map((_, index) => (index < 2 ? '---' : '--:'))), ...lines.map(row)].join('\n');
}
