// Makes web/core/contract.d.ts from the server's JSON Schema, so that the contract is described once.
// `--print` writes to stdout instead, for the test that compares it with the committed file.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const own = `${root}.venv/bin/python`;
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
const schema = JSON.parse(
  execFileSync(python, ['-m', 'dispatchmark.contract.schema'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: `${root}server` },
  }),
);
const banner = '// Made by `npm run contract` from server/dispatchmark/contract; do not edit.\n';
const types = await compile(withoutFieldTitles(schema), 'Contract', {
  bannerComment: banner,
  additionalProperties: false,
  ignoreMinAndMaxItems: true,
  style: { singleQuote: true, printWidth: 120 },
});

if (process.argv.includes('--print')) process.stdout.write(types);
else writeFileSync(`${root}web/core/contract.d.ts`, types);

/**
 * Pydantic gives every field a title, and each would become a type of its own; only documents deserve names.
 * @param {any} node
 * @returns {any}
 */
function withoutFieldTitles(node) {
  if (Array.isArray(node)) return node.map(withoutFieldTitles);
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(([key, value]) => key !== 'title' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutFieldTitles(value)]));
}
