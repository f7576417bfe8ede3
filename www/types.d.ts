/** Types of the page. The package's own types describe what crosses the boundary; these describe what is drawn. */

/** Where a zone appears in the picture: its letter and its place in the palette. */
export interface Zone {
  name: string;
  letter: string;
  /** 0…7, the palette entry. */
  hue: number;
}

/** What the conditions of an endpoint add up to. */
export type CellState = 'ready' | 'published' | 'notReady' | 'draining' | 'stopped';

/** What the plan does to an endpoint. */
export type CellChange = 'kept' | 'added' | 'removed' | 'moved' | 'changed';

export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** One endpoint, ready to be drawn. */
/** What the core says of what is drawn. */
export interface Legend {
  states: { state: CellState; words: string }[];
  /** Of each combination of conditions: nine times `ready`, three times `serving`, once `terminating`; 0 is absent, 1 is false, 2 is true. */
  conditions: Meaning[];
  hints: Record<'zone' | 'node' | 'none' | 'on' | 'off', string>;
  /** Said of a plan that has to be made again. */
  retry: string;
  /** Those of a plan where none are given. */
  options: Required<Options>;
  mostEndpointsPerSlice: number;
  /** Labels of a slice, of a node, and an annotation of a Service, by what they say. */
  labels: Record<'service' | 'zone' | 'topologyMode', string>;
}

/** What the conditions of an endpoint add up to, and one by one. */
export interface Meaning {
  state: CellState;
  /** Whether it counts among the ready endpoints. */
  ready: boolean;
  words: string;
}

/** Whether hints are given, asked for and not given, or not asked for. */
export type HintsState = 'on' | 'off' | 'none';

export interface Cell {
  /** Identity of the endpoint within its address type: the same before and after. */
  id: string;
  state: CellState;
  /** What people call it. */
  stateWords: string;
  /** Whether it counts among the ready endpoints. */
  ready: boolean;
  change: CellChange;
  zone: string;
  hintZones: string[];
  hintNodes: string[];
  addresses: string[];
  hostname: string;
  target: string;
  node: string;
  conditions: string;
  /** With `changed`: which fields; with `moved`: which slice it comes from or goes to. */
  fields: FieldChange[];
  other: string;
}

/** An EndpointSlice and what is in it. */
export interface SliceContent {
  name: string;
  /** Made when they are first looked at. */
  readonly cells: Cell[];
}

/** One EndpointSlice on one side of the plan; the figures are there without making its cells. */
export interface SliceView extends SliceContent {
  count: number;
  /** Of these, how many the plan removes. */
  removed: number;
  zones: [zone: string, count: number][];
}

export type RowChange = 'created' | 'updated' | 'deleted' | 'unchanged' | 'foreign' | 'place';

/** A slice before and after the plan. */
export interface SliceRow {
  id: string;
  title: string;
  change: RowChange;
  before: SliceView | null;
  after: SliceView | null;
}

/** Slices that carry the same ports in the same address family. */
export interface SliceGroup {
  id: string;
  addressType: string;
  ports: string;
  rows: SliceRow[];
}

export interface ZoneHint {
  zone: string;
  cpuRatio?: number | null;
  desired?: number | null;
  minimum?: number | null;
  maximum?: number | null;
  allocated?: number | null;
}

export interface Hint {
  addressType: string;
  mode: string;
  applied: boolean;
  reason?: string | null;
  zones?: ZoneHint[] | null;
}

export interface PlanEvent {
  type: string;
  reason: string;
  message: string;
}

export interface PlanError {
  code: string;
  pod?: string;
  message: string;
}

export interface Stats {
  endpoints: number;
  added: number;
  removed: number;
  slices: number;
  desiredSlices: number;
}

export interface Counts {
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
}

/** A Service in the list. */
export interface ServiceEntry {
  key: string;
  namespace: string;
  name: string;
  counts: Counts;
  stats: Stats;
  hints: HintsState;
  troubles: number;
}

