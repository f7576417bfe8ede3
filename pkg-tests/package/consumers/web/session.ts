/** A program for the browser with sessions, with and without a bundler. */
import { Session as Bundled } from 'slicewise/session';
import init, { Controller, Session } from 'slicewise/session/web';

export async function start(): Promise<string[]> {
  await init();
  await init(new URL('https://example.com/session.wasm'));
  return [...new Session().services(), ...new Bundled().services(), String(new Controller().nextDue())];
}
