/** The sections about planning and sessions: targets first, then all tables. */

/**
 * @typedef {import('../bench.mjs').Row} Row
 * @typedef {import('../bench.mjs').SessionRow} SessionRow
 * @typedef {import('../bench.mjs').StreamRow} StreamRow
 * @typedef {import('../bench.mjs').Side} Side
 * @typedef {object} Results
 * @property {Row[]} rows
 * @property {SessionRow[]} sessions
 * @property {StreamRow[]} streams
 * @property {number} left how many cases there was no time for
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
  return `## Planning

How fast slicewise plans, compared with the reference, \`k8s.io/endpointslice\` v0.37.2, on the same generated inputs
(\`benches/generate.mjs\`): pods of 5 KB as an API server returns them (slim ones at 100,000 endpoints, where only the
typed call is measured), one node for every 30 pods, three zones, one Service with two ports. The reference
collects its garbage before each call, outside the measured time.

${written(results)}
### Targets

${table(
  ['Target', 'Wanted', 'Worst case measured', ''],
  verdicts(results).map(({ what, target, shown, met }) => [what, target, shown, verdict(met)]),
)}

${left > 0 ? `${left} inputs are missing: the time did not suffice.\n\n` : ''}${marked(results.notes)}

### JSON in, plan out

Times in milliseconds; × is the speed-up over the reference, natively and in WebAssembly. \`JSON.parse\` only parses the same bytes.

${table(
  ['Endpoints', 'What changed', 'MB', 'native', 'Go', '×', 'wasm', 'Go in wasm', '×', 'wasm to native Go ×', '`JSON.parse`'],
  whole.map((row) => [
    ...label(row), row.megabytes.toFixed(1), ms(row, 'rust', 'json'), ms(row, 'go', 'json'), times(ratio(row, ['go', 'json'], ['rust', 'json'])),
    ms(row, 'wasm', 'json'),
    ms(row, 'goWasm', 'json'), times(ratio(row, ['goWasm', 'json'], ['wasm', 'json'])), times(ratio(row, ['go', 'json'], ['wasm', 'json'])),
    ms(row, 'wasm', 'parse'),
  ]),
)}

### The typed call

On decoded objects: \`plan::plan\` compared with \`Reconcile\` with a client that only stores what it is given.
\`decision\` is \`reconcile::reconcile\` alone, before complete slices are built.

${table(
  ['Endpoints', 'What changed', 'plan', 'decision', 'plan in wasm', 'Go', '×', 'wasm to native Go ×', 'Go in wasm', 'writes'],
  rows.map((row) => [
    ...label(row), ms(row, 'rust', 'typed'), ms(row, 'rust', 'decision'), ms(row, 'wasm', 'typed'), ms(row, 'go', 'typed'),
    times(ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    times(ratio(row, ['go', 'typed'], ['wasm', 'typed'])),
    ms(row, 'goWasm', 'typed'), row.samples.rust?.typed?.writes ?? '–',
  ]),
)}

Writes are slices created + updated + deleted. Decoding takes most of the time of JSON in, plan out:

${table(
  ['Endpoints', 'What changed', 'decode', 'JSON in, plan out', 'decode MB/s'],
  whole.filter(({ of }) => of.scenario === 'no-change').map((row) => [
    ...label(row), ms(row, 'rust', 'decode'), ms(row, 'rust', 'json'), (row.megabytes * 1000 / (medianOf(row, 'rust', 'decode') ?? NaN)).toFixed(0),
  ]),
)}

### The module

${table(['', 'slicewise', 'Go in wasm'], [
  ['KB, gzip', (results.gzip.ours / 1024).toFixed(1), results.gzip.go === null ? '–' : (results.gzip.go / 1024).toFixed(0)],
  ['ms until it has answered once', results.ready.ours.toFixed(1), results.ready.go?.toFixed(0) ?? '–'],
])}
`;
}

/** Keeps the hand-written notes. @param {string} notes */
const marked = (notes) => `<!-- notes -->\n${notes}<!-- /notes -->`;

