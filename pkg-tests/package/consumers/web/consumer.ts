/** A program for the browser, with and without a bundler. */
import { plan as bundled } from 'slicewise';
import init, { SlicewiseError, plan } from 'slicewise/web';

export async function start(): Promise<string> {
  await init();
  await init(new URL('https://example.com/slicewise.wasm'));
  await init(fetch('/slicewise.wasm'));
  await init(new Uint8Array());
  const text: string = plan('{}');
  return text + bundled('{}');
}

export const codes = (error: unknown): string | undefined => (error instanceof SlicewiseError ? error.path : undefined);
