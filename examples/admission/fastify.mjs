/** The same in Fastify, behind its own parser. */
import { readFile } from 'node:fs/promises';
import Fastify from 'fastify';
import { createHandler, createReviewer, maxReviewBytes } from 'slicewise/admission';

const app = Fastify({ bodyLimit: maxReviewBytes() });
app.post('/validate', createHandler(createReviewer({ snapshot: await readFile(process.argv[2]) })));
await app.listen({ port: Number(process.argv[3] ?? 8080), host: '127.0.0.1' });
console.log(JSON.stringify(app.server.address()));
