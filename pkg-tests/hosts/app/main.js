/** A program, or a page. */
import { answers, show } from './answers.js';
import * as entries from './entries.js';

show(answers(entries));
