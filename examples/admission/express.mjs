/** The same in Express, behind the parser that its other routes use. */
import { readFile } from 'node:fs/promises';
import express from 'express';
import { createHandler, createReviewer, maxReviewBytes } from 'slicewise/admission';

const app = express();
app.use(express.json({ limit: maxReviewBytes() }));
app.post('/validate', createHandler(createReviewer({ snapshot: await readFile(process.argv[2]) })));
const server = app.listen(Number(process.argv[3] ?? 8080), '127.0.0.1', () => console.log(JSON.stringify(server.address())));
