/** One rule set for all scripts in the repository. tsc checks types, so rules about them are off. */
import js from '@eslint/js';
import globals from 'globals';
import imports, { createNodeResolver } from 'eslint-plugin-import-x';

export default [
  { ignores: ['pkg/', 'dist/', 'target/', 'node_modules/', '**/*.ts', '**/*.cts', '**/*.mts', 'pkg-tests/package/consumers/'] },
  js.configs.recommended,
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { ecmaVersion: 'latest', sourceType: 'module', globals: globals['shared-node-browser'] },
    plugins: { imports },
    settings: { 'import-x/resolver-next': [createNodeResolver()] },
    rules: {
      'imports/no-cycle': 'error',
      complexity: ['error', 15],
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-len': ['error', { code: 150, ignoreRegExpLiterals: true, ignoreUrls: true }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'no-eval': 'error',
      'no-implicit-coercion': 'error',
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'require-await': 'error',
    },
  },
  {
    files: ['npm/bin/**', 'npm/**/*.cjs', 'scripts/**', 'webhook/**', 'pkg-tests/**', 'benches/**', 'conformance/**', '*.config.js', '**/*.mjs'],
    languageOptions: { globals: globals.node },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: globals.node } },
  { files: ['npm/element.js'], languageOptions: { globals: globals.browser } },
  { files: ['www/**'], languageOptions: { globals: { ...globals.browser, ...globals.worker } } },
  // Code that runs in a page is written inline in the tests that drive it.
  { files: ['pkg-tests/{browser,hosts}/**'], languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.worker } } },
  // Written by `www/samples/generate.mjs`, an entry a line.
  { files: ['www/samples/questions.js'], rules: { 'max-len': 'off' } },
  // A table of tests is one long function by nature.
  { files: ['pkg-tests/**'], rules: { 'max-lines-per-function': 'off' } },
];
