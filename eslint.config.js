import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['web/vendor/', '**/*.d.ts'] },
  js.configs.recommended,
  {
    rules: {
      // `!= null` says null or undefined, which is what it is used for.
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'no-console': 'error',
      'object-shorthand': 'error',
      'max-len': ['error', { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreUrls: true }],
      'max-lines': ['error', 300],
    },
  },
  {
    // The core knows the language and nothing else: GPU, clock and files are handed in.
    files: ['web/core/**/*.js'],
    languageOptions: { globals: {} },
    rules: { 'no-restricted-globals': ['error', 'performance', 'navigator', 'document', 'window', 'fetch', 'setTimeout'] },
  },
  {
    files: ['web/hosts/browser.js', 'web/page/**/*.js', 'web/dashboard/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['web/hosts/lines.js', 'web/hosts/node.js', 'web/hosts/deno.js', 'tests/**/*.{js,mjs}'],
    languageOptions: { globals: globals.nodeBuiltin },
  },
  {
    // A page of the tests, served beside those of the product.
    files: ['tests/bench/page/**/*.js'],
    languageOptions: { globals: { ...globals.browser, GPUBufferUsage: 'readonly' } },
  },
];
