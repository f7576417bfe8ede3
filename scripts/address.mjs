/** Refuses to publish what names no address of the project: `npm publish` runs it first. */
import { checkAddress } from './lib/address.mjs';
import { script } from './lib/run.mjs';

await script(() => checkAddress());
