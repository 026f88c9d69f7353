/** @import { Host } from './types.js' */
/** @import { Interrupt } from './interrupt.js' */
import { Failure } from './interrupt.js';

const PATIENCE_MS = 6000;
const PAUSE_MS = 250;
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render/i;
const NAMES = /** @type {const} */ (['vendor', 'architecture', 'device', 'description']);

/**
 * Requests an adapter, again and again for some seconds: a browser answers null while its GPU process restarts.
 *
 * @param {Host} host
 * @param {Interrupt} interrupt
 * @returns {Promise<{ adapter: GPUAdapter, attempts: number }>}
 * @throws {Failure} Where there is none in the end.
 */
export async function requestAdapter(host, interrupt) {
  const begun = host.now();
  for (let attempts = 1; ; attempts++) {
    const adapter = await interrupt.guard(host.gpu.requestAdapter({ powerPreference: 'high-performance' }));
    if (adapter) return { adapter, attempts };
    if (host.now() - begun > PATIENCE_MS) {
      throw new Failure(`no adapter after ${attempts} requests in ${Math.round(PATIENCE_MS / 1000)} s`);
    }
    await interrupt.guard(host.sleep(PAUSE_MS));
  }
}

/**
 * The adapter as the contract describes it. Some fields exist only under developer flags or in one implementation.
 *
 * @param {GPUAdapter} adapter
 * @param {number} attempts
 * @returns {import('./contract').Adapter}
 */
export function describeAdapter(adapter, attempts) {
  const info = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (adapter.info ?? {}));
  const text = (/** @type {string} */ key) => (typeof info[key] === 'string' ? info[key].slice(0, 2000) : '');
  const fallback = info.isFallbackAdapter ?? /** @type {any} */ (adapter).isFallbackAdapter;
  return {
    vendor: text('vendor'),
    architecture: text('architecture'),
    device: text('device'),
    description: text('description'),
    backend: text('backend') || text('backendType'),
    driver: text('driver'),
    software: isSoftware(NAMES.map(text).join(' '), fallback),
    fallback: typeof fallback === 'boolean' ? fallback : null,
    masked: NAMES.filter((name) => text(name) === ''),
    features: [...adapter.features].map(String).sort(),
    limits: readLimits(adapter.limits),
    attempts,
  };
}

/**
 * Whether the CPU does the work; null where neither a name nor a flag tells.
 *
 * @param {string} names
 * @param {unknown} fallback
 */
function isSoftware(names, fallback) {
  if (fallback === true || SOFTWARE.test(names)) return true;
  return names.trim() === '' ? null : false;
}

/** Limits are getters on a prototype, so only an enumeration finds them all. @param {GPUSupportedLimits} limits */
function readLimits(limits) {
  /** @type {Record<string, number>} */
  const found = {};
  for (const key in limits) {
    const value = Reflect.get(limits, key);
    if (typeof value === 'number' && Number.isFinite(value)) found[key] = value;
  }
  return found;
}
