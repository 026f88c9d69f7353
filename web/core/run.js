/** @import { Case, CasePart, Conditions, Context, EnvironmentPart, Host } from './types.js' */
/** @import { PointEvent, ProgressEvent, Result, Signal } from './types.js' */
/** @import { Params } from './params.js' */
import { describeAdapter, requestAdapter } from './adapter.js';
import { openStage } from './device.js';
import { Cancelled, Failure, Interrupt, Unsupported } from './interrupt.js';
import { CONTROLS } from './kinds/controls.js';
import { carryover } from './kinds/carryover.js';
import { chunk } from './kinds/chunk.js';
import { ladder } from './kinds/ladder.js';
import { naive } from './kinds/naive.js';
import { phases } from './kinds/phases.js';
import { trace } from './kinds/trace.js';
import { rounded } from './measure.js';
import { generator } from './random.js';

const REASON_LENGTH = 2000;

/** @type {Record<Case['kind'], (context: Context) => void | Promise<void>>} */
const KINDS = {
  control: (context) => CONTROLS[context.theCase.id](context),
  naive,
  ladder,
  phases,
  trace,
  chunk,
  carryover,
};

/**
 * @typedef {object} Hooks
 * @property {(part: EnvironmentPart | CasePart) => void | Promise<void>} part Awaited, so that sending never overlaps
 *   with measuring.
 * @property {(event: ProgressEvent) => void} [progress]
 * @property {(event: PointEvent) => void} [point]
 */

/** @typedef {import('./contract').Finish} Finish */

/**
 * Executes a suite once.
 *
 * @param {Host} host
 * @param {Readonly<Params>} params
 * @param {Hooks} hooks
 * @param {Signal} [signal] Cancels the run; the case in flight is sent as far as it got.
 * @returns {Promise<Finish>} How the run ended. Only what `hooks.part` throws is thrown.
 */
export async function run(host, params, hooks, signal) {
  return new Run(host, params, hooks, signal).execute();
}

class Run {
  /** @type {Conditions} */
  #conditions = { quantum_us: 0, wait: 'done', floor_us: 0, polled: false };
  #sequence = 0;
  #measured = 0;
  #adapter = '';
  /** @type {string | null} */
  #problem = null;

