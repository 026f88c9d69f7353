/** @import { CasePart, EnvironmentPart } from '../core/types.js' */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
const PATIENCE_MS = 5 * 60_000;

/** The server refused a document, or could not be reached for as long as it is worth waiting. */
export class WireError extends Error {}

/**
 * Sends a run to the server. Every document is sent again after network errors and 5xx answers, for some minutes, so
 * that a server may be restarted in between: parts are idempotent by their sequence number, and nothing is doubled.
 */
export class Wire {
  /**
   * @param {string} runId
   * @param {object} [options]
   * @param {typeof fetch} [options.fetch]
   * @param {(ms: number) => Promise<void>} [options.sleep]
   * @param {() => number} [options.now] Milliseconds.
   * @param {(reason: string) => void} [options.onRetry] Told why a document is sent again.
   */
  constructor(runId, options = {}) {
    this.runId = runId;
    this.fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.sleep = options.sleep ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    this.now = options.now ?? (() => performance.now());
    this.onRetry = options.onRetry ?? (() => {});
  }

  /**
   * Opens a run, idempotent by its id.
   *
   * @param {import('../core/contract').RunStart} start
   * @returns {Promise<import('../core/contract').Receipt>}
   */
  start(start) {
    return this.#post('/api/runs', start);
  }

  /**
   * @param {EnvironmentPart | CasePart} part
   * @returns {Promise<import('../core/contract').Receipt>}
   */
  part(part) {
    return this.#post(`/api/runs/${this.runId}/parts`, part);
  }

  /**
   * @param {import('../core/contract').Finish} finish
   * @returns {Promise<import('../core/contract').RunReport>}
   */
  finish(finish) {
    return this.#post(`/api/runs/${this.runId}/finish`, finish);
  }

  /**
   * @param {string} path
   * @param {unknown} document
   * @returns {Promise<any>}
   * @throws {WireError}
   */
  async #post(path, document) {
    const body = JSON.stringify(document);
    const begun = this.now();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const problem = await this.#attempt(path, body);
      if (typeof problem === 'object') return problem.answer;
      if (this.now() - begun > PATIENCE_MS) throw new WireError(`${path}: gave up: ${problem}`);
      this.onRetry(problem);
      await this.sleep(pause);
    }
  }

  /**
   * @param {string} path
   * @param {string} body
   * @returns {Promise<{ answer: unknown } | string>} The answer, or why to try again.
   * @throws {WireError} Where trying again would not help.
   */
  async #attempt(path, body) {
    let response;
    let text;
    try {
      response = await this.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      text = await response.text();
    } catch (error) {
      return `network: ${error instanceof Error ? error.message : error}`;
    }
    if (response.ok) return { answer: JSON.parse(text) };
    const reason = `${response.status} ${text.slice(0, 500)}`;
    if (response.status >= 500 || response.status === 429) return reason;
    throw new WireError(`${path}: ${reason}`);
  }
}
