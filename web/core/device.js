/** @import { Conditions, Host } from './types.js' */
/** @import { Interrupt } from './interrupt.js' */
import { requestAdapter } from './adapter.js';
import { Failure, Unsupported } from './interrupt.js';

const HANG_MS = 30_000;
const LOOK_MS = 500;

/** Not a feature of the adapter but of the language and the pass: checked where the pass is built. */
export const IMMEDIATES = 'immediates';

/**
 * A fresh adapter and device with what can go wrong on them. What ran before on a device can change the cost of a
 * dispatch fivefold, so a stage serves one case (or one part of one) and is closed.
 */
export class Stage {
  /** @type {string[]} Errors that no scope caught. */
  errors = [];
  #closed = false;

  /**
   * @param {Host} host
   * @param {Conditions} conditions
   * @param {Interrupt} interrupt
   * @param {GPUAdapter} adapter
   * @param {GPUDevice} device
   * @param {number} attempts
   */
  constructor(host, conditions, interrupt, adapter, device, attempts) {
    this.host = host;
    this.conditions = conditions;
    this.interrupt = interrupt;
    this.adapter = adapter;
    this.device = device;
    this.attempts = attempts;
    /** When the GPU last answered, on the host's clock. */
    this.alive_ms = host.now();
    device.lost.then((info) => {
      if (!this.#closed) interrupt.raise(new Failure(`device lost (${info.reason}): ${info.message}`));
    });
    device.onuncapturederror = (event) => {
      this.errors.push(event.error.message);
    };
    void this.#watch();
  }

  get queue() {
    return this.device.queue;
  }

  /** Ends a wait that the GPU never answers, so that a hang costs one case and not the run. */
  async #watch() {
    while (!this.#closed) {
      await this.host.sleep(LOOK_MS);
      if (!this.#closed && this.host.now() - this.alive_ms > HANG_MS) {
        this.interrupt.raise(new Failure(`the GPU did not answer for ${HANG_MS / 1000} s`));
      }
    }
  }

  /**
   * Runs set-up work within error scopes, where time does not matter.
   *
   * @template T
   * @param {string} what Named in the failure.
   * @param {() => T | Promise<T>} work
   * @returns {Promise<T>}
   * @throws {Failure} With the implementation's message.
   */
  async scoped(what, work) {
    this.device.pushErrorScope('out-of-memory');
    this.device.pushErrorScope('validation');
    const made = await work();
    const popped = [this.device.popErrorScope(), this.device.popErrorScope()];
    for (const error of await this.interrupt.guard(Promise.all(popped))) {
      if (error) throw new Failure(`${what}: ${error.message}`);
    }
    return made;
  }

  /** @throws {Failure} Where an error came that no scope caught. */
  check() {
    this.interrupt.check();
    if (this.errors.length > 0) throw new Failure(this.errors[0]);
  }

  close() {
    this.#closed = true;
    this.device.onuncapturederror = null;
    this.device.destroy();
  }
}

/**
 * Opens a stage with the features a case needs and those of `wished` that the adapter has.
 *
 * @param {Host} host
 * @param {Conditions} conditions
 * @param {Interrupt} interrupt
 * @param {Iterable<string>} needed
 * @param {readonly string[]} wished
 * @throws {Unsupported} Where a needed feature is missing.
 */
export async function openStage(host, conditions, interrupt, needed, wished) {
  const { adapter, attempts } = await requestAdapter(host, interrupt);
  const features = new Set(wished.filter((name) => adapter.features.has(name)));
  for (const name of needed) {
    if (name === IMMEDIATES) {
      if (!host.gpu.wgslLanguageFeatures?.has('immediate_address_space')) {
        throw new Unsupported('the runtime has no immediate data (immediate_address_space)');
      }
    } else if (adapter.features.has(name)) features.add(name);
    else throw new Unsupported(`the adapter has no ${name}`);
  }
  const requiredFeatures = /** @type {GPUFeatureName[]} */ ([...features]);
  const device = await interrupt.guard(adapter.requestDevice({ requiredFeatures }));
  return new Stage(host, conditions, interrupt, adapter, device, attempts);
}
