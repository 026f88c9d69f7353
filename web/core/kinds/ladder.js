/** @import { Context } from '../types.js' */
/** @import { Stage } from '../device.js' */
/** @import { Limits } from '../params.js' */
import { runLadder } from '../ladder.js';
import { meter } from '../measure.js';
import { operation } from '../operations.js';
import { GpuTimer } from '../timestamps.js';
import { Tally } from '../verify.js';
import { buildWorkload } from '../workload.js';
import { PAPER_N } from '../plan.js';

const PLAIN_SPANS = 3;

/**
 * The operation of a case on a stage, ready to be timed, with what checks it.
 *
 * @param {Context} context
 * @param {Stage} stage
 */
export async function prepare(context, stage) {
  const { params, theCase } = context;
  const workload = await buildWorkload(stage, params, theCase);
  const tally = new Tally(workload);
  const timed = theCase.timestamps && stage.device.features.has('timestamp-query');
  const timer = timed ? new GpuTimer(stage) : null;
  const issue = operation(stage, workload, theCase, params.file.workload.command_buffers_per_submit ?? 512, timer);
  // Once within error scopes: what the timed loop would do wrong shows here, with the implementation's own words.
  await stage.scoped(theCase.id, () => issue(2));
  tally.add(2);
  return { workload, tally, timer, issue };
}

/** The limits of a case's ladder. @param {Context} context @param {number} [share] Of the budget. @returns {Limits} */
export function limitsOf({ params, theCase }, share = 1) {
  const { limits } = params;
  return { ...limits, budget_us: limits.budget_us * share, max_n: theCase.max_n ?? 16384 };
}

/**
 * N operations and one wait, over a ladder of N.
 *
 * @param {Context} context
 */
export async function ladder(context) {
  const { result, conditions } = context;
  const stage = await context.open();
  const { tally, timer, issue } = await prepare(context, stage);
  result.values = await runLadder(context, meter(context, stage, issue, { tally, timer }), limitsOf(context), null);
  if (timer) result.values.gpu_invalid = timer.invalid;
  if (conditions.wait !== 'done') {
    // What the paper would report here: the same N = 100 with the plain wait, under its own label, never mixed in.
    const plain = meter(context, stage, issue, { wait: 'done', tally, timer: null });
    const samples = [];
    for (let rep = 0; rep < PLAIN_SPANS; rep++) samples.push(await plain(PAPER_N, rep));
    result.series.push({ label: 'done', samples });
  }
  result.verified = await tally.verify(stage);
  stage.check();
}
