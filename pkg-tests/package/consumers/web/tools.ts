/** A program for the browser with tools, with and without a bundler. */
import { diff as bundled } from 'slicewise/tools';
import init, { diff } from 'slicewise/tools/web';

export async function main(before: object[], after: object[]): Promise<number> {
  await init(new URL('https://example.com/tools.wasm'));
  return diff(before, after).services.length + bundled(before, after).warnings.length;
}
