/** The same in Hono; it works in any server that uses `Request` and `Response`. */
import { readFile } from 'node:fs/promises';
import { Hono } from 'hono';
import { createHandler, createReviewer } from 'slicewise/admission';

const handler = createHandler(createReviewer({ snapshot: await readFile(process.argv[2]) }));

export const app = new Hono();
app.post('/validate', (context) => /** @type {Promise<Response>} */ (handler(context.req.raw)));
