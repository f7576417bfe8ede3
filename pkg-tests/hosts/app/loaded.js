/** The package where no file can be found next to the code: the host imports the modules, and `init` takes them. */
import main from 'slicewise/slicewise.wasm';
import full from 'slicewise/full.wasm'; // of all other entries
import { init } from 'slicewise/web';
import { init as initFull } from 'slicewise/tools/web';

export const ready = Promise.all([init(main), initFull(full)]);

export { SlicewiseError, plan } from 'slicewise/web';
export { createReviewer, policies } from 'slicewise/admission/web';
export { Session } from 'slicewise/session/web';
export { Timeline } from 'slicewise/simulation/web';
export { explain } from 'slicewise/tools/web';