/** The section about sessions. @param {Results} results */
export function sessionReport(results) {
  const found = [...sessionVerdicts(results.sessions), ...streamVerdicts(results.streams)];
  const lines = found.map(({ what, target, shown, met }) => [what, target, shown, verdict(met)]);
  return `## Sessions

The cost of a change to a Service that a [session](session.md) or a controller follows. The inputs and the reference are
those of [planning](#planning).

${written(results)}
### Targets

${table(['Target', 'Wanted', 'Worst case measured', ''], lines)}

${marked(results.notes)}

### The session

A session has seen all pods, nodes and slices; then one pod after another becomes unready and ready again. *One change*
is the pod's watch event in and the plan out, which contains the whole slice to write, of up to 100 endpoints: as
objects, or as JSON, 5 KB in and 30 to 45 KB out. The slice comes back as an event (*slice event*) before the next
change. Go is \`Reconcile\` alone with one pod replaced, on decoded objects. A *quiet event* does not change anything
that plans depend on.

${table(
  [
    'Endpoints',
    'Hints',
    'one change, µs',
    'Go, µs',
    '×',
    'with JSON, µs',
    'in wasm, µs',
    'slice event, µs',
    'quiet events/s',
    'in wasm',
    'start, ms',
    'in wasm, ms',
  ],
  results.sessions.map((session) => sessionLine(session, results.rows)),
)}

In memory, for each pod with its endpoint: ${results.sessions
  .filter(({ of }) => !of.hints)
  .map(({ of, memory }) => `${memory['bytes per pod']?.median} bytes at ${of.size.toLocaleString('en')}`)
  .join(', ')};
${memoryOf(results, 'bytes per pod without its endpoint')} bytes of it for the pod alone.
Where each pod has labels of its own, as those of a StatefulSet have, it is ${memoryOf(results, 'bytes per pod of a StatefulSet')} bytes.
A Service with one empty slice takes ${memoryOf(results, 'bytes per Service with one empty slice')} bytes.

### The controller as a stream

\`slicewise simulate --ndjson\` with a full list, and then changes as above: the line with the event is read, planned
and written to the API server in memory, the slice is read back from there, and the line with the plan is printed. For
each change the whole process takes
${results.streams.map(({ of, micros }) => `${micros.toFixed(0)} µs at ${of.size.toLocaleString('en')} endpoints`).join(', ')}:
the difference between two runs with more and fewer changes, divided by their number.
`;
}

/** @param {Results} results */
function written({ cpu, cores, versions, date, command }) {
  return `Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.
`;
}

/** @param {SessionRow} session @param {Row[]} rows */
function sessionLine({ of, native, wasm }, rows) {
  const same = rows.find((row) => row.of.size === of.size && row.of.hints === of.hints && row.of.scenario === 'one-replaced');
  const go = same ? medianOf(same, 'go', 'typed') : null;
  const micro = (/** @type {import('../bench.mjs').Sample | undefined} */ sample) => (sample ? (sample.median * 1000).toFixed(1) : '–');
  const rate = (/** @type {import('../bench.mjs').Sample | undefined} */ sample) =>
    sample ? Math.round(1000 / sample.median).toLocaleString('en') : '–';
  const whole = (/** @type {import('../bench.mjs').Sample | undefined} */ sample) => (sample ? sample.median.toFixed(0) : '–');
  const faster = go === null || !native['typed change'] ? null : go / native['typed change'].median;
  return [
    of.size.toLocaleString('en'), of.hints ? 'yes' : 'no', micro(native['typed change']), go === null ? '–' : (go * 1000).toFixed(0), times(faster),
    micro(native.change), micro(wasm.change),
    micro(native['slice event']), rate(native['quiet event']), rate(wasm['quiet event']), whole(native.start), whole(wasm.start),
  ];
}

/** The figure of the largest session without hints. @param {Results} results @param {string} what */
function memoryOf({ sessions }, what) {
  const largest = sessions.filter(({ of }) => !of.hints).at(-1);
  return largest?.memory[what]?.median ?? '–';
}

