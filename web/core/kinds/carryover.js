/** @import { Context } from '../types.js' */
/** @import { Stage } from '../device.js' */
import { runLadder } from '../ladder.js';
import { meter } from '../measure.js';
import { operation } from '../operations.js';
import { limitsOf, prepare } from './ladder.js';

const LADDERS = 3;
/** The ladders stay well below the batch, which must be the only large thing the device has seen. */
const LARGEST = 2048;

/**
 * The same submits before and after one large batch of passes on one device, then on a new device: what a device
 * remembers of its past.
 *
 * @param {Context} context
 */
export async function carryover(context) {
  const { theCase, result } = context;
  const most = theCase.max_n ?? 4000;
  const limits = { ...limitsOf(context, 1 / LADDERS), max_n: Math.min(LARGEST, most) };
  let fraction = 0;
  const third = { ...context, progress: (/** @type {number} */ part) => context.progress((fraction + part) / LADDERS) };
  /** @param {Stage} stage @param {boolean} loaded */
  const visit = async (stage, loaded) => {
    const { workload, tally, issue } = await prepare(context, stage);
    const measure = meter(third, stage, issue, { tally });
    await runLadder(third, measure, limits, loaded ? 'before' : 'new device');
    fraction++;
    if (loaded) {
      const passes = operation(stage, workload, { ...theCase, operation: 'passes' }, 1, null);
      const batch = await meter(context, stage, passes, { tally })(most, 0);
      result.values = { batch_passes: most, batch_us: batch.done_us };
      await runLadder(third, measure, limits, 'after');
      fraction++;
    }
    const verified = await tally.verify(stage);
    result.verified = result.verified !== false && verified;
    stage.check();
    stage.close();
  };
  await visit(await context.open(), true);
  await visit(await context.open(), false);
}
