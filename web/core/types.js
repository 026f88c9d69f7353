/**
 * The words that the modules of the core share. Types only; times carry their unit in their name.
 *
 * @typedef {import('./contract').Case} Case
 * @typedef {import('./contract').CasePart} CasePart
 * @typedef {import('./contract').EnvironmentPart} EnvironmentPart
 * @typedef {import('./contract').Kernel} Kernel
 * @typedef {import('./contract').Sample} Sample
 * @typedef {import('./contract').Series} Series
 * @typedef {import('./contract').SuiteFile} SuiteFile
 * @typedef {import('./contract').WaitMode} WaitMode
 * @typedef {Record<string, number | boolean | string | null>} Values
 */

/**
 * What the core may ask of the place where it runs. Nothing else reaches it: no DOM, no files, no network.
 *
 * @typedef {object} Host
 * @property {GPU} gpu
 * @property {() => number} now Monotonic clock in milliseconds.
 * @property {boolean} isolated Whether the clock is the fine one of a cross-origin isolated context.
 * @property {(ms: number) => Promise<void>} sleep
 * @property {() => Attention} [attention] Left out where there is no page that could be hidden.
 * @property {() => import('./contract').Page} [page]
 * @property {string | null} [runtime_version]
 * @property {Record<string, string>} [libraries]
 */

/**
 * How long the page has been out of the user's sight since it was loaded.
 *
 * @typedef {{ hidden_ms: number, unfocused_ms: number }} Attention
 */

/**
 * What the controls found out about this run and the later cases rely on.
 *
 * @typedef {object} Conditions
 * @property {number} quantum_us Smallest step of the clock.
 * @property {WaitMode} wait The wait mode of the run.
 * @property {number} floor_us Wait on an empty queue in that mode.
 * @property {boolean} polled Whether plain waits end on a poll, so that each costs its period.
 */

/**
 * What a case hands back, filled as it is measured, so that a failure keeps what was there before it.
 *
 * @typedef {object} Result
 * @property {Series[]} series
 * @property {Values} values
 * @property {boolean | null} verified
 */

/**
 * The part of an AbortSignal that the core needs.
 *
 * @typedef {{ readonly aborted: boolean, addEventListener: (type: 'abort', listener: () => void) => void }} Signal
 */

/** @typedef {{ case_id: string, index: number, total: number, fraction: number }} ProgressEvent */
/** @typedef {{ case_id: string, repeat: boolean, label: string | null, sample: Sample }} PointEvent */

/**
 * Everything a kind of case works with.
 *
 * @typedef {object} Context
 * @property {Host} host
 * @property {import('./params.js').Params} params
 * @property {Case} theCase
 * @property {Conditions} conditions
 * @property {Result} result
 * @property {number} origin_ms The run's own origin on the host's clock.
 * @property {() => number} random Uniform in [0, 1), seeded.
 * @property {import('./interrupt.js').Interrupt} interrupt
 * @property {() => Promise<import('./device.js').Stage>} open A fresh adapter and device, closed after the case.
 * @property {(label: string | null, sample: Sample) => void} point
 * @property {(fraction: number) => void} progress
 */

export {};
