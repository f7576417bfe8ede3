import resolve from '@rollup/plugin-node-resolve';
import { importMetaAssets } from '@web/rollup-plugin-import-meta-assets';

export default [
  // A page.
  { input: 'main.js', output: { dir: 'dist/rollup' }, plugins: [resolve(), importMetaAssets()] },
  // A program for Node.
  {
    input: 'main.js',
    output: { dir: 'dist/rollup-node' },
    external: /^node:/,
    plugins: [resolve({ exportConditions: ['node'] }), importMetaAssets()],
  },
];
