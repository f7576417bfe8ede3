/**
 * Keeps V8's young generation small. Of the bytes of a review nothing is kept, and next to nothing is made of them on V8's
 * heap: by the time it is full, hundreds of megabytes of chunks lie outside of it, and V8 marks the whole heap over and over
 * to be rid of them. Small, it is collected often, which takes less than a millisecond and frees them as well.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--semi-space-growth-factor=1');
