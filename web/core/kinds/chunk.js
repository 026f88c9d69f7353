/** @import { Context, Sample } from '../types.js' */
import { meter } from '../measure.js';
import { shuffled } from '../random.js';
import { prepare } from './ladder.js';

const MULTIPLES = [1, 2, 4];
/** For runtimes where a round of all multiples would be most of the budget. */
const FEW_MULTIPLES = [1, 2];
const LEAST_ROUNDS = 2;

/**
 * The same number of dispatches with 1, 2, 4 ... of them in one submit, for the best batching. Totals are multiples of
 * the largest chunk, so that every chunk divides them.
 *
 * @param {Context} context
 */
export async function chunk(context) {
  const { host, params, theCase, result } = context;
  const stage = await context.open();
  const { tally, issue } = await prepare(context, stage);
  const most = theCase.max_n ?? 1024;
  const sizes = [];
  for (let size = 1; size <= most; size *= 2) sizes.push(size);
  const series = new Map(sizes.map((size) => [size, /** @type {Sample[]} */ ([])]));
  const meters = new Map(
    sizes.map((size) => {
      const chunks = (/** @type {number} */ n) => {
        for (let left = n; left > 0; left -= size) issue(size);
      };
      return [size, meter(context, stage, chunks, { tally })];
    }),
  );
  for (const [size, samples] of series) result.series.push({ label: String(size), samples });
  const begun = host.now();
  const { budget_us, max_rounds } = params.limits;
  const spent = () => (host.now() - begun) * 1000;
  for (const [, measure] of meters) await measure(most, 0);
  const multiples = spent() < budget_us / 10 ? MULTIPLES : FEW_MULTIPLES;
  const spans = sizes.flatMap((size) => multiples.map((multiple) => ({ size, n: multiple * most })));
  for (let rep = 0; rep < LEAST_ROUNDS || (rep < max_rounds && spent() < budget_us); rep++) {
    for (const { size, n } of shuffled(spans, context.random)) {
      const sample = await /** @type {import('../measure.js').Meter} */ (meters.get(size))(n, rep);
      series.get(size)?.push(sample);
      context.point(String(size), sample);
    }
    context.progress(Math.min(1, spent() / budget_us));
    await context.interrupt.guard(host.sleep(0));
  }
  result.verified = await tally.verify(stage);
  stage.check();
}
