/** Where things are built. */
import { resolve } from 'node:path';
import { ROOT } from './run.mjs';

/** Cargo's own variable is honoured; without it, `target/`. */
export const TARGET = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The native command. */
export const CLI = resolve(TARGET, 'release', process.platform === 'win32' ? 'slicewise.exe' : 'slicewise');
