/**
 * A run of a scenario, step by step, so that any moment of it can be shown at once. Each step stores only the slices
 * that it changed; regular keyframes store all of them, so that jumping anywhere, also backwards, reads a
 * few steps and never all earlier ones.
 * @import {Legend} from '../types.js'
 */

/**
 * The events of a millisecond of the run, as the core reports them; omitted fields are empty or unchanged.
 * @typedef {object} Step
 * @property {number} at milliseconds since the start
 * @property {number} phase its index among the phases
 * @property {{message: string}[]} [happened]
 * @property {{create?: number, update?: number, delete?: number, refused?: number}} [writes]
 * @property {number} [bytesWritten]
 * @property {number} [bytesToWatchers]
 * @property {number} [hintFlips]
 * @property {{readyPods?: number, endpoints?: number, slices?: number, fill?: number, misdirected?: number, unused?: number}} [gauges]
 * @property {{misdirected: number, crossZone: number, unserved: number} | null} [traffic]
 * @property {{addressType: string, mode: string, applied: boolean, reason?: string | null}[] | null} [hints]
 * @property {string[]} [zones] new names, as are those of the next three
 * @property {{name: string, zone?: number | null}[]} [nodes]
 * @property {{name: string, node?: number | null}[]} [pods]
 * @property {{name: string, addressType: string, ports: string}[]} [newSlices]
 * @property {Delta[]} [slices]
 *
 * @typedef {{slice: number, is: string, put?: Put[], drop?: number[]}} Delta
 * @typedef {[pod: number, state: string, zones: number[], nodes: number[]]} Put
 */

/**
 * A slice at a moment. An endpoint keeps its slot for its lifetime; slots of removed endpoints are reused.
 * @typedef {object} SliceState
 * @property {number} slice the index of its name
 * @property {number} step the step that last changed it
 * @property {Int32Array} pods by slot; -1 for a free slot
 * @property {Uint8Array} states indices into {@link Recording.states}
 * @property {Int16Array} zones indices of the endpoints' zones; -1 for none
 * @property {Int16Array} hints indices of the first hinted zones; -1 for none
 * @property {Set<number>} fresh slots that this step has changed
 * @property {number} count of endpoints
 */

const KEYFRAME_EVERY = 64;
const NO_WRITES = { create: 0, update: 0, delete: 0 };
/** The default of omitted fields. */
const NOTHING = { happened: [], bytesToWatchers: 0, hintFlips: 0, gauges: {}, zones: [], nodes: [], pods: [], newSlices: [], slices: [] };

/**
 * The series that are drawn over time. Sums count from the start; the rest are values after the step.
 * @typedef {Record<'at' | 'writes' | 'bytes' | 'flips' | 'fill' | 'misdirected' | 'crossZone', number[]>} Series
 */

/**
 * The data of a step besides its slices.
 * @typedef {object} Kept
 * @property {number} at
 * @property {number} phase
 * @property {string[]} messages
 * @property {number} writes
 * @property {NonNullable<Step['gauges']>} gauges
 * @property {NonNullable<Step['hints']>} hints
 * @property {Step['traffic']} traffic
 */

export class Recording {
  states;
  /** @type {string[]} */
  zones = [];
  /** @type {{name: string, zone?: number | null}[]} */
  nodes = [];
  /** @type {{name: string, node?: number | null}[]} */
  pods = [];
  /** @type {{name: string, addressType: string, ports: string}[]} */
  slices = [];
  /** @type {Kept[]} */
  steps = [];
  /** @type {Series} */
  series = { at: [], writes: [], bytes: [], flips: [], fill: [], misdirected: [], crossZone: [] };
  /** The first step of each phase. @type {number[]} */
  phaseStarts = [];
  /** The indices of the states that occur, and whether hints occur. */
  signs = { states: /** @type {Set<number>} */ (new Set()), hints: false };
  /** The maximum number of endpoints in a slice, and of simultaneous slices. */
  most = { endpoints: 0, slices: 0 };
  /** @type {[number, SliceState | null][][]} */
  #changed = [];
  /** @type {Map<number, SliceState>[]} */
  #keyframes = [];
  /** @type {Map<number, SliceState>} */
  #now = new Map();

  /** @param {Legend['states']} states an endpoint can be in */
  constructor(states) {
    this.states = states;
  }

  get length() {
    return this.steps.length;
  }

  /** The time of the last known step. */
  get end() {
    return this.series.at.at(-1) ?? 0;
  }

  /** @param {Step[]} steps */
  append(steps) {
    for (const step of steps) this.#take(step);
  }

