// Encoders and passes of the fake GPU. A finished encoder is its own command buffer.

export class FakeEncoder {
  dispatches = 0;
  passes = 0;
  finished = false;
  /** @type {(() => void)[] | null} */
  #later = null;
  /** @type {any} */
  timing = null;
  /** @type {{ group: any, at: number, count: number } | undefined} */
  last;

  /** @param {import('./gpu.js').FakeDevice} device */
  constructor(device) {
    this.device = device;
  }

  /** @param {any} [descriptor] */
  beginComputePass(descriptor) {
    if (this.finished) throw new Error('the encoder is finished');
    this.passes++;
    if (descriptor?.timestampWrites) this.timing = descriptor.timestampWrites.querySet;
    return this.device.pass(this);
  }

  /** @param {any} group @param {number} offset @param {any} pipeline */
  count(group, offset, pipeline) {
    this.dispatches++;
    const at = offset + group.offset;
    group.buffer.type = pipeline.type;
    group.buffer.limit = pipeline.limit;
    // Most encoders hold one dispatch, so the common case must not allocate a map.
    if (this.last === undefined) this.last = { group, at, count: 0 };
    if (this.last.group !== group || this.last.at !== at) {
      this.#flushLater(this.last);
      this.last = { group, at, count: 0 };
    }
    this.last.count++;
  }

  /** @param {{ group: any, at: number, count: number }} entry */
  #flushLater(entry) {
    this.#later ??= [];
    this.#later.push(() => add(this.device, entry));
  }

  /** @param {any} source @param {number} from @param {any} target @param {number} to @param {number} size */
  copyBufferToBuffer(source, from, target, to, size) {
    this.#later ??= [];
    this.#later.push(() => {
      const count = source.counts.get(from);
      if (count === undefined) target.bytes.set(source.bytes.slice(from, from + size), to);
      else fill(target, to, size, source.type, Math.min(count, source.limit));
    });
  }

  /** @param {any} querySet @param {number} first @param {number} count @param {any} target */
  resolveQuerySet(querySet, first, count, target) {
    this.#later ??= [];
    this.#later.push(() => {
      const stamps = querySet.stamps.map((/** @type {number} */ ns) => BigInt(Math.round(ns)));
      new BigUint64Array(target.bytes.buffer).set(stamps);
    });
  }

  finish() {
    this.device.cost('finish');
    this.finished = true;
    return this;
  }

  /** What the GPU does with it, at the submit: the order is the same, and only counts are seen. */
  execute() {
    const { plan, world } = this.device;
    for (const act of this.#later ?? []) act();
    if (this.last) add(this.device, this.last);
    if (!this.timing) return;
    const begin = world.now_us * 1000;
    const span = this.dispatches * plan.gpu_us * 1000;
    this.timing.stamps = {
      good: [begin, begin + span],
      zero: [0, 0],
      negative: [begin + span, begin],
      milliseconds: [begin, begin + span * 1e6],
    }[plan.timestamps];
  }
}

export class FakePass {
  /** @type {any} */
  #group = null;
  #offset = 0;
  /** @type {any} */
  #pipeline = null;

  /** @param {FakeEncoder} encoder */
  constructor(encoder) {
    this.encoder = encoder;
    this.device = encoder.device;
  }

  /** @param {any} pipeline */
  setPipeline(pipeline) {
    this.device.cost('set_pipeline');
    this.#pipeline = pipeline;
  }

  /** @param {number} index @param {any} group @param {number[]} [offsets] */
  setBindGroup(index, group, offsets) {
    this.device.cost('set_bind_group');
    this.#group = group;
    this.#offset = offsets ? offsets[0] : 0;
  }

  setImmediates() {}

  dispatchWorkgroups() {
    const { plan, world } = this.device;
    world.now_us += plan.slope_us * plan.cpu_share + (plan.calls.dispatch ?? 0);
    this.encoder.count(this.#group, this.#offset, this.#pipeline);
  }

  dispatchWorkgroupsIndirect() {
    this.dispatchWorkgroups();
  }

  end() {
    this.device.cost('pass_end');
  }
}

/** @param {any} device @param {{ group: any, at: number, count: number }} entry */
function add(device, { group, at, count }) {
  const every = device.plan.drop_every;
  const before = device.dispatched;
  device.dispatched += count;
  const dropped = every > 0 ? Math.floor(device.dispatched / every) - Math.floor(before / every) : 0;
  const { counts } = group.buffer;
  counts.set(at, (counts.get(at) ?? 0) + count - dropped);
}

/** @param {any} target @param {number} to @param {number} size @param {string} type @param {number} count */
function fill(target, to, size, type, count) {
  const { buffer } = target.bytes;
  if (type === 'i32') new Int32Array(buffer, to, size / 4).fill(count);
  else if (type === 'f16') new Uint16Array(buffer, to, size / 2).fill(half(count));
  else new Float32Array(buffer, to, size / 4).fill(count);
}

/** A count up to 2048 as a half. @param {number} count */
function half(count) {
  if (count === 0) return 0;
  const exponent = Math.floor(Math.log2(count));
  return ((exponent + 15) << 10) | Math.round((count / 2 ** exponent - 1) * 1024);
}
