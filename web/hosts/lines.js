// Runs a suite outside a browser and prints it as lines of JSON: `{"part": ...}`, `{"progress": ...}`, and last
// `{"finish": ...}`. What is for people goes to stderr.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { kernelFiles, readParams } from '../core/params.js';
import { run } from '../core/run.js';

const DEFAULT_WGSL = new URL('../../wgsl/', import.meta.url);

/**
 * @param {GPU | undefined} gpu
 * @param {{ runtime_version: string, libraries: Record<string, string> }} about
 */
export async function printRun(gpu, about) {
  let parts = 0;
  const stop = new AbortController();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => stop.abort());
  const part = (/** @type {unknown} */ one) => {
    parts++;
    return print({ part: one });
  };
  try {
    const params = await readArguments();
    const host = { gpu: /** @type {GPU} */ (gpu), now: () => performance.now(), isolated: true, sleep, ...about };
    await print({ finish: await run(host, params, { part, progress: throttled() }, stop.signal) });
    process.exit(0);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
    await print({ finish: { status: 'failed', reason, parts } });
    process.exit(1);
  }
}

async function readArguments() {
  const { values } = parseArgs({
    options: {
      suite: { type: 'string', default: 'quick' },
      seed: { type: 'string', default: '0' },
      wgsl: { type: 'string' },
    },
  });
  const folder = values.wgsl ? `${values.wgsl}/` : DEFAULT_WGSL;
  const read = (/** @type {string} */ name) =>
    readFile(typeof folder === 'string' ? folder + name : new URL(name, folder), 'utf8');
  const file = JSON.parse(await read('suite.json'));
  const texts = await Promise.all(kernelFiles(file).map(async (name) => [name, await read(name)]));
  return readParams(file, String(values.suite), Object.fromEntries(texts), Number(values.seed));
}

/**
 * @param {unknown} line
 * @returns {Promise<void>} Settles once the line is out: an exit must not cut it off.
 */
function print(line) {
  return new Promise((resolve) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve());
  });
}

/** @param {number} ms @returns {Promise<void>} */
function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Progress twice a second at most: a line costs time between spans. */
function throttled() {
  let last = -Infinity;
  return (/** @type {import('../core/types.js').ProgressEvent} */ progress) => {
    if (performance.now() - last < 500) return;
    last = performance.now();
    void print({ progress });
  };
}
