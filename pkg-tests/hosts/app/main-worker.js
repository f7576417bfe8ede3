/** The same with a worker of one's own. */
import { answers, cart, show } from './answers.js';
import * as entries from './entries.js';

/** @returns {Promise<unknown>} the worker's plan */
function askWorker() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage({ service: cart });
  });
}

show({ ...answers(entries), worker: await askWorker() });
