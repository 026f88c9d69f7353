// The page on which a volunteer measures the own browser: the same core as automation, with a person in front of it.
import { run } from '../core/run.js';
import { browserHost } from '../hosts/browser.js';
import { fetchParams } from './assets.js';
import { LivePlot } from './live.js';
import { describe } from './result.js';
import { Wire } from './wire.js';

const LADDER_SHARE = 0.999;

/** @template {Element} T @param {string} selector @returns {T} */
function find(selector) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`the page lacks ${selector}`);
  return /** @type {T} */ (element);
}

/** @type {HTMLElement} */
const root = find('#bench');
/** @type {HTMLButtonElement} */
const start = find('#start');
/** @type {HTMLButtonElement} */
const cancel = find('#cancel');
/** @type {HTMLProgressElement} */
const bar = find('#progress');
const text = find('#progress-text');
const plot = new LivePlot(find('#live'));
const host = await browserHost({ build: root.dataset.build ?? null });

/** @param {string} words @param {'' | 'bad' | 'hint'} state */
function check(words, state) {
  const item = document.createElement('li');
  item.className = state;
  item.textContent = words;
  find('#checks').append(item);
}

/** What the browser brings along, said before anything is measured. */
async function checks() {
  if (!host.gpu) {
    check(`This browser has no WebGPU here: navigator.gpu is missing. ${enabling(navigator.userAgent)}`, 'bad');
    return false;
  }
  const adapter = await host.gpu.requestAdapter({ powerPreference: 'high-performance' });
  const { vendor = '', architecture = '', description = '', isFallbackAdapter = false } = adapter?.info ?? {};
  const name = [vendor, architecture, description].filter(Boolean).join(' ');
  if (!adapter) check('WebGPU is there, but no adapter answers yet; measuring will go on asking for some seconds.', 'hint');
  else if (isFallbackAdapter) check(`Software adapter${name ? ` (${name})` : ''}: the CPU stands in for a GPU.`, 'hint');
  else check(`WebGPU on ${name || 'an adapter that the browser does not name'}.`, '');
  if (host.isolated) check('The page is isolated, so the clock is fine.', '');
  else check('The page is not isolated, so the clock is coarse: open it over https or on localhost.', 'hint');
  if (host.page?.().battery === 'discharging') check('On battery: many machines slow down. Plug in if you can.', 'hint');
  if (document.visibilityState !== 'visible') check('Keep this tab in front while it measures.', 'hint');
  return true;
}

/** @param {string} agent What the browser says of itself; it only chooses the advice. */
function enabling(agent) {
  if (/Firefox\//.test(agent)) return 'In about:config set dom.webgpu.enabled to true, then restart Firefox.';
  if (/Chrome\//.test(agent)) return 'Update the browser; on Linux start it with --enable-unsafe-webgpu.';
  if (/Safari\//.test(agent)) return 'Safari has it from version 26 on; update the system.';
  return 'A current Chrome, Edge, Firefox or Safari has it.';
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function measure() {
  const suite = /** @type {HTMLSelectElement} */ (find('#suite')).value;
  const random = crypto.getRandomValues(new Uint8Array(20));
  const seed = new DataView(random.buffer).getUint32(16);
  const wire = new Wire(hex(random.subarray(0, 16)), { onRetry: (why) => tell(`sending again: ${why}`) });
  const params = await fetchParams(suite, seed);
  const opened = {
    schema_version: /** @type {const} */ (1),
    run_id: wire.runId,
    origin: /** @type {const} */ ('volunteer'),
    suite: { name: suite, hash: root.dataset.suiteHash ?? '' },
    seed,
    created_at: new Date().toISOString(),
  };
  await wire.start(opened);
  /** @type {unknown[]} */
  const parts = [];
  const stop = new AbortController();
  cancel.onclick = () => stop.abort();
  const begun = performance.now();
  let shown = '';
  const finish = await run(
    host,
    params,
    {
      part: async (part) => {
        parts.push(part);
        await wire.part(part);
      },
      progress: ({ case_id, index, total, fraction }) => {
        const share = (index + fraction) / total;
        bar.value = share;
        tell(`${case_id}, ${index + 1} of ${total}${left(begun, share)}`);
      },
      point: ({ case_id, label, sample }) => {
        const now = label ? `${case_id}, ${label}` : case_id;
        if (now !== shown) plot.clear();
        shown = now;
        find('#live-caption').textContent = `T(N) of ${now}: the time of a span of N operations, as it is measured.`;
        plot.add(sample.n, sample.done_us);
      },
    },
    stop.signal,
  );
  const report = await wire.finish(finish);
  keep({ start: opened, parts, finish });
  return report;
}

/** @param {number} begun @param {number} share */
function left(begun, share) {
  if (share < 0.1 || share > LADDER_SHARE) return '';
  const seconds = ((performance.now() - begun) / 1000) * (1 / share - 1);
  return `, about ${Math.max(1, Math.round(seconds))} s left`;
}

/** @param {string} words */
function tell(words) {
  text.textContent = words;
}

/** Shows the exact document, and offers it as a file. @param {unknown} document_ */
function keep(document_) {
  const json = JSON.stringify(document_, null, 1);
  find('#document').textContent = json;
  const link = /** @type {HTMLAnchorElement} */ (find('#download'));
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }));
  /** @type {HTMLElement} */ (find('#sent')).hidden = false;
}

/** @param {boolean} busy */
function busy(busy) {
  start.disabled = busy;
  cancel.hidden = !busy;
  /** @type {HTMLElement} */ (find('#running')).hidden = !busy;
}

find('#choice').addEventListener('submit', async (event) => {
  event.preventDefault();
  busy(true);
  const result = /** @type {HTMLElement} */ (find('#result'));
  result.hidden = true;
  try {
    result.replaceChildren(...describe(await measure()));
  } catch (error) {
    const problem = document.createElement('p');
    problem.className = 'warning';
    problem.textContent = `It did not work: ${error instanceof Error ? error.message : error}`;
    result.replaceChildren(problem);
  }
  busy(false);
  result.hidden = false;
});

start.disabled = !(await checks());
