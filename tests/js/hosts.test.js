import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LINES = new URL('../../web/hosts/lines.js', import.meta.url);

/**
 * Runs the host of a runtime whose WebGPU is missing, and reads the lines it prints.
 *
 * @param {string[]} options
 */
function printed(options) {
  const script = `import { printRun } from ${JSON.stringify(LINES.href)}; await printRun(undefined, {});`;
  const done = spawnSync(process.execPath, ['--input-type=module', '-e', script, '--', ...options], { encoding: 'utf8' });
  const lines = done.stdout.trim().split('\n').map((line) => JSON.parse(line));
  return { status: done.status, lines };
}

test('a runtime without WebGPU prints an unsupported finish', () => {
  const { status, lines } = printed(['--suite', 'smoke', '--seed', '3']);
  assert.equal(status, 0);
  assert.deepEqual(lines, [{ finish: { status: 'unsupported', reason: 'the runtime has no WebGPU', parts: 0 } }]);
});

test('an unknown suite prints a failed finish that names the known ones', () => {
  const { status, lines } = printed(['--suite', 'nonsense']);
  assert.equal(status, 1);
  assert.equal(lines.at(-1).finish.status, 'failed');
  assert.match(lines.at(-1).finish.reason, /no suite nonsense; there are smoke, quick/);
});

test('a folder of kernels that is not there prints a failed finish', () => {
  const { status, lines } = printed(['--wgsl', fileURLToPath(new URL('nowhere', import.meta.url))]);
  assert.equal(status, 1);
  assert.match(lines.at(-1).finish.reason, /suite\.json/);
});
