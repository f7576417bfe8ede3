/** Types of the page. The package's own types describe its inputs and answers; these describe what is drawn. */

/** Where a zone appears in the picture: its letter and its index in the palette. */
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
/** The core's terms for what is drawn. */
export interface Legend {
  states: { state: CellState; words: string }[];
  /** By combination of conditions: nine times `ready` plus three times `serving` plus `terminating`, where 0 is absent, 1 is false, 2 is true. */
  conditions: Meaning[];
  hints: Record<'zone' | 'node' | 'none' | 'on' | 'off', string>;
  /** The sentence for a plan that must be repeated. */
  retry: string;
  /** The default options of a plan. */
  options: Required<Options>;
  /** The versions of Kubernetes whose decisions the core reproduces, oldest first. */
  kubernetesVersions: Kubernetes[];
  mostEndpointsPerSlice: number;
  /** The keys of labels of slices and nodes, and of an annotation of Services, by meaning. */
  labels: Record<'service' | 'zone' | 'topologyMode', string>;
  /** What people call those who read slices. */
  readers: Record<Reader, string>;
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
  /** Its display name. */
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
  /** Created on first use. */
  readonly cells: Cell[];
}

/** One EndpointSlice on one side of the plan; the figures are available without creating its cells. */
export interface SliceView extends SliceContent {
  count: number;
  /** How many of these the plan removes. */
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
  /** The signs that occur. */
  signs: { states: CellState[]; changes: CellChange[]; hintZone: string; nodeHint: boolean };
  groups: SliceGroup[];
  foreign: SliceRow[];
  before: { slices: number; endpoints: number };
  after: { slices: number; endpoints: number };
  /** The number of endpoints on one side only, or in another slice. */
  moves: { added: number; removed: number; moved: number };
  hintDetails: Hint[];
  events: PlanEvent[];
  errors: PlanError[];
  requeue: boolean;
  sentence: string;
  legend: Legend;
  /** Releases endpoints that were not used, after another model has replaced this one. */
  release(): void;
}

/** The versions of Kubernetes whose decisions the core reproduces. */
export type Kubernetes = NonNullable<import('slicewise').Options['kubernetes']>;

export interface Options {
  managedBy?: string;
  maxEndpointsPerSlice?: number;
  topologyHints?: boolean;
  preferSameTrafficDistribution?: boolean;
  /** The version of Kubernetes that decides. */
  kubernetes?: Kubernetes;
}

/** The result of reading the input. */
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
  /** Those that the input sets itself. */
  ownOptions: Options;
  /** The versions of Kubernetes to choose from, oldest first. */
  kubernetesVersions: Kubernetes[];
  /** The maximum that a setting may request. */
  mostEndpointsPerSlice: number;
  milliseconds: number;
}

/** An error in the input, with its position. */
export interface Problem {
  code: string;
  message: string;
  path?: string;
  line?: number;
  column?: number;
  /** Whether it is in a setting made on the page, not in the input. */
  setting?: boolean;
  /** Whether the page itself failed to plan, rather than the input being wrong. */
  failed?: boolean;
  excerpt?: { line: number; text: string; marked: boolean }[];
}

/** Its model is packed for the transfer from the worker. */
export type OpenAnswer<Model = ServiceModel> = { ok: true; overview: Overview; model: Model | null; glance: Glance | null } | { ok: false; problem: Problem };

/** Forms of a plan as text. */
export type ExportForm = 'yaml' | 'patches' | 'kubectl' | 'report';

/** Changes of the text, in its order. */
export type EditAnswer = { ok: true; changes: { from: number; to: number; insert: string }[] } | { ok: false; message: string };

/** The changes made, and their result. */
export interface ScaleAnswer<Model = ServiceModel> {
  edit: EditAnswer;
  answer: OpenAnswer<Model>;
}

/** A query for objects of the input. */
export interface ObjectQuery {
  kind: string;
  /** Words to search for in names, labels and descriptions of an object. */
  find: string;
  from: number;
  count: number;
  /** The id of a row to include wherever it is. */
  chosen?: string;
}

