/** @import { Case, SuiteFile } from './types.js' */

/**
 * The limits of a ladder. Times in microseconds.
 *
 * @typedef {object} Limits
 * @property {number} max_n
 * @property {number} cap_us Longest span.
 * @property {number} budget_us Time after which no round is added.
 * @property {number} min_rounds
 * @property {number} max_rounds
 * @property {number} rungs
 * @property {number} narrow Relative half-width of the slope at which a ladder may stop.
 */

/**
 * What a run executes, fixed before it starts.
 *
 * @typedef {object} Params
 * @property {readonly Case[]} cases
 * @property {Case | null} repeated The carry-over control: the first ladder case, once more, last.
 * @property {SuiteFile} file
 * @property {Readonly<Record<string, string>>} wgsl Kernel texts by file name.
 * @property {Omit<Limits, 'max_n'>} limits
 * @property {number} seed
 */

/**
 * Reads a suite out of the suite file.
 *
 * @param {SuiteFile} file
 * @param {string} name
 * @param {Readonly<Record<string, string>>} wgsl
 * @param {number} seed
 * @returns {Readonly<Params>}
 * @throws {Error} Where the file has no such suite, or the suite names a case that is not there.
 */
export function readParams(file, name, wgsl, seed) {
  const suite = Object.hasOwn(file.suites, name) ? file.suites[name] : null;
  if (!suite) throw new Error(`no suite ${name}; there are ${Object.keys(file.suites).join(', ')}`);
  const cases = suite.cases.map((id) => {
    const found = file.cases.find((one) => one.id === id);
    if (!found) throw new Error(`suite ${name}: no case ${id}`);
    return found;
  });
  return Object.freeze({
    cases,
    repeated: cases.find((one) => one.kind === 'ladder') ?? null,
    file,
    wgsl,
    limits: {
      cap_us: suite.batch_cap_ms * 1000,
      budget_us: suite.case_budget_ms * 1000,
      min_rounds: suite.min_rounds,
      max_rounds: suite.max_rounds,
      rungs: suite.rungs,
      narrow: suite.narrow,
    },
    seed,
  });
}

/** The files of every kernel that the suite file names, each once. @param {SuiteFile} file */
export function kernelFiles(file) {
  return [...new Set(Object.values(file.kernels).map((kernel) => kernel.file))];
}
