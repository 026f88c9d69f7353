/** @import { Context, Sample, WaitMode } from '../types.js' */
import { detectPoll, examineClock, spin } from '../clock.js';
import { runLadder } from '../ladder.js';
import { meter, rounded } from '../measure.js';
import { median } from '../middle.js';
import { limitsOf } from './ladder.js';
import { timestamps } from './timestamps.js';

/** A wait longer than this on an empty queue is worth a try with nudges. */
const SLOW_WAIT_US = 5000;
const WAITS = 25;
const SLOW_WAITS = 4;
const PROBES = 3;
const SPINS = 12;
const MOST_UNITS = 1_000_000;

/** The controls by case id. @type {Record<string, (context: Context) => void | Promise<void>>} */
export const CONTROLS = {
  'control/clock': clock,
  'control/spin': spinning,
  'control/wait': waiting,
  'control/submit': emptySubmits,
  'control/timestamps': timestamps,
};

/** @param {Context} context */
function clock({ host, conditions, result }) {
  const readings = examineClock(host.now);
  conditions.quantum_us = readings.quantum_us;
  result.values = {
    quantum_us: rounded(readings.quantum_us),
    jitter_us: rounded(readings.jitter_us),
    call_overhead_us: rounded(readings.call_overhead_us),
    monotonic: readings.monotonic,
    isolated: host.isolated,
  };
}

/** @param {Context} context */
async function spinning(context) {
  const { host, conditions, result, origin_ms } = context;
  const wanted_us = Math.min(20_000, Math.max(5000, 100 * conditions.quantum_us));
  const once = (/** @type {number} */ units) => {
    const start = host.now();
    const state = spin(units);
    return { start, span_us: (host.now() - start) * 1000, state };
  };
  let units = 1000;
  while (once(units).span_us < wanted_us && units < MOST_UNITS) units = Math.min(units * 2, MOST_UNITS);
  /** @type {Sample[]} */
  const samples = [];
  for (let rep = 0; rep < SPINS; rep++) {
    const { start, span_us } = once(units);
    const start_us = rounded((start - origin_ms) * 1000);
    // Nothing is awaited here; the contract wants a wait mode of every sample.
    samples.push({ n: units, rep, wait: 'done', start_us, encoded_us: rounded(span_us), done_us: rounded(span_us) });
    await context.interrupt.guard(host.sleep(0));
  }
  result.series.push({ label: null, samples });
  result.values = { us_per_unit: median(samples.map((sample) => sample.done_us)) / units };
}

/**
 * The wait on an empty queue by each mode, and the choice of the run's mode: plain waits, unless they are slow and
 * nudged ones take less than half.
 *
 * @param {Context} context
 */
async function waiting(context) {
  const { conditions, result } = context;
  const stage = await context.open();
  const nothing = () => {};
  /** @type {Partial<Record<WaitMode, number>>} */
  const floors = {};
  let poll_us = null;
  for (const mode of /** @type {WaitMode[]} */ (['done', 'map', 'nudged'])) {
    const measure = meter(context, stage, nothing, { wait: mode });
    /** @type {Sample[]} */
    const samples = [];
    result.series.push({ label: mode, samples });
    await measure(0, 0);
    const spans = () => samples.map((sample) => sample.done_us);
    const enough = () => (median(spans()) > SLOW_WAIT_US ? SLOW_WAITS : WAITS);
    while (samples.length < PROBES || samples.length < enough()) samples.push(await measure(0, samples.length));
    floors[mode] = median(spans());
    if (mode === 'done') poll_us = detectPoll(spans());
  }
  const done = floors.done ?? 0;
  const nudged = floors.nudged ?? Infinity;
  conditions.wait = done > SLOW_WAIT_US && nudged < done / 2 ? 'nudged' : 'done';
  conditions.floor_us = conditions.wait === 'nudged' ? nudged : done;
  conditions.polled = done > SLOW_WAIT_US;
  result.values = {
    floor_done_us: floors.done ?? null,
    floor_map_us: floors.map ?? null,
    floor_nudged_us: floors.nudged ?? null,
    poll_us,
    wait_mode: conditions.wait,
  };
  stage.check();
}

/**
 * Submits of nothing: the queue's own cost.
 *
 * @param {Context} context
 */
async function emptySubmits(context) {
  const stage = await context.open();
  const { queue } = stage;
  const issue = (/** @type {number} */ n) => {
    for (let index = 0; index < n; index++) queue.submit([]);
  };
  const small = { ...limitsOf(context, 0.25), rungs: 5, min_rounds: 3, max_rounds: 12 };
  context.result.values = await runLadder(context, meter(context, stage, issue), small, null);
  stage.check();
}