/** Everything the page shows about one Service. */
export interface ServiceModel extends ServiceEntry {
  max: number;
  zones: Zone[];
  /** Endpoints in each zone, before and after; the zone `''` holds those without. */
  zoneCounts: { zone: string; before: number; after: number }[];
  /** Which signs occur. */
  signs: { states: CellState[]; changes: CellChange[]; hintZone: string; nodeHint: boolean };
  groups: SliceGroup[];
  foreign: SliceRow[];
  before: { slices: number; endpoints: number };
  after: { slices: number; endpoints: number };
  /** Endpoints that are on one side only, or in another slice. */
  moves: { added: number; removed: number; moved: number };
  hintDetails: Hint[];
  events: PlanEvent[];
  errors: PlanError[];
  requeue: boolean;
  sentence: string;
  legend: Legend;
  /** Lets go of the endpoints that were not looked at: another model has taken its place. */
  release(): void;
}

export interface Options {
  managedBy?: string;
  maxEndpointsPerSlice?: number;
  topologyHints?: boolean;
  preferSameTrafficDistribution?: boolean;
}

/** What one reading of the input gave. */
export interface Overview {
  format: 'json' | 'yaml';
  kind: 'request' | 'snapshot';
  services: ServiceEntry[];
  /** Services of the input for which there is no plan. */
  skipped: string[];
  warnings: string[];
  ignored: Record<string, number>;
  objects: Record<string, number>;
  options: Required<Options>;
  /** No setting may ask for more. */
  mostEndpointsPerSlice: number;
  milliseconds: number;
}

/** A mistake in the input, at its place. */
export interface Problem {
  code: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  /** Whether it is in a setting made on the page, not in the input. */
  setting?: boolean;
  /** Whether there is no mistake: the part of the page that makes plans failed. */
  failed?: boolean;
  excerpt?: { line: number; text: string; marked: boolean }[];
}

/** Its model is packed on its way from the worker. */
export type OpenAnswer<Model = ServiceModel> = { ok: true; overview: Overview; model: Model | null; glance: Glance | null } | { ok: false; problem: Problem };

/** Forms of a plan as text. */
export type ExportForm = 'yaml' | 'patches' | 'kubectl' | 'report';

/** Changes of the text, in its order. */
export type EditAnswer = { ok: true; changes: { from: number; to: number; insert: string }[] } | { ok: false; message: string };

/** What was changed to get there, and the result of it. */
export interface ScaleAnswer<Model = ServiceModel> {
  edit: EditAnswer;
  answer: OpenAnswer<Model>;
}

/** Which objects of the input are asked for. */
export interface ObjectQuery {
  kind: string;
  /** Words to search for in names, labels and descriptions of an object. */
  find: string;
  from: number;
  count: number;
  /** The id of a row that is wanted wherever it is. */
  chosen?: string;
}

/** An object of the input in a list. */
export interface ObjectRow {
  id: string;
  kind: string;
  namespace: string;
  name: string;
  facts: string[];
  /** What its condition says, if it has one. */
  ready: boolean | null;
  labels: string[][];
  /** All of it, to be searched. */
  text: string;
}

export interface ObjectPage {
  /** How many of each kind were found. */
  kinds: { kind: string; total: number }[];
  /** How many of the kind asked for. */
  total: number;
  from: number;
  rows: ObjectRow[];
  /** The row chosen, if it is still there. */
  chosen: ObjectRow | null;
}

/** Where an object is written: places in the text, and lines from 1. */
export interface TextPlace {
  from: number;
  to: number;
  line: number;
  lastLine: number;
}

/** Who reads the slices. */
export type Reader = 'kube-proxy' | 'cilium' | 'istio' | 'linkerd' | 'envoy-gateway';

/** What clients of one zone send, as parts of the whole traffic of a port. */
export interface TrafficRow {
  from: string;
  /** To each zone of {@link PortTraffic.zones}. */
  shares: number[];
  unserved: number;
  total: number;
}

/** Nodes that choose their endpoints by the same rule. */
export interface RuleUse {
  rule: string;
  nodes: number;
  zones: string[];
  /** How many endpoints each of them uses. */
  least: number;
  most: number;
}

