/** The section that compares objects with hand-made JSON. */

/** @typedef {import('../bench.mjs').Sample} Sample */

const WANTED = 2.5;

/**
 * @param {{samples: Record<string, Sample>, cpu: string, cores: number, versions: string[], date: string, command: string, notes: string}} results
 */
export function objectReport({ samples, cpu, cores, versions, date, command, notes }) {
  const names = Object.keys(samples).filter((name) => name.endsWith(', door')).map((name) => name.slice(0, -', door'.length));
  const rows = names.map((name) => line(name, samples[`${name}, door`], samples[`${name}, plain`]));
  return `## JavaScript objects

The cost of passing 1,000 pods of 5 KB that already exist as JavaScript objects (\`benches/object-door.mjs\`), and of
getting an object back: *as they are*, and through *plain JSON*, which means \`JSON.stringify\`, \`TextEncoder\`, the
same call with bytes, and \`JSON.parse\` of the answer. The two alternate in one process, eight runs at a time, after one
that collects the garbage of the other. Times, ids and annotations differ from pod to pod. Times are in milliseconds,
best and median.

Written by \`${command}\` on ${date}; ${cpu}, ${cores} cores; ${versions.join(', ')}.

| | as they are | plain JSON | × best | × median | ≥ ${WANTED}× |
| --- | --: | --: | --: | --: | --: |
${rows.join('\n')}

<!-- notes -->
${notes}<!-- /notes -->
`;
}

/** @param {string} name @param {Sample} door @param {Sample} plain */
function line(name, door, plain) {
  const both = (/** @type {Sample} */ { best, median }) => `${best.toFixed(1)} / ${median.toFixed(1)}`;
  const [best, median] = [plain.best / door.best, plain.median / door.median];
  return `| ${name} | ${both(door)} | ${both(plain)} | ${best.toFixed(1)} | ${median.toFixed(1)} | ${median >= WANTED ? 'met' : '**missed**'} |`;
}
