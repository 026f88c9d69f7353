/** @import { Stage } from './device.js' */
/** @import { WaitMode } from './types.js' */
import { COPY_DST, COPY_SRC, MAP_READ, READ } from './flags.js';

const NUDGE_MS = 1;
/**
 * A nudge is a submit and costs what one costs. Where that is more than a millisecond, as on a device that is slow
 * from its past, nudges would pile up faster than they are worked off: after this many, pauses grow with the wait.
 */
const STEADY_NUDGES = 64;

/** @typedef {() => Promise<number>} Wait Resolves with the clock in milliseconds, read as the answer arrives. */

/**
 * The wait modes. They differ in what they cost, so a sample names the one it was taken with.
 *
 * @param {Stage} stage
 * @returns {Record<WaitMode, Wait>}
 */
export function waits(stage) {
  const { device, queue, host } = stage;
  /** @type {{ source: GPUBuffer, target: GPUBuffer } | null} */
  let mapped = null;
  return {
    done: () => queue.onSubmittedWorkDone().then(() => host.now()),
    nudged: () => nudge(stage, queue.onSubmittedWorkDone().then(() => host.now())),
    map: async () => {
      mapped ??= {
        source: device.createBuffer({ size: 16, usage: COPY_DST | COPY_SRC }),
        target: device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ }),
      };
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(mapped.source, 0, mapped.target, 0, 16);
      queue.submit([encoder.finish()]);
      await mapped.target.mapAsync(READ);
      const at = host.now();
      mapped.target.unmap();
      return at;
    },
  };
}

/**
 * Submits an empty command buffer about every millisecond until the promise settles: a runtime that looks for finished
 * work only on a slow poll also looks at every submit.
 *
 * @template T
 * @param {Stage} stage
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function nudge(stage, promise) {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  const watched = promise.then(settle, settle);
  const begun = stage.host.now();
  while (!settled && !stage.interrupt.reason) {
    stage.queue.submit([stage.device.createCommandEncoder().finish()]);
    const pause = Math.max(NUDGE_MS, (stage.host.now() - begun) / STEADY_NUDGES);
    await Promise.race([watched, stage.host.sleep(pause)]);
  }
  return promise;
}

/**
 * An untimed wait, nudged where plain ones end on a poll.
 *
 * @template T
 * @param {Stage} stage
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function settle(stage, promise) {
  const waiting = stage.conditions.wait === 'nudged' ? nudge(stage, promise) : promise;
  const value = await stage.interrupt.guard(waiting);
  stage.alive_ms = stage.host.now();
  return value;
}