/** An object of the input in a list. */
export interface ObjectRow {
  id: string;
  kind: string;
  namespace: string;
  name: string;
  facts: string[];
  /** The value of its condition, if it has one. */
  ready: boolean | null;
  labels: string[][];
  /** The full text, for searching. */
  text: string;
}

export interface ObjectPage {
  /** The number of matches of each kind. */
  kinds: { kind: string; total: number }[];
  /** The number of matches of the requested kind. */
  total: number;
  from: number;
  rows: ObjectRow[];
  /** The selected row, if it still exists. */
  chosen: ObjectRow | null;
}

/** The position of an object: offsets in the text, and lines from 1. */
export interface TextPlace {
  from: number;
  to: number;
  line: number;
  lastLine: number;
}

/** The consumers of slices. */
export type Reader = 'kube-proxy' | 'cilium' | 'istio' | 'linkerd' | 'envoy-gateway';

/** The traffic of one zone's clients, as shares of the port's total traffic. */
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
  /** The number of endpoints each of them uses. */
  least: number;
  most: number;
}

/** The traffic of a port on one side of the plan. */
export interface TrafficSide {
  /** The core's sentence. */
  message: string;
  rows: TrafficRow[];
  /** The share that each zone's endpoints receive. */
  totals: number[];
  /** The share of served traffic that leaves its zone; `null` if unknown. */
  crossZone: number | null;
  unserved: number;
  /** The busiest endpoint's load relative to its fair share. */
  overload: number;
  busiest: { endpoint: string; zone: string; share: number } | null;
  rules: RuleUse[];
}

/** A service port, in one address family. */
export interface PortTraffic {
  id: string;
  name: string;
  addressType: string;
  /** All zones on either side; those without a name last. */
  zones: string[];
  now: TrafficSide;
  /** `null` if the plan changes nothing here. */
  after: TrafficSide | null;
}

/** The traffic of a Service. */
export interface TrafficModel {
  ports: PortTraffic[];
  /** The zones that clients can be in. */
  nodes: { name: string; zone: string }[];
  /** The assumption behind the shares, in a sentence of the core. */
  assumption: string;
  /** Why there are no ports; otherwise empty. */
  note: string;
}

/** The traffic of one node, port by port in the order of {@link TrafficModel.ports}. */
export interface NodeTraffic {
  node: string;
  zone: string;
  ports: NodePort[];
}

export interface NodePort {
  id: string;
  now: NodeSide;
  /** `null` if the plan changes nothing for this node. */
  after: NodeSide | null;
}

/** A node and a port on one side of the plan. */
export interface NodeSide {
  /** Which endpoints are used and why, in a sentence of the core. */
  rule: string;
  /** The rules that decided, in order, if the consumer's rules are listed one by one. */
  rules: { rule: string; message: string }[];
  /** All endpoints that a client could use. */
  endpoints: { endpoint: string; node: string; zone: string; share: number; used: boolean }[];
  /** The share of the node's traffic by zone. */
  zones: { zone: string; share: number }[];
  unserved: number;
}

/** One column of a comparison: the input, the edits, and the moment. */
export interface CompareColumn {
  input: 'loaded' | 'other';
  /** The current slices, or those after the plan. */
  when: 'now' | 'after';
  /** How the Service asks for hints; `asIs` leaves the input unchanged. */
  hints: 'asIs' | 'none' | 'Auto' | 'PreferSameZone' | 'PreferSameNode';
  /** Endpoints per slice; `null`: as in the settings. */
  max: number | null;
  /** How slices are packed; empty: as in the settings. */
  packing: '' | 'upstream' | 'compact' | 'balanced';
  /** The version of Kubernetes that decides; empty: as in the settings. */
  kubernetes: '' | Kubernetes;
}

/** A slice of a column. */
export interface ComparedSlice {
  name: string;
  /** Its endpoints. */
  count: number;
  /** How many of them have hints. */
  hinted: number;
  /** Only of a small slice among the first that the first column does not have. */
  cells: Cell[];
  /** Whether the first column has it, too. */
  isKnown: boolean;
}

