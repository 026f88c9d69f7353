/** @import { Attention, Host } from '../core/types.js' */

/**
 * The browser as a host for the core.
 *
 * @param {{ build?: string | null }} [options]
 * @returns {Promise<Host>} With `gpu` undefined where the browser has no WebGPU.
 */
export async function browserHost({ build = null } = {}) {
  const battery = await readBattery();
  return {
    gpu: navigator.gpu,
    now: () => performance.now(),
    isolated: globalThis.crossOriginIsolated === true,
    sleep: sleeper(),
    attention: watchAttention(),
    page: () => ({
      user_agent: navigator.userAgent,
      isolated: globalThis.crossOriginIsolated === true,
      visible: document.visibilityState === 'visible',
      focused: document.hasFocus(),
      hardware_concurrency: navigator.hardwareConcurrency ?? null,
      build,
      battery,
    }),
  };
}

/**
 * Timers that are set within timers are slowed down to 4 ms; a hop over a message channel makes each the first one.
 *
 * @returns {Host['sleep']}
 */
function sleeper() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  const hop = (/** @type {() => void} */ resume) => {
    waiting.push(resume);
    port2.postMessage(null);
  };
  return (ms) => new Promise((resolve) => (ms > 0 ? setTimeout(() => hop(resolve), ms) : hop(resolve)));
}

/**
 * Adds up how long the page was hidden and how long it was without focus.
 *
 * @returns {() => Attention}
 */
function watchAttention() {
  const total = { hidden_ms: 0, unfocused_ms: 0 };
  let last = performance.now();
  let hidden = document.visibilityState === 'hidden';
  let unfocused = !document.hasFocus();
  const note = () => {
    const now = performance.now();
    if (hidden) total.hidden_ms += now - last;
    if (unfocused) total.unfocused_ms += now - last;
    last = now;
    hidden = document.visibilityState === 'hidden';
    unfocused = !document.hasFocus();
    return { ...total };
  };
  document.addEventListener('visibilitychange', note);
  addEventListener('focus', note);
  addEventListener('blur', note);
  return note;
}

/** @returns {Promise<string | null>} */
async function readBattery() {
  try {
    const battery = await /** @type {any} */ (navigator).getBattery?.();
    return battery ? (battery.charging ? 'charging' : 'discharging') : null;
  } catch {
    return null;
  }
}
