/**
 * What a simulated runtime is like. Times in microseconds; everything has a default.
 *
 * @typedef {object} Scenario
 * @property {number} slope_us Planted marginal cost of one operation.
 * @property {number} intercept_us Planted cost of a wait.
 * @property {number} clock_quantum_us
 * @property {number} poll_us Waits end only on multiples of this after they began, unless nudged; 0 for none.
 * @property {number} wait_sleep_us The same, and nudges do not help.
 * @property {number} cpu_share Part of the slope that the caller spends.
 * @property {number} empty_submit_us
 * @property {number} noise_us Deviation of a span, whatever its length.
 * @property {number} noise_relative Deviation of a span, per unit of its length.
 * @property {number} heavy Degrees of freedom of the noise (Student's t); 0 for normal noise.
 * @property {number} outlier_share
 * @property {number} outlier_us
 * @property {number} drift_per_s Relative growth of the slope per second of the run.
 * @property {number} bimodal_share Share of the spans that cost `bimodal_factor` times as much.
 * @property {number} bimodal_factor
 * @property {number} run_spread Relative deviation of a run's slope from the planted one.
 * @property {number} bend_n Operations without a wait beyond which back-pressure sets in; 0 for none.
 * @property {number} bend_factor What an operation beyond it costs, in slopes.
 * @property {number} carryover_factor What a submit costs after a submit of many passes on the same device.
 * @property {Record<string, number>} calls Cost of single API calls by phase, on top.
 * @property {string[]} features
 * @property {string[]} language WGSL language features.
 * @property {Record<string, unknown>} info Adapter info.
 * @property {number} null_adapters How many requests are answered null first; Infinity for no adapter at all.
 * @property {number | null} lose_device Index of the device that is lost in its `lose_after`th submit.
 * @property {number} lose_after
 * @property {number | null} hang_device Index of the device that never answers.
 * @property {number} drop_every Every so many dispatches, one does not happen; 0 for none.
 * @property {string | null} compile_error
 * @property {string | null} validation_error Raised outside of scopes by the first submit of a dispatch.
 * @property {'good' | 'zero' | 'negative' | 'milliseconds'} timestamps
 * @property {number} gpu_us GPU time of one dispatch as timestamp queries show it.
 */

/** @type {Scenario} */
const ORDINARY = {
  slope_us: 25,
  intercept_us: 90,
  clock_quantum_us: 5,
  poll_us: 0,
  wait_sleep_us: 0,
  cpu_share: 0.3,
  empty_submit_us: 1,
  noise_us: 0,
  noise_relative: 0,
  heavy: 0,
  outlier_share: 0,
  outlier_us: 0,
  drift_per_s: 0,
  bimodal_share: 0,
  bimodal_factor: 1,
  run_spread: 0,
  bend_n: 0,
  bend_factor: 4,
  carryover_factor: 1,
  calls: {},
  features: ['timestamp-query', 'shader-f16'],
  language: ['immediate_address_space'],
  info: { vendor: 'fake', architecture: 'virtual', device: 'one', description: 'Virtual time', isFallbackAdapter: false },
  null_adapters: 0,
  lose_device: null,
  lose_after: 10,
  hang_device: null,
  drop_every: 0,
  compile_error: null,
  validation_error: null,
  timestamps: 'good',
  gpu_us: 2,
};

/** @param {Partial<Scenario>} [given] @returns {Scenario} @throws {Error} On a word no scenario knows. */
export function scenario(given = {}) {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(ORDINARY, key)) throw new Error(`no scenario has ${key}`);
  }
  return { ...ORDINARY, ...given };
}

/**
 * Draws from a normal distribution, or from Student's t of `heavy` degrees of freedom.
 *
 * @param {() => number} random
 * @param {number} heavy
 */
export function draw(random, heavy) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  if (heavy <= 0) return normal();
  let squares = 0;
  for (let left = heavy; left > 0; left--) squares += normal() ** 2;
  return normal() / Math.sqrt(squares / heavy);
}