/** The result of a column. */
export interface ComparedSide {
  /** The Service that was found. */
  service: string;
  /** `null` if current slices are shown. */
  writes: { created: number; updated: number; deleted: number } | null;
  hints: Hint[];
  /** Slices there would be if all were full; `null` where slices are shown as they are. */
  needed: number | null;
  max: number | null;
  slices: ComparedSlice[];
  ports: { id: string; name: string; addressType: string; crossZone: number | null; unserved: number; overload: number; busiest: string }[];
}

/** Columns in order; each is compared with the first. */
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

/** The webhook's verdict, or the error in the question or in the configuration of the policies. */
export type JudgeAnswer =
  | {
      ok: true;
      explanation: import('slicewise/admission').ReviewExplanation;
      /** The answer to the review, as the core returns it. */
      answer: string;
      /** The question, as indented JSON. */
      review: string;
    }
  | { ok: false; of: 'config' | 'question'; problem: Problem };

/** The parts of a run's report that are shown. */
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

/** An explanation; equal ones about several objects are merged. */
export interface WhyEntry {
  code: string;
  topic: WhyTopic['topic'];
  severity: 'broken' | 'degraded' | 'risk' | 'note';
  kind: string;
  /** The first of several objects, which the text names. */
  name: string;
  /** Names of the others, possibly not all. */
  others: string[];
  otherCount: number;
  families: string[];
  /** Short lines: what is the case, why, and what to do; the last two may be empty. */
  what: string;
  because: string;
  mend: string;
  /** What to do as an edit; `null` if the page cannot do it, or it did not help here. */
  deed: Deed | null;
  /** Prose, or empty. */
  details: string;
  fixes: { change: string; effect: string }[];
  /** Where to look for what the input does not show. */
  look: { at: string; shows: string }[];
}

/** The most severe explanation of each Service, by `namespace/name`. */
export type Verdicts = Record<string, { severity: WhyEntry['severity']; text: string }>;

/** Two versions to compare, and whether even for a large input. */
export interface Versions {
  from: Kubernetes;
  to: Kubernetes;
  must: boolean;
}

/** What another version of Kubernetes changes for a Service; `null` if the input is too large to compare unasked. */
export type UpgradeAnswer = { upgrade: import('slicewise/tools').Upgrade | null };

/** All explanations of a Service. */
export interface WhyAnswer {
  topics: WhyTopic[];
  /** Without any change; `null` if the input is too large to try. */
  now: Outlook | null;
  /** Statements about single slices, by name. */
  slices: Record<string, string>;
}

export interface WhyTopic {
  topic: 'service' | 'pods' | 'hints' | 'nodes' | 'slices' | 'cost';
  entries: WhyEntry[];
  /** The number of further entries. */
  left: number;
}

/** A change of the input that the core proposes. */
export interface InputChange {
  kind: string;
  namespace?: string;
  name: string;
  patch?: { op: string; path: string; from?: string; value?: unknown }[];
  delete?: boolean;
  copyOf?: string;
  /** One that is new. */
  object?: Record<string, unknown>;
}

/** What a Service comes to once its plan is written. */
export interface Outlook {
  severity: WhyEntry['severity'];
  hints: HintsState;
  /** The share of traffic that leaves its zone; `null` if unknown. */
  crossZone: number | null;
  /** The zone of the busiest endpoint, and its load relative to its fair share. */
  busiest: { zone: string; times: number } | null;
  /** Whether `Auto` hints outlast a rollout; `null` without them. */
  lasts: boolean | null;
  /** The number of pods with which they do; 0 if unknown. */
  steady: number;
}

/** An edit of the input that was tried, and its result if that is known. */
export interface Deed {
  changes: InputChange[];
  outlook: Outlook | null;
}

/** A selector, and the labels of the pods that come nearest to it. */
export interface Selection {
  selector: [key: string, value: string][];
  pods: { name: string; labels: Record<string, string> }[];
}

