/** A worker that answers requests, for hosts such as workerd. */
import { answers } from './answers.js';
import * as entries from './loaded.js';

export default {
  async fetch() {
    await entries.ready;
    return Response.json(answers(entries));
  },
};
