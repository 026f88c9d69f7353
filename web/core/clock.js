import { deviation, median } from './middle.js';

const STEPS = 200;
const PATIENCE_MS = 400;
/** Enough that the loop is compiled for most of them. */
const LEAST_READINGS = 20_000;
const MOST_READINGS = 5_000_000;

/**
 * What a clock is worth, seen from outside. Times in microseconds.
 *
 * @typedef {object} ClockReadings
 * @property {number} quantum_us Smallest step seen; the cost of a reading where the clock is finer than that.
 * @property {number} jitter_us Median absolute deviation of the steps.
 * @property {number} call_overhead_us
 * @property {boolean} monotonic
 */

/**
 * Reads the clock until it has stepped often enough. A clock that never steps yields a quantum of the whole patience,
 * since no shorter span was ever seen.
 *
 * @param {() => number} now Milliseconds.
 * @returns {ClockReadings}
 */
export function examineClock(now) {
  /** @type {number[]} */
  const steps = [];
  const begun = now();
  let last = begun;
  let monotonic = true;
  let readings = 0;
  const enough = () => steps.length >= STEPS && readings >= LEAST_READINGS;
  while (!enough() && last - begun < PATIENCE_MS && readings < MOST_READINGS) {
    const at = now();
    readings++;
    if (at > last) steps.push((at - last) * 1000);
    if (at < last) monotonic = false;
    last = at;
  }
  const overhead = readings > 0 ? ((last - begun) * 1000) / readings : 0;
  return {
    quantum_us: steps.length > 0 ? Math.min(...steps) : PATIENCE_MS * 1000,
    jitter_us: steps.length > 0 ? deviation(steps) : 0,
    call_overhead_us: overhead,
    monotonic,
  };
}

/** Iterations in one unit of spinning. */
const UNIT = 64;

/**
 * A CPU loop of known work.
 *
 * @param {number} units
 * @returns {number} Depends on every iteration, so that no compiler drops one.
 */
export function spin(units) {
  let state = 1;
  for (let left = units * UNIT; left > 0; left--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}

/**
 * The period on which waits end, where they do; null otherwise. A wait on an empty queue has nothing to wait for, so
 * when it takes long and always the same, a timer decides it. Judged by the data alone.
 *
 * @param {readonly number[]} waits_us
 * @returns {number | null}
 */
export function detectPoll(waits_us) {
  const middle = median(waits_us);
  const long = middle >= 1000;
  return long && deviation(waits_us) <= 0.1 * middle ? middle : null;
}
