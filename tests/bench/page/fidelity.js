// The harness against plain loops, on one page and one device, in random order within each round. The spans are left as
// JSON in the page; what they say is worked out in Python.
import { openStage } from '../../../web/core/device.js';
import { Interrupt } from '../../../web/core/interrupt.js';
import { CONTROLS } from '../../../web/core/kinds/controls.js';
import { limitsOf, prepare } from '../../../web/core/kinds/ladder.js';
import { meter } from '../../../web/core/measure.js';
import { generator, shuffled } from '../../../web/core/random.js';
import { Tally } from '../../../web/core/verify.js';
import { browserHost } from '../../../web/hosts/browser.js';
import { fetchParams } from '../../../web/page/assets.js';
import { plainLoops, plainWait } from './plain.js';

const SPAN_US = 30_000;
const FLOORS = 8;
const STEPS = [1, 2, 4, 8];

const query = new URLSearchParams(location.search);

async function compare() {
  const operation = query.get('operation') ?? 'submit';
  const host = await browserHost();
  const params = await fetchParams('quick', Number(query.get('seed') ?? 0));
  const theCase = params.file.cases.find(({ id }) => id === `${operation}/f32/chained`);
  if (!theCase) throw new Error(`no case of ${operation}`);
  const interrupt = new Interrupt();
  /** @type {import('../../../web/core/types.js').Conditions} */
  const conditions = { quantum_us: 0, wait: 'done', floor_us: 0, polled: false };
  const features = theCase.timestamps ? ['timestamp-query'] : [];
  /** @type {import('../../../web/core/types.js').Context} */
  const context = {
    host,
    params,
    theCase,
    conditions,
    result: { series: [], values: {}, verified: null },
    origin_ms: host.now(),
    random: generator(params.seed),
    interrupt,
    open: () => openStage(host, conditions, interrupt, new Set(), features),
    point: () => {},
    progress: () => {},
  };
  CONTROLS['control/clock'](context);
  await CONTROLS['control/wait'](context);

  const stage = await context.open();
  const { workload, tally, timer, issue } = await prepare(context, stage);
  const measure = meter(context, stage, issue, { tally, timer });
  const { loops, buffer } = plainLoops(stage.device, params.wgsl[workload.kernel.file]);
  const count = new Tally({ ...workload, slots: [{ buffer, offset: 0 }] });
  const loop = loops[operation];
  const nudged = conditions.wait === 'nudged';

  const timers = {
    harness: async (/** @type {number} */ n) => (await measure(n, 0)).done_us,
    plain: async (/** @type {number} */ n) => {
      const start = performance.now();
      loop(n);
      await plainWait(stage.device, nudged);
      const us = (performance.now() - start) * 1000;
      count.add(n);
      return us;
    },
    again: (/** @type {number} */ n) => timers.plain(n),
  };
  const shortest = async (/** @type {number} */ n) => {
    let best = Infinity;
    for (let times = 0; times < 3; times++) best = Math.min(best, await timers.plain(n));
    return best;
  };
  await timers.harness(32);
  await timers.plain(32);
  let top = STEPS[STEPS.length - 1];
  const wanted = Math.max(SPAN_US, FLOORS * conditions.floor_us);
  while (2 * top <= limitsOf(context).max_n && (await shortest(top)) < wanted) top *= 2;

  const names = /** @type {const} */ (['harness', 'plain', 'again']);
  const turns = names.flatMap((name) => STEPS.map((step) => ({ name, step })));
  const spans = [];
  for (let round = 0; round < Number(query.get('rounds') ?? 20); round++) {
    for (const { name, step } of shuffled(turns, context.random)) {
      const n = top / step;
      spans.push({ loop: name, round, n, us: await timers[name](n) });
    }
    document.documentElement.dataset.round = String(round);
  }
  const verified = (await tally.verify(stage)) && (await count.verify(stage));
  stage.check();
  stage.close();
  const { vendor, architecture, device, description } = stage.adapter.info;
  const adapter = device || description || [vendor, architecture].filter(Boolean).join(' ');
  return { adapter, wait: conditions.wait, verified, spans };
}

/** @param {string} state @param {string} text */
function show(state, text) {
  const shown = document.querySelector('#result');
  if (shown) shown.textContent = text;
  document.documentElement.dataset.state = state;
}

compare().then(
  (answer) => show('done', JSON.stringify(answer)),
  (error) => show('failed', String(error)),
);
