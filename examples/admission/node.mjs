/** A validating webhook in plain Node. API servers only speak TLS: add a certificate here or a TLS proxy in front. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createHandler, createReviewer } from 'slicewise/admission';

const reviewer = createReviewer({ snapshot: await readFile(process.argv[2]) });
const server = createServer(createHandler(reviewer));
server.listen(Number(process.argv[3] ?? 8080), '127.0.0.1', () => console.log(JSON.stringify(server.address())));
