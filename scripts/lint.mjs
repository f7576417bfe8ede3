/** `npm run lint`: all static checks. Type checking requires a built package. */
import { preparePackage } from './lib/prepare.mjs';
import { mustRun, script } from './lib/run.mjs';

const CHECKS = [
  ['cargo', 'fmt', '--all', '--check'],
  ['cargo', 'clippy', '--workspace', '--all-targets', '--all-features', '--locked', '--', '-D', 'warnings'],
  [process.execPath, 'node_modules/eslint/bin/eslint.js', '--max-warnings=0', '.'],
  [process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.'],
];

await script(async () => {
  await preparePackage();
  for (const check of CHECKS) await mustRun(check);
});