/** What a scenario takes over from a Service and its cluster. */
export interface Likeness {
  /** Each as the scenario takes it, with the number of the Service's pods in it and the node that has most of them. */
  zones: { zone: { name: string; nodes: number; nodeNames: string[]; cpu: string }; pods: number; busiest: string }[];
  /** The number of nodes that run no pods of the Service. */
  leftOut: number;
  /** What owns the pods; empty if none of them says so. */
  workload: { kind: string; name: string };
  /** The version of Kubernetes that decides, unless it is the default. */
  kubernetes?: string;
  service: Record<string, unknown>;
}

/** The results of the proposals for a Service. */
export interface Attempts {
  /** Without any of them; `null` if the input is too large to try. */
  now: Outlook | null;
  outlooks: (Outlook | null)[];
  /** Of the first whose hints do not last, the same with as many pods as they need to. */
  steady: (Deed & { title: string }) | null;
}

/** A change that the core has tried, and its result. */
export interface Fix {
  id: string;
  title: string;
  change: string;
  effect: string;
  changes: InputChange[];
}

/** The overview of a Service, in the core's words and figures. */
export interface Glance {
  addressType: string;
  mode: string;
  applied: boolean;
  question: string;
  headline: string;
  /** What is decisive, and what is not. */
  rule: string;
  /** What the plan writes. */
  plan: string;
  ready: number;
  arithmetic?: { words: string } | null;
  zones: { zone: string; minimum?: number | null; given: number; ready: number; isMet: boolean }[];
  /** The numbers of ready endpoints with hints; empty if the number does not matter. */
  counts: { ready: number; works: boolean }[];
  /** The range of numbers in question. */
  range: [number, number];
  /** The changes to the input for the question. */
  changes: InputChange[];
  fixes: Fix[];
}

/** The share of traffic that crosses zones; `null` if unknown. */
export interface Crossing {
  now: number | null;
  after: number | null;
}

export type Tab = 'picture' | 'traffic' | 'timeline' | 'compare' | 'admission';
export type DrawerPane = 'objects' | 'text' | 'generate';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type DialogName = '' | 'examples' | 'share' | 'export' | 'palette' | 'keys' | 'paste' | 'guide';
export type GroupBy = 'slice' | 'zone' | 'node';

/** The subject of the inspector. */
export type Inspected = { kind: 'cell'; id: string; slice?: string; side?: 'before' | 'after' } | { kind: 'node'; name: string };

/** The input. */
export interface Source {
  readonly text: string;
  name: string;
  size: number;
  /** Only if the text does not represent them all. */
  bytes?: Uint8Array;
  /** The number of characters stored for it. */
  readonly weight: number;
  /** Stores it as the difference from another one, if that is smaller. */
  keepAsChangeOf(other: Source): void;
  /** The form in which it is saved. */
  plain(): Pick<Source, 'text' | 'name' | 'size' | 'bytes'>;
}

/** The layout of the page, saved in the browser. */
export interface Prefs {
  theme: Theme;
  drawer: { open: boolean; pane: DrawerPane; width: number };
  groupBy: GroupBy;
  /** Whether shortcuts without a modifier are enabled. */
  singleKeys: boolean;
  /** Whether the guided path has been seen. */
  guided: boolean;
}

/** What is undone, shared and saved. */
export interface Work {
  /** The name under which the browser saves it; '' if it is unchanged. */
  id: string;
  /** The example it started from, or '' for the user's own input. */
  example: string;
  source: Source;
  /** Settings made on the page. */
  options: Options;
  /** The number of pods set for a Service, and the input before that. */
  slider: { service: string; pods: number; base: Source } | null;
  /** The state that views store: plain JSON by the view's name. */
  views: Record<string, unknown>;
  /** The selected Service, or '' for the first of interest. */
  service: string;
}

/** A message that does not concern a line of the input. */
export interface Notice {
  kind: 'info' | 'warning' | 'error';
  text: string;
  action?: { label: string; run: () => void };
}

