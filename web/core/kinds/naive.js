/** @import { Context, Series } from '../types.js' */
import { meter } from '../measure.js';
import { prepare } from './ladder.js';

const MOST = 200;
const LEAST = 5;
const WARM_UP = 3;
const SHARE = 0.3;

/**
 * One operation and a wait, each time: what naive timing reports. It waits as naive timing does, even on a poll.
 *
 * @param {Context} context
 */
export async function naive(context) {
  const { host, params, conditions, result } = context;
  const stage = await context.open();
  const { tally, issue } = await prepare(context, stage);
  const measure = meter(context, stage, issue, { wait: 'done', tally });
  for (let round = 0; round < (conditions.polled ? 1 : WARM_UP); round++) await measure(1, 0);
  /** @type {Series} */
  const series = { label: null, samples: [] };
  result.series.push(series);
  const begun = host.now();
  const spent = () => (host.now() - begun) * 1000;
  const budget_us = params.limits.budget_us * SHARE;
  while (series.samples.length < LEAST || (series.samples.length < MOST && spent() < budget_us)) {
    const sample = await measure(1, series.samples.length);
    series.samples.push(sample);
    context.point(null, sample);
    context.progress(Math.min(1, spent() / budget_us));
  }
  series.stopped = series.samples.length < MOST ? 'budget' : 'rounds';
  result.verified = await tally.verify(stage);
  stage.check();
}
