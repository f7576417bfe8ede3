/**
 * The single state of the page, and all changes to it. The work (input, settings, and what views store) can be
 * undone step by step; the location (tab, Service) is what back and forward move between; the rest is the answer
 * of the engine and the page's layout. The planner is the only path to the engine.
 * @import {AppState, Notice, Prefs, Source, Work} from './types.js'
 * @import {EngineClient} from './engine-client.js'
 *
 * @typedef {{source: Source, refused: string, answer: import('./types.js').OpenAnswer}} Planned
 */
import { applyChanges } from './input/changes.js';
import { rankOf, worstFirst } from './model/triage.js';
import { History } from './store/history.js';
import { Planner } from './store/planner.js';
import { sourceOfText } from './store/source.js';

/** @type {Work} */
export const EMPTY_WORK = { id: '', example: '', source: sourceOfText(''), options: {}, slider: null, views: {}, service: '' };

export const EXAMPLE_MISSING = 'The example could not be loaded. Check the connection and try again; what was there is unchanged.';

/** The message says why something cannot be opened. */
export class CannotOpen extends Error {}

/** @type {Notice} */
const RESTARTED = { kind: 'warning', text: 'The part of the page that makes plans stopped, and was started again. Nothing is lost.' };

export class Store {
  /** @type {AppState} */
  state;
  #engine;
  #loadExample;
  #prefs;
  /** @type {History<Work>} */
  #history = new History(EMPTY_WORK);
  /** @type {Notice[]} */
  #notices = [];
  /** @type {Set<(state: AppState) => void>} */
  #listeners = new Set();
  /** The input with which the engine was restarted. @type {Source | null} */
  #revived = null;
  /** The work that was planned last. @type {Work | null} */
  #planned = null;
  /** The Service that a piece of work opens on if none is chosen. */
  #worst = { work: '', key: '' };
  /** Fields that report typing after a pause: what was typed is part of the work before anything else changes it. @type {Set<() => void>} */
  #drafts = new Set();
  /** Identifies what is being fetched; `null` once something else was done. @type {object | null} */
  #fetching = null;
  #planner = new Planner((/** @type {Work} */ work) => this.#plan(work), {
    answer: (answer, work, newest) => this.#take(answer, work, newest),
    failure: (error) => this.#fail(error),
    restart: () => this.notify(RESTARTED),
  });

  /**
   * @param {object} parts
   * @param {EngineClient} parts.engine
   * @param {(id: string) => Promise<{text: string, name: string}>} parts.loadExample the input of an example
   * @param {{values: Prefs, change: (change: Partial<Prefs>) => Prefs}} parts.prefs
   * @param {boolean} parts.embed
   */
  constructor({ engine, loadExample, prefs, embed }) {
    this.#engine = engine;
    engine.onLost = () => this.#revive();
    this.#loadExample = loadExample;
    this.#prefs = prefs;
    const { slider: _, ...work } = EMPTY_WORK;
    this.state = {
      ...work,
      ...{ slider: null, tab: 'picture', overview: null, triage: null, model: null, glance: null, problem: null, busy: true, stale: false },
      ...{
        dialog: '',
        inspected: null,
        timeline: null,
        notice: null,
        live: null,
        embed,
        canUndo: false,
        canRedo: false,
        undoLabel: '',
        redoLabel: '',
      },
      ...prefs.values,
    };
  }

  /** @param {(state: AppState) => void} listener called with every new state @returns {() => void} */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The current work, to share and save. */
  get work() {
    return this.#history.present;
  }

  get engine() {
    return this.#engine;
  }

  /** @param {Partial<AppState>} change */
  set(change) {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener(this.state);
  }

  /** @param {Notice | null} notice null closes the current one */
  notify(notice) {
    if (!notice) this.#notices.shift();
    else if (!this.#notices.some(({ text }) => text === notice.text)) this.#notices.push(notice);
    this.set({ notice: this.#notices[0] ?? null });
  }

  /** An error is about an attempt, and goes with the next change that works. */
  #forgetErrors() {
    this.#notices = this.#notices.filter(({ kind }) => kind !== 'error');
    this.state = { ...this.state, notice: this.#notices[0] ?? null };
  }

  /** @param {Partial<Prefs>} change */
  prefer(change) {
    this.set(this.#prefs.change(change));
  }

  /** @param {() => void} report reports at once what was typed, if anything is pending @returns {() => void} ends that */
  draft(report) {
    this.#drafts.add(report);
    return () => void this.#drafts.delete(report);
  }

  /** Makes all that was typed part of the work. */
  settle() {
    for (const report of [...this.#drafts]) report();
  }

  /**
   * Changes the work as a step of undo.
   * @param {string} label
   * @param {Partial<Work>} change
   * @param {string} [group] steps of one group in quick succession count as one
   */
  commit(label, change, group = '') {
    this.#forgetErrors();
    this.#history.record({ ...this.work, ...change }, label, group, performance.now());
    this.#replan(group);
  }

  /** Replaces everything with initial or saved work. @param {Work} work */
  begin(work) {
    this.#history = new History(work);
    this.#replan();
  }

  undo() {
    this.settle();
    this.#forgetErrors();
    if (this.#history.undo()) this.#replan();
  }

  redo() {
    this.settle();
    this.#forgetErrors();
    if (this.#history.redo()) this.#replan();
  }

  /** Stores something without a step of undo. @param {Partial<Work>} change */
  amend(change) {
    this.#history.amend({ ...this.work, ...change });
    this.#show({});
  }

  /** Replaces the work with newer work, without a step, since the user changed nothing. @param {Work} work */
  follow(work) {
    this.#history.amend(work);
    this.#replan();
  }

  /** @param {string} key */
  select(key) {
    this.#history.amend({ ...this.work, service: key });
    this.#replan();
  }

  /**
   * Of the user's own input, the worst Service is shown first; once, so that nothing moves while it is edited.
   * @param {import('./types.js').Verdicts} verdicts
   */
  triage(verdicts) {
    const { id, example, service } = this.work;
    const work = id || example;
    const isFirst = this.state.triage?.work !== work;
    this.set({ triage: { work, verdicts } });
    const [worst] = worstFirst(this.state.overview?.services ?? [], verdicts);
    const shown = this.state.model?.key ?? '';
    if (!isFirst || example !== '' || service !== '' || !worst || rankOf(verdicts[worst.key]) >= rankOf(verdicts[shown])) return;
    this.#worst = { work, key: worst.key };
    this.#planned = null;
    this.#replan();
  }

  /** @param {number} pods */
  scale(pods) {
    const service = this.state.model?.key ?? '';
    if (service === '') return;
    this.settle();
    const before = this.work.slider;
    const base = before?.service === service ? before.base : this.state.source;
    this.commit(`Scale ${service}`, { slider: { service, pods, base }, source: base }, `scale ${service}`);
  }

  /** Changes objects in the text of the input. @param {string} label @param {object} what @param {string} [group] */
  async edit(label, what, group = '') {
    this.settle();
    const { source, options } = this.state;
    this.set({ busy: true });
    const answer = await this.#engine.edit(source.text, options, what).catch(editFailed);
    this.settle();
    if (this.state.source !== source) return this.#refuse({ kind: 'info', text: 'The input has changed meanwhile. Try again.' });
    if (!answer.ok) return this.#refuse({ kind: 'error', text: answer.message });
    this.commit(
      label,
      { source: sourceOfText(applyChanges(source.text, answer.changes), source.name), slider: null, example: '', id: this.work.id || freshId() },
      group,
    );
  }

  /** Ends an edit without a change; what else is under way goes on. @param {Notice} why */
  #refuse(why) {
    this.set({ busy: this.#fetching !== null || this.#planner.isRunning });
    this.notify(why);
  }

  /**
   * The work that starts with an example, plus what a link adds to it.
   * @param {string} id
   * @param {Partial<Work> & {pods?: number}} [rest]
   * @returns {Promise<Work>}
   */
  async example(id, { pods, ...rest } = {}) {
    const { text, name } = await this.#loadExample(id);
    const source = sourceOfText(text, name);
    const slider = pods === undefined || !rest.service ? null : { service: rest.service, pods, base: source };
    return { ...EMPTY_WORK, example: id, source, slider, ...rest };
  }

  /** @param {string} id @param {boolean} [first] nothing is to be undone */
  open(id, first = false) {
    return this.fetch(() => this.example(id), EXAMPLE_MISSING, (work) => (first ? this.begin(work) : this.commit('Open the example', work)));
  }

  /**
   * Waits for an input that will replace everything. Answers to earlier requests are no longer shown; any change made
   * meanwhile cancels it.
   * @template T
   * @param {() => Promise<T>} load
   * @param {string} failure the message if it cannot be loaded, unless the error is {@link CannotOpen}
   * @param {(loaded: T) => void} take
   * @returns {Promise<boolean>} false if it failed; true if it was taken or cancelled
   */
  async fetch(load, failure, take) {
    this.settle();
    const mine = (this.#fetching = {});
    this.#planner.forget();
    this.set({ busy: true });
    try {
      const loaded = await load();
      this.settle();
      if (mine === this.#fetching) take(loaded);
    } catch (error) {
      if (mine !== this.#fetching) return true;
      const again = () => void this.fetch(load, failure, take);
      const hopeless = error instanceof CannotOpen;
      this.notify({ kind: 'error', text: hopeless ? error.message : failure, ...(!hopeless && { action: { label: 'Retry', run: again } }) });
      this.#replan();
      return false;
    }
    return true;
  }

  /** Plans again after a failure. */
  retry() {
    this.#planned = null;
    this.#replan();
  }

  /** Cancels what is being fetched. */
  stay() {
    if (this.#fetching) this.#replan();
  }

  /** @param {string} [gesture] */
  #replan(gesture = '') {
    this.#fetching = null;
    // The state of views does not affect the plan.
    if (!this.state.busy && this.#planned && isPlannedAlike(this.#planned, this.work)) return this.#show({});
    this.#show({ busy: true, stale: this.state.model !== null });
    this.#planner.want(this.work, gesture.startsWith('scale ') ? gesture : '');
  }

  /** Only once for each input: one that always crashes the engine would retry forever. */
  #revive() {
    if (this.#revived === this.work.source) return;
    this.#revived = this.work.source;
    this.#planned = null;
    this.notify(RESTARTED);
    this.#replan();
  }

  /** Updates the state with the work. @param {Partial<AppState>} change */
  #show(change) {
    const { slider, source, ...work } = this.work;
    const history = this.#history;
    this.set({
      ...work,
      // While a slider is dragged, the text follows with the answer.
      source: isPending(this.work) ? this.state.source : source,
      slider: slider && { service: slider.service, pods: slider.pods },
      undoLabel: history.undoLabel,
      redoLabel: history.redoLabel,
      canUndo: history.undoLabel !== '',
      canRedo: history.redoLabel !== '',
      ...change,
    });
  }

  /** @param {Work} work @returns {Promise<Planned>} */
  async #plan(work) {
    const { source, slider, options } = work;
    const service = work.service || (this.#worst.work === (work.id || work.example) ? this.#worst.key : '');
    if (!slider || !isPending(work)) return { source, refused: '', answer: await this.#engine.open(source.bytes ?? source.text, options, service) };
    const { base } = slider;
    const { text, refused, answer } = await this.#engine.scale(base.text, options, { service: slider.service, pods: slider.pods }, service);
    return { source: refused ? base : sourceOfText(text, base.name), refused, answer };
  }

  /**
   * @param {Planned} planned
   * @param {Work} work
   * @param {boolean} newest
   */
  #take({ source, answer, refused }, work, newest) {
    if (newest && this.work === work) this.#history.amend({ ...work, source, slider: refused ? null : work.slider });
    if (newest) this.#planned = this.work;
    if (refused) this.notify({ kind: 'error', text: refused });
    if (!answer.ok) return this.#show({ busy: !newest, problem: answer.problem, stale: this.state.model !== null });
    const { ok: _, ...drawn } = answer;
    const before = this.state.model;
    this.#show({ ...drawn, source, problem: null, busy: !newest, stale: !newest });
    before?.release();
  }

  /** @param {unknown} error */
  #fail(error) {
    const message = error instanceof Error ? error.message : String(error);
    this.#planned = null;
    this.#show({ busy: false, stale: this.state.model !== null, problem: { code: 'Internal', message, failed: true } });
  }
}

/** Whether two pieces of work have the same plan. @param {Work} one @param {Work} other */
function isPlannedAlike(one, other) {
  return one.source === other.source && one.options === other.options && one.service === other.service && one.slider === other.slider;
}

/** Whether the work's input is still the one from before the slider moved. @param {Work} work */
function isPending({ slider, source }) {
  return slider !== null && source === slider.base;
}

/** @param {Error} reason @returns {import('./types.js').EditAnswer} */
function editFailed({ message }) {
  return { ok: false, message: `The edit failed: ${message}` };
}

/** A name under which to save work. */
export function freshId() {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`;
}
