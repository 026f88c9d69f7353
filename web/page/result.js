// A run's report in words. The figures are the server's; nothing is estimated here.
/** @import { Estimate, RunReport } from '../core/contract' */

/** Dispatches per token of a small language model after fusion, in the reference paper. */
const TOKEN_DISPATCHES = 564;

/**
 * @param {RunReport} report
 * @returns {HTMLElement[]}
 */
export function describe(report) {
  const main = report.estimates?.find((one) => one.case_id === 'submit/f32/chained' && !one.repeat);
  const elements = [heading(main), ...sentences(report, main).map((words) => paragraph(words))];
  for (const reason of report.verdict_reasons ?? []) elements.push(paragraph(reason, 'warning'));
  const link = document.createElement('a');
  link.id = 'permalink';
  link.href = `/runs/${report.run_id}`;
  link.textContent = 'Everything about this run, with its data';
  const last = document.createElement('p');
  last.append(link);
  elements.push(last);
  return elements;
}

/** @param {Estimate | undefined} main */
function heading(main) {
  const element = document.createElement('h2');
  element.textContent =
    main?.slope_us != null ? `One dispatch costs ${duration(main.slope_us)} here` : 'The cost could not be resolved here';
  return element;
}

/**
 * @param {RunReport} report
 * @param {Estimate | undefined} main
 * @returns {string[]}
 */
function sentences(report, main) {
  if (report.status === 'cancelled') return ['You cancelled; what was measured until then is kept.'];
  if (!main) return [`The run ended as ${report.status}${report.reason ? `: ${report.reason}` : ''}.`];
  if (main.slope_us == null) return [`The reason is ${main.reason}: ${main.detail}.`];
  const { slope_us, slope_low_us, slope_high_us } = main;
  const words = [
    `With 95 % confidence it lies between ${duration(slope_low_us ?? NaN)} and ${duration(slope_high_us ?? NaN)}, ` +
      'within this run; another start of the browser may differ by more.',
    `A language model that needs ${TOKEN_DISPATCHES} dispatches for a token cannot make one faster than ` +
      `${duration(TOKEN_DISPATCHES * slope_us)} here.`,
  ];
  if (report.naive_us != null) {
    const times = (report.naive_us / slope_us).toPrecision(2);
    words.push(
      `Timing one dispatch and waiting for it, as is often done, would have said ${duration(report.naive_us)}: ` +
        `${Number(times)} times as much, because the wait is in it.`,
    );
  }
  return words;
}

/** @param {string} words @param {string} [name] */
function paragraph(words, name = '') {
  const element = document.createElement('p');
  element.className = name;
  element.textContent = words;
  return element;
}

/** @param {number} us */
export function duration(us) {
  if (us >= 1e6) return `${precise(us / 1e6)} s`;
  return us >= 1e4 ? `${precise(us / 1e3)} ms` : `${precise(us)} µs`;
}

/** @param {number} value */
function precise(value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
