/** What Prometheus reads: a few counters, gauges and one histogram, written as text. */

/** In seconds: a review takes tens of microseconds, a bad day takes seconds. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** @typedef {Record<string, string | number>} Labels */

export class Counter {
  /** By the values of the labels, joined. @type {Map<string, number>} */
  #values = new Map();

  /** @param {string} name @param {string} help @param {string[]} labels their names */
  constructor(name, help, labels) {
    this.name = name;
    this.help = help;
    this.labels = labels;
  }

  /** @param {...(string | number)} values of the labels, in their order; none holds a line break */
  add(...values) {
    const key = values.length === 1 ? String(values[0]) : values.join('\n');
    this.#values.set(key, (this.#values.get(key) ?? 0) + 1);
  }

  render() {
    const labels = (/** @type {string} */ key) => labelText(Object.fromEntries(key.split('\n').map((value, index) => [this.labels[index], value])));
    return head(this, 'counter') + [...this.#values].map(([key, value]) => `${this.name}${labels(key)} ${value}\n`).join('');
  }
}

/** Read when asked for. */
export class Gauge {
  /** @param {string} name @param {string} help @param {() => number} read @param {Labels} [labels] @param {'gauge' | 'counter'} [type] */
  constructor(name, help, read, labels = {}, type = 'gauge') {
    this.name = name;
    this.help = help;
    this.read = read;
    this.labels = labels;
    this.type = type;
  }

  render() {
    return `${head(this, this.type)}${this.name}${labelText(this.labels)} ${this.read()}\n`;
  }
}

export class Histogram {
  /** How many values fell into each bucket; the last is for everything above. */
  #counts = new Array(BUCKETS.length + 1).fill(0);
  #sum = 0;

  /** @param {string} name @param {string} help */
  constructor(name, help) {
    this.name = name;
    this.help = help;
  }

  /** @param {number} value */
  observe(value) {
    const bucket = BUCKETS.findIndex((bound) => value <= bound);
    this.#counts[bucket === -1 ? BUCKETS.length : bucket] += 1;
    this.#sum += value;
  }

  render() {
    let total = 0;
    const lines = this.#counts.map((count, index) => {
      total += count;
      return `${this.name}_bucket{le="${BUCKETS[index] ?? '+Inf'}"} ${total}\n`;
    });
    return `${head(this, 'histogram')}${lines.join('')}${this.name}_sum ${this.#sum}\n${this.name}_count ${total}\n`;
  }
}

/**
 * The metrics of one service.
 * @param {{gate: {active: number, waiting: number}, isReady: () => boolean, version: string, cluster?: () => string}} sources
 */
export function createMetrics({ gate, isReady, version, cluster = () => '' }) {
  const reviews = new Counter('slicewise_webhook_reviews_total', 'Reviews by verdict: allow, warn, deny, error.', ['verdict']);
  const findings = new Counter('slicewise_webhook_policy_findings_total', 'Reviews in which a policy had something to say, by policy and verdict.', ['policy', 'verdict']);
  const responses = new Counter('slicewise_webhook_http_responses_total', 'Answers by HTTP status code.', ['code']);
  const reloads = new Counter('slicewise_webhook_reloads_total', 'Files that were read anew, by what they are and whether they could be used.', ['what', 'result']);
  const duration = new Histogram('slicewise_webhook_review_duration_seconds', 'From the last byte of a review to its answer.');
  const gauges = [
    new Gauge('slicewise_webhook_reviews_in_flight', 'Reviews being read or judged.', () => gate.active),
    new Gauge('slicewise_webhook_reviews_waiting', 'Reviews waiting for a place.', () => gate.waiting),
    new Gauge('slicewise_webhook_ready', '1 while the service wants traffic.', () => Number(isReady())),
    new Gauge('slicewise_webhook_build_info', 'Always 1.', () => 1, { version }),
    new Gauge('process_cpu_seconds_total', 'CPU time of the process.', cpuSeconds, {}, 'counter'),
    new Gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
  ];
  const all = [reviews, findings, responses, reloads, duration, ...gauges];
  return { reviews, findings, responses, reloads, duration, render: () => all.map((metric) => metric.render()).join('') + cluster() };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** @param {{name: string, help: string}} metric @param {string} type */
function head({ name, help }, type) {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** @param {Labels} labels */
function labelText(labels) {
  const parts = Object.entries(labels).map(([key, value]) => `${key}="${String(value).replace(/[\\"\n]/g, escape)}"`);
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

/** @param {string} character */
function escape(character) {
  return character === '\n' ? '\\n' : `\\${character}`;
}
