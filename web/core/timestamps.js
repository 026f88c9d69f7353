/** @import { Stage } from './device.js' */
import { COPY_DST, COPY_SRC, MAP_READ, QUERY_RESOLVE, READ } from './flags.js';
import { settle } from './wait.js';

/** A pair of timestamp queries around the passes of a span. */
export class GpuTimer {
  /** Readings that were no time: zero, or ending before they began. */
  invalid = 0;

  /** @param {Stage} stage On a device with `timestamp-query`. */
  constructor(stage) {
    const { device } = stage;
    this.stage = stage;
    this.querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
    this.resolved = device.createBuffer({ size: 16, usage: QUERY_RESOLVE | COPY_SRC });
    this.target = device.createBuffer({ size: 16, usage: COPY_DST | MAP_READ });
    const { querySet } = this;
    const begin = { beginningOfPassWriteIndex: 0 };
    const end = { endOfPassWriteIndex: 1 };
    // Made here so that the timed region only picks one.
    this.both = { timestampWrites: { querySet, ...begin, ...end } };
    this.first = { timestampWrites: { querySet, ...begin } };
    this.last = { timestampWrites: { querySet, ...end } };
  }

  /**
   * The descriptor of pass `index` of `n`: the first notes when it begins, the last when it ends.
   *
   * @param {number} index
   * @param {number} n
   * @returns {GPUComputePassDescriptor | undefined}
   */
  describe(index, n) {
    if (n === 1) return this.both;
    if (index === 0) return this.first;
    return index === n - 1 ? this.last : undefined;
  }

  /**
   * Both stamps of the span that ended last, in nanoseconds as the implementation says.
   *
   * @returns {Promise<[number, number]>}
   */
  async read() {
    const encoder = this.stage.device.createCommandEncoder();
    encoder.resolveQuerySet(this.querySet, 0, 2, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.target, 0, 16);
    this.stage.queue.submit([encoder.finish()]);
    await settle(this.stage, this.target.mapAsync(READ));
    const [begin, end] = new BigUint64Array(this.target.getMappedRange());
    this.target.unmap();
    return [Number(begin), Number(end)];
  }

  /** The span in microseconds, null where the reading is invalid. */
  async readSpan() {
    const [begin, end] = await this.read();
    if (begin > 0 && end >= begin) return (end - begin) / 1000;
    this.invalid++;
    return null;
  }
}