/** The traffic of a port on one side of the plan. */
export interface TrafficSide {
  /** In a sentence of the core. */
  message: string;
  rows: TrafficRow[];
  /** What the endpoints of each zone get. */
  totals: number[];
  /** The part of what is served that leaves its zone; `null` when there is nothing of which that is known. */
  crossZone: number | null;
  unserved: number;
  /** How far the busiest endpoint is above its fair share. */
  overload: number;
  busiest: { endpoint: string; zone: string; share: number } | null;
  rules: RuleUse[];
}

/** A service port, in one address family. */
export interface PortTraffic {
  id: string;
  name: string;
  addressType: string;
  /** All zones there are, on either side; those without a name last. */
  zones: string[];
  now: TrafficSide;
  /** `null` when the plan changes nothing here. */
  after: TrafficSide | null;
}

/** Who serves whom. */
export interface TrafficModel {
  ports: PortTraffic[];
  /** Where clients can be. */
  nodes: { name: string; zone: string }[];
  /** What the shares assume, in a sentence of the core. */
  assumption: string;
  /** Why there are no ports, in words; else empty. */
  note: string;
}

/** What one node sends where, port by port, as {@link TrafficModel.ports} has them. */
export interface NodeTraffic {
  node: string;
  zone: string;
  ports: NodePort[];
}

export interface NodePort {
  id: string;
  now: NodeSide;
  /** `null` when the plan changes nothing for this node. */
  after: NodeSide | null;
}

/** A node and a port on one side of the plan. */
export interface NodeSide {
  /** Which endpoints are used and why, in a sentence of the core. */
  rule: string;
  /** The rules that decided, in order, if the consumer's rules are listed one by one. */
  rules: { rule: string; message: string }[];
  /** All the endpoints that some client could use. */
  endpoints: { endpoint: string; node: string; zone: string; share: number; used: boolean }[];
  /** To which zone how much of the node's traffic goes. */
  zones: { zone: string; share: number }[];
  unserved: number;
}

/** One column of a comparison: which input, with which edits, and when. */
export interface CompareColumn {
  input: 'loaded' | 'other';
  /** The slices as they are, or as the plan makes them. */
  when: 'now' | 'after';
  /** How the Service asks for hints; `asIs`: as the input says. */
  hints: 'asIs' | 'none' | 'Auto' | 'PreferSameZone' | 'PreferSameNode';
  /** Endpoints per slice; `null`: as the settings say. */
  max: number | null;
  /** How slices are packed; empty: as the settings say. */
  packing: '' | 'upstream' | 'compact' | 'balanced';
}

/** The result of a column. */
export interface ComparedSide {
  /** The Service that was found. */
  service: string;
  /** `null` where slices are shown as they are. */
  writes: { created: number; updated: number; deleted: number } | null;
  hints: Hint[];
  max: number | null;
  slices: SliceContent[];
  ports: { id: string; name: string; addressType: string; crossZone: number | null; unserved: number; overload: number }[];
}

/** Columns in their order; each differs from the first. */
export interface CompareAnswer {
  columns: {
    side: ComparedSide | null;
    differences: {
      added: number;
      removed: number;
      changed: number;
      moved: number;
      /** Slices that differ. */
      slices: number;
      list: { change: string; name: string; slice: string; from: string; fields: FieldChange[] }[];
      left: number;
    } | null;
    /** Why it does not exist. */
    failure: string;
  }[];
}

/** An object of the cluster that admission knows. */
export interface ObjectName {
  key: string;
  name: string;
}

/** What the webhook would say; or what is wrong with the question, or with the configuration of the policies. */
export type JudgeAnswer =
  | {
      ok: true;
      explanation: import('slicewise/admission').ReviewExplanation;
      /** The answer to the review, as the core gives it. */
      answer: string;
      /** What was asked, laid out to be read. */
      review: string;
    }
  | { ok: false; of: 'config' | 'question'; problem: Problem };

