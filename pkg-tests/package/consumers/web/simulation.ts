/** A program for the browser that plays a scenario, with and without a bundler. */
import { Timeline as Bundled } from 'slicewise/simulation';
import init, { Timeline } from 'slicewise/simulation/web';

export async function main(scenario: string): Promise<number[]> {
  await init(new URL('https://example.com/simulation.wasm'));
  return [new Timeline(scenario).next(10).length, new Bundled(scenario).report().endedAt];
}