  /** @param {Step} given */
  #take(given) {
    const step = { ...NOTHING, ...given };
    const place = this.steps.length;
    this.zones.push(...step.zones);
    this.nodes.push(...step.nodes);
    this.pods.push(...step.pods);
    this.slices.push(...step.newSlices);
    const before = this.steps.at(-1);
    const writes = { ...NO_WRITES, ...step.writes };
    const kept = {
      at: step.at,
      phase: step.phase,
      messages: step.happened.map(({ message }) => message),
      writes: writes.create + writes.update + writes.delete,
      gauges: step.gauges,
      hints: step.hints ?? before?.hints ?? [],
      traffic: step.traffic === undefined ? before?.traffic : step.traffic,
    };
    this.steps.push(kept);
    this.phaseStarts[step.phase] ??= place;
    this.#count(step, kept);
    this.#change(step.slices, place);
  }

  /** @param {{bytesToWatchers: number, hintFlips: number}} sums @param {Kept} kept */
  #count({ bytesToWatchers, hintFlips }, { at, writes, gauges, traffic }) {
    const { series } = this;
    series.at.push(at);
    series.writes.push((series.writes.at(-1) ?? 0) + writes);
    series.bytes.push((series.bytes.at(-1) ?? 0) + bytesToWatchers);
    series.flips.push((series.flips.at(-1) ?? 0) + hintFlips);
    series.fill.push(gauges.fill ?? 0);
    series.misdirected.push(traffic?.misdirected ?? 0);
    series.crossZone.push(traffic?.crossZone ?? 0);
  }

  /** @param {Delta[]} slices @param {number} place */
  #change(slices, place) {
    /** @type {[number, SliceState | null][]} */
    const changed = slices.map((delta) => [delta.slice, delta.is === 'deleted' ? null : this.#next(delta, place)]);
    put(this.#now, changed);
    this.#changed.push(changed);
    if (place % KEYFRAME_EVERY === 0) this.#keyframes.push(new Map(this.#now));
    const endpoints = [...this.#now.values()].map(({ pods }) => pods.length);
    this.most = { endpoints: Math.max(this.most.endpoints, ...endpoints), slices: Math.max(this.most.slices, endpoints.length) };
  }

  /** @param {Delta} delta @param {number} step @returns {SliceState} */
  #next({ slice, put: added = [], drop = [] }, step) {
    const { pods, states, zones, hints } = copyOf(this.#now.get(slice));
    const places = new Map(pods.map((pod, place) => [pod, place]));
    /** @type {Set<number>} */
    const fresh = new Set();
    for (const pod of drop) {
      const place = places.get(pod) ?? -1;
      places.delete(pod);
      pods[place] = -1;
      fresh.add(place);
    }
    let free = 0;
    const nextFree = () => {
      while (free < pods.length && pods[free] !== -1) free += 1;
      return free;
    };
    for (const [pod, word, [hint = -1]] of added) {
      const place = places.get(pod) ?? nextFree();
      pods[place] = pod;
      const state = Math.max(0, this.states.findIndex((each) => each.state === word));
      states[place] = state;
      this.signs.states.add(state);
      this.signs.hints ||= hint >= 0;
      zones[place] = this.#zoneOf(pod);
      hints[place] = hint;
      fresh.add(place);
    }
    while (pods.at(-1) === -1) pods.pop();
    return {
      slice,
      step,
      pods: Int32Array.from(pods),
      states: Uint8Array.from(states.slice(0, pods.length)),
      zones: Int16Array.from(zones.slice(0, pods.length)),
      hints: Int16Array.from(hints.slice(0, pods.length)),
      fresh,
      count: pods.reduce((sum, pod) => sum + Number(pod !== -1), 0),
    };
  }

  /** @param {number} pod */
  #zoneOf(pod) {
    const node = this.pods[pod]?.node;
    return node === null || node === undefined ? -1 : (this.nodes[node]?.zone ?? -1);
  }

  /** The slices after a step, by the indices of their names. @param {number} place */
  slicesAt(place) {
    const keyframe = Math.floor(place / KEYFRAME_EVERY);
    const slices = new Map(this.#keyframes[keyframe]);
    for (let step = keyframe * KEYFRAME_EVERY + 1; step <= place; step += 1) put(slices, this.#changed[step] ?? []);
    return slices;
  }

  /** The last step up to a given time. @param {number} at */
  placeAt(at) {
    const times = this.series.at;
    let [low, high] = [0, times.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((times[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** @param {SliceState | undefined} state */
function copyOf(state) {
  if (!state) return { pods: [], states: [], zones: [], hints: [] };
  return { pods: [...state.pods], states: [...state.states], zones: [...state.zones], hints: [...state.hints] };
}

/** @param {Map<number, SliceState>} slices @param {[number, SliceState | null][]} changed */
function put(slices, changed) {
  for (const [slice, state] of changed) {
    if (state) slices.set(slice, state);
    else slices.delete(slice);
  }
}
