/** The same with modules that are loaded explicitly, which CommonJS cannot await at the top level. */
import { answers, show } from './answers.js';
import * as entries from './loaded.js';

entries.ready.then(() => show(answers(entries)));
