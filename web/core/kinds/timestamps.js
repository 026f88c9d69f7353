/** @import { Context } from '../types.js' */
import { meter, rounded } from '../measure.js';
import { operation } from '../operations.js';
import { GpuTimer } from '../timestamps.js';
import { buildWorkload } from '../workload.js';

const LENGTHS = [1, 10, 100, 1000];
const REPETITIONS = 6;

/**
 * Timestamp queries, examined: their step, and whether they are zero, negative, or in a unit that cannot be right.
 *
 * @param {Context} context
 */
export async function timestamps(context) {
  const { result, params, theCase } = context;
  const stage = await context.open();
  const workload = await buildWorkload(stage, params, theCase);
  const timer = new GpuTimer(stage);
  const issue = operation(stage, workload, { ...theCase, operation: 'dispatches' }, 1, timer);
  const measure = meter(context, stage, issue);
  /** @type {number[]} */
  const stamps = [];
  const seen = { zeros: 0, negatives: 0, beyond: 0, pairs: 0 };
  for (let rep = 0; rep < REPETITIONS; rep++) {
    for (const n of LENGTHS) {
      const { done_us } = await measure(n, rep);
      const [begin, end] = await timer.read();
      stamps.push(begin, end);
      seen.pairs++;
      if (begin === 0 || end === 0) seen.zeros++;
      else if (end < begin) seen.negatives++;
      else if ((end - begin) / 1000 > 1.5 * done_us + 1000) seen.beyond++;
    }
    context.progress((rep + 1) / REPETITIONS);
  }
  const sorted = [...new Set(stamps)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((stamp, index) => stamp - sorted[index]);
  const step_us = steps.length > 0 ? rounded(Math.min(...steps) / 1000) : null;
  result.values = {
    valid: seen.zeros + seen.negatives + seen.beyond === 0 && step_us !== null,
    step_us,
    zeros: seen.zeros,
    negatives: seen.negatives,
    pairs: seen.pairs,
    period_note: seen.beyond > 0 ? `${seen.beyond} spans longer than the wall clock's: the unit is not nanoseconds` : 'ns',
  };
  stage.check();
}
