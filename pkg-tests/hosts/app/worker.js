/** Plans the requests it receives. */
import init, { plan } from 'slicewise/web';

const ready = init();

self.onmessage = async ({ data }) => {
  await ready;
  self.postMessage(plan(data).create.length);
};
