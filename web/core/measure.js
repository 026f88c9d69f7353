/** @import { Context, Sample, WaitMode } from './types.js' */
/** @import { Stage } from './device.js' */
/** @import { Issue } from './operations.js' */
/** @import { GpuTimer } from './timestamps.js' */
/** @import { Tally } from './verify.js' */
import { waits } from './wait.js';

/** Digits beyond the nanosecond are finer than any clock here. @param {number} us */
export const rounded = (us) => Math.round(us * 1000) / 1000;

/**
 * Times spans of one operation on one stage.
 *
 * @typedef {(n: number, rep: number) => Promise<Sample>} Meter
 */

/**
 * @param {Context} context
 * @param {Stage} stage
 * @param {Issue} issue
 * @param {{ wait?: WaitMode, tally?: Tally | null, timer?: GpuTimer | null }} [options]
 * @returns {Meter}
 */
export function meter(context, stage, issue, options = {}) {
  const { host, origin_ms } = context;
  const mode = options.wait ?? context.conditions.wait;
  const wait = waits(stage)[mode];
  const { tally, timer } = options;
  return async (n, rep) => {
    stage.check();
    stage.alive_ms = host.now();

    // The timed region: the API calls and three readings of the clock, the last one as the answer arrives.
    const start = host.now();
    issue(n);
    const encoded = host.now();
    const done = await stage.interrupt.guard(wait());

    stage.alive_ms = done;
    tally?.add(n);
    /** @type {Sample} */
    const sample = {
      n,
      rep,
      wait: mode,
      start_us: rounded((start - origin_ms) * 1000),
      encoded_us: rounded((encoded - start) * 1000),
      done_us: rounded((done - start) * 1000),
    };
    if (timer) {
      const gpu_us = n > 0 ? await timer.readSpan() : null;
      sample.gpu_us = gpu_us === null ? null : rounded(gpu_us);
    }
    return sample;
  };
}
