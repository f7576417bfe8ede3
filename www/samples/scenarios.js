/** Scenarios to play, each with what it is called; what it teaches stands in the scenario itself. */

/** @type {{id: string, title: string, url: URL}[]} */
export const SCENARIOS = [
  { id: 'rolling-update', title: 'A rolling update', url: new URL('../../samples/scenarios/rolling-update.yaml', import.meta.url) },
];