  /**
   * @param {Host} host
   * @param {Readonly<Params>} params
   * @param {Hooks} hooks
   * @param {Signal} [signal]
   */
  constructor(host, params, hooks, signal) {
    this.host = host;
    this.params = params;
    this.hooks = hooks;
    this.signal = signal;
    this.origin_ms = host.now();
    this.interrupt = new Interrupt();
    const cancel = () => this.interrupt.raise(new Cancelled());
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted) cancel();
  }

  /** @returns {Promise<Finish>} */
  async execute() {
    if (!this.host.gpu) return this.#finish('unsupported', 'the runtime has no WebGPU');
    try {
      const { adapter, attempts } = await requestAdapter(this.host, this.interrupt);
      await this.#environment(adapter, attempts);
    } catch (error) {
      if (error instanceof Cancelled) return this.#finish('cancelled', 'cancelled');
      if (error instanceof Failure) return this.#finish('unsupported', error.message);
      throw error;
    }
    const { cases, repeated } = this.params;
    const plan = cases.map((theCase) => ({ theCase, repeat: false }));
    if (repeated) plan.push({ theCase: repeated, repeat: true });
    for (const [index, { theCase, repeat }] of plan.entries()) {
      if (this.signal?.aborted) break;
      await this.#case(theCase, repeat, index, plan.length);
    }
    if (this.signal?.aborted) return this.#finish('cancelled', 'cancelled');
    if (this.#measured === 0) return this.#finish('failed', this.#problem ?? 'nothing could be measured');
    return this.#finish('finished', null);
  }

  /**
   * @param {Finish['status']} status
   * @param {string | null} reason
   * @returns {Finish}
   */
  #finish(status, reason) {
    return { status, reason: reason?.slice(0, REASON_LENGTH) ?? null, parts: this.#sequence };
  }

  /**
   * Sends the environment, and again where a later adapter turns out to be another one.
   *
   * @param {GPUAdapter} adapter
   * @param {number} attempts
   */
  async #environment(adapter, attempts) {
    const description = describeAdapter(adapter, attempts);
    const { vendor, architecture, device, description: text, software } = description;
    const name = JSON.stringify([vendor, architecture, device, text, software]);
    if (name === this.#adapter) return;
    this.#adapter = name;
    await this.hooks.part({
      kind: 'environment',
      sequence: this.#sequence++,
      runtime_version: this.host.runtime_version ?? null,
      adapter: description,
      page: this.host.page?.() ?? null,
      libraries: this.host.libraries ?? {},
    });
  }

  /**
   * @param {Case} theCase
   * @param {boolean} repeat
   * @param {number} index
   * @param {number} total
   */
  async #case(theCase, repeat, index, total) {
    const { host, hooks } = this;
    // Each case has an interrupt of its own, so that what ended the last one does not end this one.
    this.interrupt = new Interrupt();
    const started = host.now();
    const before = host.attention?.();
    /** @type {Result} */
    const result = { series: [], values: {}, verified: null };
    /** @type {import('./device.js').Stage[]} */
    const stages = [];
    const progress = (/** @type {number} */ fraction) =>
      hooks.progress?.({ case_id: theCase.id, index, total, fraction });
    progress(0);
    const context = {
      host,
      params: this.params,
      theCase,
      conditions: this.#conditions,
      result,
      origin_ms: this.origin_ms,
      random: generator(this.params.seed ^ Math.imul(index + 1, 0x9e3779b1)),
      interrupt: this.interrupt,
      open: async () => {
        const stage = await openStage(host, this.#conditions, this.interrupt, ...this.#features(theCase));
        stages.push(stage);
        await this.#environment(stage.adapter, stage.attempts);
        return stage;
      },
      point: (/** @type {string | null} */ label, /** @type {import('./types.js').Sample} */ sample) =>
        hooks.point?.({ case_id: theCase.id, repeat, label, sample }),
      progress,
    };
    const outcome = await attempt(() => KINDS[theCase.kind](context));
    for (const stage of stages) stage.close();
    if (outcome.status === 'measured' && theCase.kernel) this.#measured++;
    if (outcome.status === 'failed') this.#problem ??= `${theCase.id}: ${outcome.reason}`;
    result.series = result.series.filter(({ samples }) => samples.length > 0);
    for (const series of result.series) {
      if (outcome.status === 'cancelled') series.stopped ??= 'cancelled';
      if (outcome.status === 'failed') series.stopped ??= 'failed';
    }
    const after = host.attention?.();
    await hooks.part({
      kind: 'case',
      sequence: this.#sequence++,
      case_id: theCase.id,
      repeat,
      ...outcome,
      ...result,
      started_us: rounded((started - this.origin_ms) * 1000),
      duration_ms: rounded(host.now() - started),
      hidden_ms: before && after ? rounded(after.hidden_ms - before.hidden_ms) : null,
      unfocused_ms: before && after ? rounded(after.unfocused_ms - before.unfocused_ms) : null,
    });
    progress(1);
  }

  /**
   * What a case needs of the adapter, and what it would like.
   *
   * @param {Case} theCase
   * @returns {[Set<string>, string[]]}
   */
  #features(theCase) {
    const kernel = theCase.kernel ? this.params.file.kernels[theCase.kernel] : null;
    const needed = new Set([...(theCase.features ?? []), ...(kernel?.features ?? [])]);
    return [needed, theCase.timestamps ? ['timestamp-query'] : []];
  }
}

/**
 * Runs a case and says in the contract's words how it went.
 *
 * @param {() => void | Promise<void>} measure
 * @returns {Promise<{ status: CasePart['status'], reason: string | null }>}
 */
async function attempt(measure) {
  try {
    await measure();
    return { status: 'measured', reason: null };
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_LENGTH);
    if (error instanceof Cancelled) return { status: 'cancelled', reason };
    return { status: error instanceof Unsupported ? 'unsupported' : 'failed', reason };
  }
}
