/** Scenarios to play. The scenarios themselves contain their names and descriptions; the titles are repeated here. */

/** @type {{id: string, title: string, url: URL}[]} */
export const SCENARIOS = [
  { id: 'rolling-update', title: 'Rolling update', url: new URL('../../crates/simulation/scenarios/rolling-update.yaml', import.meta.url) },
  { id: 'scale-up', title: 'Scale up', url: new URL('../../crates/simulation/scenarios/scale-up.yaml', import.meta.url) },
  { id: 'scale-down', title: 'Scale down', url: new URL('../../crates/simulation/scenarios/scale-down.yaml', import.meta.url) },
  { id: 'packing', title: 'Packing', url: new URL('../../crates/simulation/scenarios/packing.yaml', import.meta.url) },
  { id: 'batching', title: 'Batching', url: new URL('../../crates/simulation/scenarios/batching.yaml', import.meta.url) },
  { id: 'drain', title: 'Drain', url: new URL('../../crates/simulation/scenarios/drain.yaml', import.meta.url) },
  { id: 'zone-loss', title: 'Zone loss', url: new URL('../../crates/simulation/scenarios/zone-loss.yaml', import.meta.url) },
  { id: 'relabel', title: 'Relabel', url: new URL('../../crates/simulation/scenarios/relabel.yaml', import.meta.url) },
  {
    id: 'readiness-flapping',
    title: 'Readiness flapping',
    url: new URL('../../crates/simulation/scenarios/readiness-flapping.yaml', import.meta.url),
  },
  { id: 'node-cpu', title: 'Node CPU', url: new URL('../../crates/simulation/scenarios/node-cpu.yaml', import.meta.url) },
  { id: 'dual-stack', title: 'Dual stack', url: new URL('../../crates/simulation/scenarios/dual-stack.yaml', import.meta.url) },
  { id: 'port-rename', title: 'Port rename', url: new URL('../../crates/simulation/scenarios/port-rename.yaml', import.meta.url) },
  { id: 'api-trouble', title: 'API server trouble', url: new URL('../../crates/simulation/scenarios/api-trouble.yaml', import.meta.url) },
];
