import { readFileSync } from 'node:fs';
import { kernelFiles, readParams } from '../../../web/core/params.js';
import { run } from '../../../web/core/run.js';
import { FakeGpu } from './gpu.js';
import { scenario } from './scenario.js';
import { World } from './world.js';

const WGSL = new URL('../../../wgsl/', import.meta.url);

/** The shipped suite file and kernels. */
export const FILE = JSON.parse(readFileSync(new URL('suite.json', WGSL), 'utf8'));
export const TEXTS = Object.fromEntries(
  kernelFiles(FILE).map((name) => [name, readFileSync(new URL(name, WGSL), 'utf8')]),
);

/**
 * A host in virtual time.
 *
 * @param {Partial<import('./scenario.js').Scenario>} [given]
 * @param {number} [seed] Of the scenario's noise.
 */
export function fakeHost(given, seed = 1) {
  const plan = scenario(given);
  const world = new World({ quantum_us: plan.clock_quantum_us });
  const gpu = new FakeGpu(world, plan, seed);
  return { world, fake: gpu, gpu: /** @type {any} */ (gpu), now: world.now, isolated: true, sleep: world.sleep };
}

/**
 * The limits of a shipped suite with other cases.
 *
 * @param {string[]} cases
 * @param {{ suite?: string, seed?: number, limits?: object }} [options]
 */
export function paramsOf(cases, { suite = 'quick', seed = 1, limits = {} } = {}) {
  const file = { ...FILE, suites: { chosen: { ...FILE.suites[suite], ...limits, cases } } };
  return readParams(file, 'chosen', TEXTS, seed);
}

/**
 * Runs cases on a fake host.
 *
 * @param {ReturnType<typeof fakeHost>} host
 * @param {ReturnType<typeof paramsOf>} params
 * @param {object} [options]
 * @param {boolean} [options.repeat] Whether the first ladder case is repeated, as in a real run.
 * @param {AbortSignal} [options.signal]
 * @param {(part: any) => void} [options.onPart]
 * @param {(event: any) => void} [options.onPoint]
 * @param {(event: any) => void} [options.onProgress]
 */
export async function simulate(host, params, options = {}) {
  /** @type {any[]} */
  const parts = [];
  const chosen = options.repeat ? params : { ...params, repeated: null };
  const hooks = {
    part: (/** @type {any} */ part) => {
      parts.push(part);
      options.onPart?.(part);
    },
    point: options.onPoint,
    progress: options.onProgress,
  };
  const finish = await run(host, chosen, hooks, options.signal);
  const of = (/** @type {string} */ id) => parts.find((part) => part.case_id === id);
  return { parts, finish, of };
}
