/** The same in Hono; it works in any server that uses `Request` and `Response`. */
import { readFile } from 'node:fs/promises';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createHandler, createReviewer } from 'slicewise/admission';

const handler = createHandler(createReviewer({ snapshot: await readFile(process.argv[2]) }));

const app = new Hono();
app.post('/validate', (context) => handler(context.req.raw));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.argv[3] ?? 8080) }, (address) => console.log(JSON.stringify(address)));
