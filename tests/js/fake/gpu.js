// A GPU in virtual time: every call costs what the scenario says, and buffers count the dispatches that happened.
import { generator } from '../../../web/core/random.js';
import { FakeEncoder, FakePass } from './commands.js';
import { draw } from './scenario.js';

/** Submitted passes beyond which a device with a memory is slow from then on. */
const MANY_PASSES = 3000;
/** Encoders that were never submitted, beyond which the device is lost, as in WebKit. */
const MOST_ENCODERS = 1000;

export class FakeGpu {
  requests = 0;
  /** @type {FakeDevice[]} */
  devices = [];

  /**
   * @param {import('./world.js').World} world
   * @param {import('./scenario.js').Scenario} plan
   * @param {number} seed
   */
  constructor(world, plan, seed) {
    this.world = world;
    this.plan = plan;
    this.random = generator(seed);
    this.wgslLanguageFeatures = new Set(plan.language);
    this.slope_us = plan.slope_us * (1 + plan.run_spread * draw(this.random, 0));
  }

  async requestAdapter() {
    await this.world.sleep(1);
    if (this.requests++ < this.plan.null_adapters) return null;
    let used = false;
    const { plan } = this;
    return {
      info: plan.info,
      features: new Set(plan.features),
      limits: { maxBufferSize: 2 ** 28 },
      requestDevice: async (/** @type {{ requiredFeatures?: string[] }} */ { requiredFeatures = [] } = {}) => {
        if (used) throw new Error('the adapter is consumed');
        used = true;
        for (const name of requiredFeatures) {
          if (!plan.features.includes(name)) throw new TypeError(`no feature ${name}`);
        }
        const device = new FakeDevice(this, this.devices.length, requiredFeatures);
        this.devices.push(device);
        return device;
      },
    };
  }
}

export class FakeDevice {
  /** @type {((event: { error: { message: string } }) => void) | null} */
  onuncapturederror = null;
  open_encoders = 0;
  submits = 0;
  /** Operations submitted since the last answered wait. */
  unawaited = 0;
  dispatched = 0;
  free_us = 0;
  slow = false;
  dead = false;
  scopes = 0;
  /** @type {Set<{ done_us: number, resolve: () => void }>} */
  #waiting = new Set();
  /** @type {(info: { reason: string, message: string }) => void} */
  #lose = () => {};

  /** @param {FakeGpu} gpu @param {number} index @param {string[]} features */
  constructor(gpu, index, features) {
    this.gpu = gpu;
    this.world = gpu.world;
    this.plan = gpu.plan;
    this.index = index;
    this.features = new Set(features);
    // Looked up for every call of every simulated run, so that calls without a cost must not be looked for.
    this.costly = Object.keys(this.plan.calls).length > 0;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.queue = {
      submit: (/** @type {FakeEncoder[]} */ list) => this.#submit(list),
      onSubmittedWorkDone: () => this.#wait(),
      writeBuffer: () => this.cost('write_buffer'),
    };
  }

  /** @param {string} call */
  cost(call) {
    if (this.costly) this.world.now_us += this.plan.calls[call] ?? 0;
  }

  pushErrorScope() {
    this.scopes++;
  }

  async popErrorScope() {
    if (this.scopes-- === 0) throw new Error('no error scope to pop');
    return null;
  }

  destroy() {
    this.lose('destroyed', '');
  }

  /** @param {string} reason @param {string} message */
  lose(reason, message) {
    this.dead = true;
    this.#lose({ reason, message });
  }

  /** @param {{ code: string }} descriptor */
  createShaderModule({ code }) {
    const { compile_error } = this.plan;
    const messages = compile_error ? [{ type: 'error', lineNum: 3, linePos: 7, message: compile_error }] : [];
    return { code, getCompilationInfo: async () => ({ messages }) };
  }

  createBindGroupLayout() {
    return {};
  }

  createPipelineLayout() {
    return {};
  }

  /** @param {{ compute: { module: { code: string } } }} descriptor */
  createComputePipeline({ compute }) {
    const type = /array<(\w+)>/.exec(compute.module.code)?.[1] ?? 'f32';
    return { type, limit: { f32: 2 ** 24, f16: 2 ** 11, i32: 2 ** 31 - 1 }[type] };
  }

  /** @param {{ size: number }} descriptor */
  createBuffer({ size }) {
    return new FakeBuffer(this, size);
  }