/** The result of a run, as far as it is shown. */
export interface RunReport {
  phases: {
    name: string;
    at: number;
    sums: {
      writes: { create: number; update: number; delete: number; refused: number };
      bytesToWatchers: number;
      misdirectedSeconds: number;
      unusedSeconds: number;
      hintFlips: number;
    };
    gauges: { slices: number; fill: number };
  }[];
}

/** An answer to why; several objects of which the same is to be said are one. */
export interface WhyEntry {
  code: string;
  topic: WhyTopic['topic'];
  severity: 'broken' | 'degraded' | 'risk' | 'note';
  kind: string;
  /** Of several objects, the first; the words name it. */
  name: string;
  /** Names of the others, not all of them when they are many. */
  others: string[];
  otherCount: number;
  families: string[];
  /** Three short lines: what is so, because of what, what to do; the last two may be empty. */
  what: string;
  because: string;
  mend: string;
  /** Prose, or empty. */
  details: string;
  fixes: { change: string; effect: string }[];
}

/** All that the core explains of a Service. */
export interface WhyAnswer {
  topics: WhyTopic[];
  /** What is so of single slices, by their names. */
  slices: Record<string, string>;
}

export interface WhyTopic {
  topic: 'service' | 'pods' | 'hints' | 'nodes' | 'slices' | 'cost';
  entries: WhyEntry[];
  /** Entries there are beyond these. */
  left: number;
}

/** A change of the input, as the core proposes it. */
export interface InputChange {
  kind: string;
  namespace?: string;
  name: string;
  patch?: { op: string; path: string; value?: unknown }[];
  delete?: boolean;
  copyOf?: string;
}

/** What the core has tried, and the result of it. */
export interface Fix {
  id: string;
  title: string;
  change: string;
  effect: string;
  changes: InputChange[];
}

/** The first look at a Service, in the core's words and figures. */
export interface Glance {
  addressType: string;
  mode: string;
  applied: boolean;
  question: string;
  headline: string;
  /** What decides, and what does not. */
  rule: string;
  /** What the plan writes. */
  plan: string;
  ready: number;
  arithmetic?: { words: string } | null;
  zones: { zone: string; minimum?: number | null; given: number; ready: number; isMet: boolean }[];
  /** For which numbers of ready endpoints there are hints; empty where the number does not matter. */
  counts: { ready: number; works: boolean }[];
  /** Which numbers were asked about. */
  range: [number, number];
  /** What to change in the input for what was asked about. */
  changes: InputChange[];
  fixes: Fix[];
}

/** Of the traffic, the part that crosses zones; `null` where that is not known. */
export interface Crossing {
  now: number | null;
  after: number | null;
}

export type Tab = 'picture' | 'traffic' | 'timeline' | 'compare' | 'admission';
export type DrawerPane = 'objects' | 'text' | 'generate';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type DialogName = '' | 'examples' | 'share' | 'export' | 'palette' | 'keys';
export type GroupBy = 'slice' | 'zone' | 'node';

/** What the inspector is about. */
export type Inspected = { kind: 'cell'; id: string; slice?: string; side?: 'before' | 'after' } | { kind: 'node'; name: string };

/** The input. */
export interface Source {
  readonly text: string;
  name: string;
  size: number;
  /** Only if the text does not hold them all. */
  bytes?: Uint8Array;
  /** How many characters are kept for it. */
  readonly weight: number;
  /** Has it kept as what differs from another, if that is less. */
  keepAsChangeOf(other: Source): void;
  /** As it is saved. */
  plain(): Pick<Source, 'text' | 'name' | 'size' | 'bytes'>;
}

/** How the page is arranged; remembered by the browser. */
export interface Prefs {
  theme: Theme;
  drawer: { open: boolean; pane: DrawerPane; width: number };
  groupBy: GroupBy;
  /** Whether keys without a modifier do something. */
  singleKeys: boolean;
}

/** What is undone, shared and saved. */
export interface Work {
  /** The name under which the browser keeps it; '' if it is unchanged. */
  id: string;
  /** The example it began with, or '' for the user's own input. */
  example: string;
  source: Source;
  /** Settings made here. */
  options: Options;
  /** How many pods a Service was given, and the input before that. */
  slider: { service: string; pods: number; base: Source } | null;
  /** What views want remembered: plain JSON by the name of the view. */
  views: Record<string, unknown>;
  /** The Service chosen, or '' for the first of interest. */
  service: string;
}