/** Everything the page shows, in one place. */
export interface AppState extends Prefs, Omit<Work, 'slider'> {
  slider: { service: string; pods: number } | null;
  tab: Tab;
  /** From the last input that could be read. */
  overview: Overview | null;
  model: ServiceModel | null;
  glance: Glance | null;
  /** Of the Services of this work, once they are known. */
  triage: { work: string; verdicts: Verdicts } | null;
  /** From the current input. */
  problem: Problem | null;
  /** While a plan is pending. */
  busy: boolean;
  /** Whether what is drawn belongs to older work: there is a problem, or the answer is pending. */
  stale: boolean;
  dialog: DialogName;
  inspected: Inspected | null;
  /** The run that the timeline shows, once it has been opened. */
  timeline: { player: import('./model/player.js').Player; phases: string[] } | null;
  /** Only the hero. */
  embed: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** A short description of the step. */
  undoLabel: string;
  redoLabel: string;
  notice: Notice | null;
  /** A cluster that is followed; null on a page that follows none. */
  live: LiveState | null;
}

/** A change of traffic, in the core's words. */
export interface LiveChange {
  time: string;
  message: string;
}

/** What is followed, and its state. */
export interface LiveState {
  services: string[];
  /** The number of further ones. */
  more: number;
  /** The selected one, or ''. */
  service: string;
  /** Newest first. */
  changes: LiveChange[];
  /** Why the Service cannot be shown, or ''. */
  absent: string;
  connected: boolean;
  /** The time of the last change of state. */
  since: string;
  message: string;
  /** Whether the user has changed the input. */
  resting: boolean;
  /** Whether retrying cannot help. */
  ended: boolean;
  choose(service: string): void;
  /** Resumes following after the input was changed. */
  goOn(): void;
}

/** All actions; their closures never become outdated. */
export interface Actions {
  onExample(id: string): void;
  /** With `typing`, steps of undo end with pauses. */
  onText(text: string, how?: { label?: string; name?: string; typing?: boolean }): void;
  /** Registers a field that reports typing after a pause, with what reports it at once; the answer ends that. */
  onDraft(report: () => void): () => void;
  /** Changes objects in the text of the input; what `engine.edit` understands. */
  onEdit(label: string, what: object, group?: string): Promise<void>;
  /** Sets the number of pods of the current Service; steps in quick succession count as one. */
  onScale(pods: number): void;
  /** Stores a view's state, which is also shared; without a label it is not a step of undo. */
  onView(name: string, value: unknown, label?: string): void;
  onFile(file: File): Promise<unknown>;
  onGenerate(recipe: import('./input/generator.js').Recipe): Promise<unknown>;
  onOptions(options: Options): void;
  onSelect(key: string): void;
  /** The verdicts are known: an own input opens on its worst Service, unless one was chosen. */
  onTriage(verdicts: Verdicts): void;
  onRead(key: string): Promise<string>;
  onSave(): Promise<void>;
  onTraffic(key: string, reader: Reader): Promise<TrafficModel | null>;
  onWhy(key: string, legend: Legend): Promise<WhyAnswer | null>;
  onTab(tab: Tab): void;
  onDrawer(change: Partial<AppState['drawer']>): void;
  onDialog(name: DialogName): void;
  onTheme(theme: Theme): void;
  onGroupBy(groupBy: GroupBy): void;
  onInspect(what: Inspected | null): void;
  /** The timeline shows another run. */
  onRun(timeline: AppState['timeline']): void;
  /** Shows a notice, or with `null` closes the current one. */
  onNotice(notice: Notice | null): void;
  onSingleKeys(on: boolean): void;
  /** The guided path has been seen. */
  onGuided(): void;
  /** Plans again after a failure. */
  onRetry(): void;
  onUndo(): void;
  onRedo(): void;
  /** The fragment of a link that includes everything, or only the current Service, with other names on request. */
  link(how?: { only?: boolean; renamed?: boolean }): Promise<string>;
  onSaveInput(): void;
  onExport(form: ExportForm): Promise<void>;
  /** Without a theme, it uses the page's colours. */
  onPicture(kind: 'svg' | 'png', theme?: Theme): Promise<void>;
  /** Inputs saved in this browser, newest first. */
  saved(): Promise<{ id: string; name: string; when: number; size: number }[]>;
  onOpenSaved(id: string): Promise<unknown>;
  onForget(): Promise<void>;
  /** For views that ask questions of their own. */
  engine: import('./engine-client.js').EngineClient;
}