  /** @param {{ entries: { resource: { buffer: FakeBuffer, offset?: number } }[] }} descriptor */
  createBindGroup({ entries }) {
    this.cost('create_bind_group');
    return { buffer: entries[0].resource.buffer, offset: entries[0].resource.offset ?? 0 };
  }

  /** @param {{ count: number }} descriptor */
  createQuerySet({ count }) {
    return { stamps: new Array(count).fill(0) };
  }

  createCommandEncoder() {
    this.cost('encoder');
    if (++this.open_encoders > MOST_ENCODERS && !this.dead) this.lose('unknown', 'too many encoders');
    return new FakeEncoder(this);
  }

  /** @param {FakeEncoder[]} list */
  #submit(list) {
    this.cost('submit');
    this.open_encoders -= list.length;
    let count = 0;
    for (const encoder of list) {
      count += encoder.dispatches;
      this.slow ||= encoder.passes > MANY_PASSES && this.plan.carryover_factor !== 1;
    }
    if (count > 0) this.#work(count, list);
    else this.world.now_us += this.plan.empty_submit_us;
    for (const encoder of list) encoder.execute();
    if (count === 0) this.#look();
  }

  /** @param {number} count @param {FakeEncoder[]} list */
  #work(count, list) {
    const { plan, world } = this;
    if (this.plan.validation_error && this.submits === 0) {
      const message = this.plan.validation_error;
      world.at(world.now_us, () => this.onuncapturederror?.({ error: { message } }));
    }
    this.submits++;
    if (plan.lose_device === this.index && this.submits === plan.lose_after) this.lose('unknown', 'planted');
    const drift = 1 + (plan.drift_per_s * world.now_us) / 1e6;
    const slope = this.gpu.slope_us * drift * (this.slow ? plan.carryover_factor : 1);
    // A single dispatch overlaps with the encoding of the next one; a batch starts when its encoding has ended.
    const each = list.length === 1 && count === 1 ? slope : slope - this.plan.slope_us * plan.cpu_share;
    const beyond = plan.bend_n > 0 ? Math.max(0, Math.min(count, this.unawaited + count - plan.bend_n)) : 0;
    this.unawaited += count;
    this.free_us = Math.max(this.free_us, world.now_us) + each * (count + beyond * (plan.bend_factor - 1));
  }

  /** @returns {Promise<void>} */
  #wait() {
    const { plan, world, gpu } = this;
    if (plan.hang_device === this.index) return new Promise(() => {});
    const begun = world.now_us;
    const work_us = this.unawaited * gpu.slope_us;
    const noise =
      draw(gpu.random, plan.heavy) * plan.noise_us +
      draw(gpu.random, plan.heavy) * plan.noise_relative * work_us +
      (gpu.random() < plan.outlier_share ? plan.outlier_us * (0.5 + gpu.random()) : 0) +
      (gpu.random() < plan.bimodal_share ? (plan.bimodal_factor - 1) * work_us : 0);
    const done_us = Math.max(begun, Math.max(this.free_us, begun) + plan.intercept_us + noise);
    const step = Math.max(plan.poll_us, plan.wait_sleep_us);
    const seen_us = step > 0 ? begun + Math.max(1, Math.ceil((done_us - begun) / step)) * step : done_us;
    return new Promise((resolve) => {
      const entry = {
        done_us,
        resolve: () => {
          if (!this.#waiting.delete(entry)) return;
          this.unawaited = 0;
          this.free_us = Math.min(this.free_us, world.now_us);
          resolve();
        },
      };
      this.#waiting.add(entry);
      world.at(seen_us, entry.resolve);
    });
  }

  /** What a runtime with a poll also does at a submit: it looks for work that is done. */
  #look() {
    if (this.plan.poll_us === 0) return;
    for (const entry of this.#waiting) {
      if (entry.done_us <= this.world.now_us) this.world.at(this.world.now_us, entry.resolve);
    }
  }

  /** @param {FakeEncoder} encoder */
  pass(encoder) {
    this.cost('pass_begin');
    return new FakePass(encoder);
  }
}

export class FakeBuffer {
  /** @type {Map<number, number>} Dispatches that happened, by offset. */
  counts = new Map();
  type = 'f32';
  limit = Infinity;

  /** @param {FakeDevice} device @param {number} size */
  constructor(device, size) {
    this.device = device;
    this.bytes = new Uint8Array(size);
  }

  mapAsync() {
    return this.device.queue.onSubmittedWorkDone();
  }

  getMappedRange() {
    return this.bytes.buffer;
  }

  unmap() {}
}
