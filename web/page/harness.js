// The page that automation drives: reads its run from the address, measures, and sends what it measured. Its state is
// on the document element, where a driver can wait for it without running script in the page.
import { run } from '../core/run.js';
import { browserHost } from '../hosts/browser.js';
import { fetchParams } from './assets.js';
import { Wire } from './wire.js';

const INSECURE =
  'the page is in no secure context, without which there is no WebGPU: it needs https, or an address of this machine';
const query = new URLSearchParams(location.search);
const shown = document.querySelector('#progress');

/** @param {string} state @param {string} text */
function show(state, text) {
  document.documentElement.dataset.state = state;
  if (shown) shown.textContent = text;
}

async function measure() {
  const runId = query.get('run');
  if (!runId) throw new Error('the address names no run');
  show('running', 'starting');
  const wire = new Wire(runId, { onRetry: (reason) => show('running', `sending again: ${reason}`) });
  const build = document.documentElement.dataset.build ?? null;
  const host = await browserHost({ build });
  const finish = await execute(host, wire);
  await wire.finish(finish);
  show(finish.status, `${finish.status}${finish.reason ? `: ${finish.reason}` : ''}`);
}

/**
 * @param {import('../core/types.js').Host} host
 * @param {Wire} wire
 * @returns {Promise<import('../core/contract').Finish>}
 */
async function execute(host, wire) {
  let sent = 0;
  if (!globalThis.isSecureContext) return { status: 'unsupported', reason: INSECURE, parts: 0 };
  try {
    const params = await fetchParams(query.get('suite') ?? 'quick', Number(query.get('seed') ?? 0));
    const drill = query.get('drill');
    if (drill) await (await import('./drills.js')).prepare(drill, host);
    return await run(host, params, {
      part: async (part) => {
        await wire.part(part);
        sent++;
      },
      progress: ({ case_id, index, total, fraction }) =>
        show('running', `${index + 1} of ${total}: ${case_id}, ${Math.round(fraction * 100)} %`),
    });
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 2000);
    return { status: 'failed', reason, parts: sent };
  }
}

measure().catch((error) => show('failed', String(error)));
