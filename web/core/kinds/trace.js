/** @import { Context, Sample } from '../types.js' */
import { meter, rounded } from '../measure.js';
import { settle, waits } from '../wait.js';
import { prepare } from './ladder.js';

const REPETITIONS = 4;
const CALIBRATION = 64;
/** A trace may last this many ordinary spans: it has to reach the back-pressure that ladders stay below. */
const CAPS = 3;

/**
 * A time stamp after each of N submits: where the queue pushes back, the steps between the stamps grow.
 *
 * @param {Context} context
 */
export async function trace(context) {
  const { host, params, theCase, conditions, result, origin_ms } = context;
  const stage = await context.open();
  const { tally, issue } = await prepare(context, stage);
  const wait = waits(stage)[conditions.wait];
  const calibrate = meter(context, stage, issue, { tally });
  await calibrate(CALIBRATION, 0);
  const { done_us } = await calibrate(CALIBRATION, 1);
  const per_operation_us = Math.max(done_us - conditions.floor_us, 1) / CALIBRATION;
  const affordable = Math.floor((CAPS * params.limits.cap_us) / per_operation_us);
  const n = Math.max(1, Math.min(theCase.max_n ?? 8192, affordable));
  /** @type {Sample[]} */
  const samples = [];
  result.series.push({ label: null, samples });
  const stamps = new Float64Array(n);
  for (let rep = 0; rep < REPETITIONS; rep++) {
    stage.alive_ms = host.now();
    const start = host.now();
    for (let index = 0; index < n; index++) {
      issue(1);
      stamps[index] = host.now();
    }
    const done = await stage.interrupt.guard(wait());
    for (let index = 0; index < n; index++) tally.add(1);
    const since = (/** @type {number} */ at) => rounded((at - start) * 1000);
    const sample = {
      n,
      rep,
      wait: conditions.wait,
      start_us: rounded((start - origin_ms) * 1000),
      encoded_us: since(stamps[n - 1]),
      done_us: since(done),
      stamps_us: Array.from(stamps, (at) => Math.round(since(at) * 10) / 10),
    };
    samples.push(sample);
    context.point(null, { ...sample, stamps_us: null });
    context.progress((rep + 1) / REPETITIONS);
    await settle(stage, host.sleep(0));
    stage.check();
  }
  result.verified = await tally.verify(stage);
  stage.check();
}
