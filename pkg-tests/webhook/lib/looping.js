/** A process whose reviewer judges some reviews and then one that nothing can interrupt. */
import { Ending } from '../../../webhook/ending.js';
import { Supervisor } from '../../../webhook/supervisor.js';
import { createFaulty } from './faulty.js';
import { anyReview } from './reviews.js';

const supervisor = new Supervisor({ settings: {}, snapshot: null, make: createFaulty, grace: 200 });
await supervisor.start();
const ask = (/** @type {string} */ uid) => supervisor.ask('review', Buffer.from(anyReview(uid)), undefined, new Ending());
const end = performance.now() + 1_000;
let judged = 0;
for (; performance.now() < end; judged += 1) await ask('fine');
process.stdout.write(`${JSON.stringify({ judged })}\n`);
await ask('block');