/** Something to be said that is about no line of the input. */
export interface Notice {
  kind: 'info' | 'warning' | 'error';
  text: string;
  action?: { label: string; run: () => void };
}

/** All that the page shows, in one place. */
export interface AppState extends Prefs, Omit<Work, 'slider'> {
  slider: { service: string; pods: number } | null;
  tab: Tab;
  /** Of the last input that could be read. */
  overview: Overview | null;
  model: ServiceModel | null;
  glance: Glance | null;
  /** Of the input as it is now. */
  problem: Problem | null;
  /** While a plan is on its way. */
  busy: boolean;
  /** Whether what is drawn belongs to older work: there is a problem, or the answer is on its way. */
  stale: boolean;
  dialog: DialogName;
  inspected: Inspected | null;
  /** The hero alone. */
  embed: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** What the step was, in a few words. */
  undoLabel: string;
  redoLabel: string;
  notice: Notice | null;
  /** A cluster that is followed; nothing on a page that follows none. */
  live: LiveState | null;
}

/** A change of traffic, in the words of the core. */
export interface LiveChange {
  time: string;
  message: string;
}

/** What is followed, and how it goes. */
export interface LiveState {
  services: string[];
  /** How many more there are. */
  more: number;
  /** The one chosen, or ''. */
  service: string;
  /** The newest first. */
  changes: LiveChange[];
  /** Why the Service cannot be shown, or ''. */
  absent: string;
  connected: boolean;
  /** Since when it is so. */
  since: string;
  message: string;
  /** Whether the input is someone's own by now. */
  resting: boolean;
  /** Whether no other attempt can help. */
  ended: boolean;
  choose(service: string): void;
  /** Follows again after the input was changed. */
  goOn(): void;
}

/** Everything that can be done; none of them holds anything that grows old. */
export interface Actions {
  onExample(id: string): void;
  /** With `typing`, steps of undo end with pauses. */
  onText(text: string, how?: { label?: string; name?: string; typing?: boolean }): void;
  /** Changes objects in the text of the input; what `engine.edit` understands. */
  onEdit(label: string, what: object, group?: string): Promise<void>;
  /** Gives the Service shown so many pods; steps that follow each other closely are one. */
  onScale(pods: number): void;
  /** What a view wants remembered and shared; without a label it is not a step of undo. */
  onView(name: string, value: unknown, label?: string): void;
  onFile(file: File): Promise<void>;
  onGenerate(recipe: import('./input/generator.js').Recipe): Promise<void>;
  onOptions(options: Options): void;
  onSelect(key: string): void;
  onRead(key: string): Promise<string>;
  onSave(): Promise<void>;
  onTraffic(key: string, reader: Reader): Promise<TrafficModel | null>;
  onWhy(key: string): Promise<WhyAnswer | null>;
  onTab(tab: Tab): void;
  onDrawer(change: Partial<AppState['drawer']>): void;
  onDialog(name: DialogName): void;
  onTheme(theme: Theme): void;
  onGroupBy(groupBy: GroupBy): void;
  onInspect(what: Inspected | null): void;
  /** Says something, or with `null` closes what is said. */
  onNotice(notice: Notice | null): void;
  onSingleKeys(on: boolean): void;
  onUndo(): void;
  onRedo(): void;
  /** A link with all of it: the fragment. */
  link(): Promise<string>;
  onSaveInput(): void;
  onExport(form: ExportForm): Promise<void>;
  /** Without a theme, in the colours of the page. */
  onPicture(kind: 'svg' | 'png', theme?: Theme): Promise<void>;
  /** Inputs that this browser keeps, the newest first. */
  saved(): Promise<{ id: string; name: string; when: number; size: number }[]>;
  onOpenSaved(id: string): Promise<void>;
  onForget(): Promise<void>;
  /** For questions of a view's own. */
  engine: import('./engine-client.js').EngineClient;
}
