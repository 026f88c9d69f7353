/** @import { Stage } from './device.js' */
/** @import { Kernel } from './types.js' */
/** @import { Workload } from './workload.js' */
import { COPY_DST, MAP_READ, READ } from './flags.js';
import { settle } from './wait.js';

/** The largest count that each type holds when it goes up by ones: beyond it, adding 1 changes nothing. */
const LARGEST = { f32: 2 ** 24, f16: 2 ** 11, i32: 2 ** 31 - 1 };

/** Counts what was issued and compares it with what the kernel counted: a dispatch that did not happen is found. */
export class Tally {
  /** @param {Workload} workload */
  constructor(workload) {
    this.workload = workload;
    this.expected = workload.slots.map(() => 0);
  }

  /**
   * Notes n operations, which go round the slots from the first one.
   *
   * @param {number} n
   */
  add(n) {
    const { length } = this.expected;
    const whole = Math.floor(n / length);
    for (let slot = 0; slot < length; slot++) this.expected[slot] += whole + (slot < n % length ? 1 : 0);
  }

  /**
   * Reads every slot back.
   *
   * @param {Stage} stage
   * @returns {Promise<boolean>} Whether every element of every slot holds the expected count.
   */
  async verify(stage) {
    const { slots, kernel, elements } = this.workload;
    const bytes = elements * kernel.bytes_per_element;
    const target = stage.device.createBuffer({ size: bytes * slots.length, usage: COPY_DST | MAP_READ });
    const encoder = stage.device.createCommandEncoder();
    slots.forEach(({ buffer, offset }, index) => {
      encoder.copyBufferToBuffer(buffer, offset, target, index * bytes, bytes);
    });
    stage.queue.submit([encoder.finish()]);
    await settle(stage, target.mapAsync(READ));
    const counts = decode(kernel.type, target.getMappedRange());
    const right = this.expected.every((expected, slot) => {
      const wanted = Math.min(expected, LARGEST[kernel.type]);
      return counts.slice(slot * elements, (slot + 1) * elements).every((count) => count === wanted);
    });
    target.unmap();
    return right;
  }
}

/**
 * @param {Kernel['type']} type
 * @param {ArrayBuffer} bytes
 * @returns {number[]}
 */
function decode(type, bytes) {
  if (type === 'f32') return [...new Float32Array(bytes)];
  if (type === 'i32') return [...new Int32Array(bytes)];
  return Array.from(new Uint16Array(bytes), halfToNumber);
}

/** Decodes an IEEE 754 half, for which JavaScript has no array everywhere yet. @param {number} half */
export function halfToNumber(half) {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