/** The targets of sessions. @param {SessionRow[]} sessions @returns {Verdict[]} */
function sessionVerdicts(sessions) {
  const shown = (/** @type {SessionRow} */ { of }) => `${of.size.toLocaleString('en')}${of.hints ? ', hints' : ''}`;
  /** @param {string} what @param {string} target @param {number} most @param {(row: SessionRow) => number | undefined} figure @param {string} unit */
  const atMost = (what, target, most, figure, unit) => {
    const found = sessions.map((row) => ({ row, value: figure(row) ?? NaN })).sort((a, b) => b.value - a.value);
    const [worst] = found;
    const over = found.filter(({ value }) => !(value <= most)).length;
    const text = worst
      ? `${worst.value.toFixed(unit === 'bytes' ? 0 : 1)} ${unit} (${shown(worst.row)})${over > 0 ? `; ${over} of ${found.length} over` : ''}`
      : '–';
    return { what, target, worst: worst?.value ?? null, met: worst ? over === 0 : null, shown: text };
  };
  /** @param {'native' | 'wasm'} side @param {'change' | 'typed change'} what */
  const growth = (side, what) => (/** @type {SessionRow} */ row) => {
    const [smallest] = sessions.filter(({ of }) => of.hints === row.of.hints);
    return (row[side][what]?.median ?? NaN) / (smallest?.[side][what]?.median ?? NaN);
  };
  /** @param {'native' | 'wasm'} side */
  const perEvent = (side) => (/** @type {SessionRow} */ row) => (row[side]['quiet event']?.median ?? NaN) * 1000;
  return [
    atMost(
      'session, one change, native, objects in and a plan out',
      '≤ 20 µs',
      20,
      (row) => (row.native['typed change']?.median ?? NaN) * 1000,
      'µs',
    ),
    atMost('session, one change, native, JSON in and out', '≤ 50 µs', 50, (row) => (row.native.change?.median ?? NaN) * 1000, 'µs'),
    atMost('session, one change, wasm, JSON in and out', '≤ 150 µs', 150, (row) => (row.wasm.change?.median ?? NaN) * 1000, 'µs'),
    atMost('session, one change, native, objects in and a plan out, to that at 100 endpoints', '≤ 2×', 2, growth('native', 'typed change'), '×'),
    atMost('session, one change, native, JSON in and out, to that at 100 endpoints', '≤ 2×', 2, growth('native', 'change'), '×'),
    atMost('session, one change, wasm, JSON in and out, to that at 100 endpoints', '≤ 2×', 2, growth('wasm', 'change'), '×'),
    atMost('session, event without effect, native', '≤ 3 µs', 3, perEvent('native'), 'µs'),
    atMost('session, event without effect, wasm', '≤ 6 µs', 6, perEvent('wasm'), 'µs'),
    atMost('session, memory per pod with its endpoint', '≤ 400 bytes', 400, (row) => row.memory['bytes per pod']?.median, 'bytes'),
    atMost(
      'session, memory per pod with labels of its own',
      '≤ 500 bytes',
      500,
      (row) => row.memory['bytes per pod of a StatefulSet']?.median,
      'bytes',
    ),
  ];
}

/** @param {StreamRow[]} streams @returns {Verdict[]} */
function streamVerdicts(streams) {
  const worst = streams.reduce((most, row) => (row.micros > most.micros ? row : most));
  const shown = `${worst.micros.toFixed(0)} µs (${worst.of.size.toLocaleString('en')})`;
  return [{ what: 'controller stream, one change, the whole process', target: '≤ 150 µs', worst: worst.micros, met: worst.micros <= 150, shown }];
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
  const atMost = (what, most, value, unit) => ({
    what,
    target: `≤ ${most} ${unit}`,
    worst: value,
    met: value <= most,
    shown: `${value.toFixed(1)} ${unit}`,
  });
  const tenThousand = (/** @type {string} */ scenario) => rows.filter(({ of }) => of.size === 10_000 && of.scenario === scenario && !of.hints);
  const removed = rows.filter(({ of: { scenario } }) => scenario === 'hints-removed');
  return [
    atLeast('typed call, native, to Go', 50, rows.filter((row) => !removed.includes(row)), (row) => ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    atLeast('typed call without change, 10,000 endpoints, native, to Go', 100, tenThousand('no-change'), (row) =>
      ratio(row, ['go', 'typed'], ['rust', 'typed']),
    ),
    atLeast('typed call, a quarter of 10,000 replaced, native, to Go', 50, tenThousand('quarter-replaced'), (row) =>
      ratio(row, ['go', 'typed'], ['rust', 'typed']),
    ),
    atLeast(
      'typed call, wasm, to native Go',
      25,
      rows.filter((row) => !removed.includes(row)),
      (row) => ratio(row, ['go', 'typed'], ['wasm', 'typed']),
    ),
    atLeast('typed call, hints removed, native, to Go', 500, removed, (row) => ratio(row, ['go', 'typed'], ['rust', 'typed'])),
    atLeast('JSON in, plan out, wasm, to Go in wasm', 80, large, (row) => ratio(row, ['goWasm', 'json'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, wasm, to native Go', 12, large, (row) => ratio(row, ['go', 'json'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, wasm, to `JSON.parse` alone', 1, large, (row) => ratio(row, ['wasm', 'parse'], ['wasm', 'json'])),
    atLeast('JSON in, plan out, native, to Go', 25, large, (row) => ratio(row, ['go', 'json'], ['rust', 'json'])),
    atMost('module, gzip', 168, gzip.ours / 1024, 'KB'),
    atMost('module, ready', 15, ready.ours, 'ms'),
  ];
}

/** @param {boolean | null} met */
export function verdict(met) {
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
export const times = (value) => (value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)}×`);

/** @param {string[]} header @param {string[][]} lines */
export function table(header, lines) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [row(header), row(header.map((_, index) => (index < 2 ? '---' : '--:'))), ...lines.map(row)].join('\n');
}
