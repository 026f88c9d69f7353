/** @import { Climbed } from './plan.js' */
/** @import { Context, Sample, Series, Values } from './types.js' */
/** @import { Limits } from './params.js' */
/** @import { Meter } from './measure.js' */
import { Rounds, chooseRungs, nextClimb, targetSpan } from './plan.js';

const WARM_UP = [1, 1, 32];
const CONFIRMATIONS = 3;

/**
 * Times one operation over a ladder of N: warms up, climbs until spans are long enough, then repeats the rungs in
 * random order until the slope is narrow enough or the budget is spent.
 *
 * @param {Context} context
 * @param {Meter} measure
 * @param {Limits} limits
 * @param {string | null} label
 * @returns {Promise<Values>} What the plan came to. The series is in the context's result, as far as it got.
 */
export async function runLadder(context, measure, limits, label) {
  const { host, conditions, random } = context;
  /** @type {Series} */
  const series = { label, samples: [], n_bend: null, stopped: null };
  context.result.series.push(series);
  const begun = host.now();
  const spent = () => (host.now() - begun) * 1000;

  for (const n of WARM_UP) await measure(Math.min(n, limits.max_n), 0);
  const target_us = targetSpan(conditions, limits);
  const climbed = await climb(measure, target_us, limits);
  const { rungs, n_low, n_top } = chooseRungs(climbed, target_us, conditions, limits);
  const rounds = new Rounds(rungs, n_low, conditions);

  do {
    /** @type {Sample[]} */
    const round = [];
    for (const n of rounds.order(random)) {
      const sample = await measure(n, rounds.count);
      round.push(sample);
      series.samples.push(sample);
      context.point(label, sample);
    }
    rounds.add(round);
    const bend = rounds.bend();
    if (bend !== null) {
      series.n_bend = bend;
      rounds.dropFrom(bend);
    }
    series.stopped = rounds.stop(spent(), limits);
    context.progress(Math.min(1, Math.max(spent() / limits.budget_us, rounds.count / limits.max_rounds)));
    // A turn of the event loop between rounds, so that a page can draw and a cancellation arrive.
    await context.interrupt.guard(host.sleep(0));
  } while (series.stopped === null);

  return { n_low, n_top, target_us: Math.round(target_us), rounds: rounds.count };
}

/**
 * Doubles N until the span is long enough. A span that would end the climb is timed again, and the shortest counts: one
 * interruption by the system must not leave the whole ladder too low.
 *
 * @param {Meter} measure
 * @param {number} target_us
 * @param {Limits} limits
 */
async function climb(measure, target_us, limits) {
  /** @type {Climbed[]} */
  const climbed = [];
  for (let n = /** @type {number | null} */ (1); n !== null; ) {
    const last = { n, span_us: Infinity };
    for (let times = 0; times < CONFIRMATIONS && nextClimb(last, target_us, limits) === null; times++) {
      last.span_us = Math.min(last.span_us, (await measure(n, 0)).done_us);
    }
    climbed.push(last);
    n = nextClimb(last, target_us, limits);
  }
  return climbed;
}
