export * from './index.js';
export { init, init as default } from '../web.js';
export type { ModuleSource } from '../web.js';
