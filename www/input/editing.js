/** What lists, edits and generates objects, as one part that loads on first use: plans are made without it. */
export { asking } from './asking.js';
export { Desk } from './desk.js';
export { generate } from './generator.js';
export { Scaling } from './scaling.js';
