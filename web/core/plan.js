/** @import { Limits } from './params.js' */
/** @import { Sample } from './types.js' */
import { deviation, median } from './middle.js';
import { shuffled } from './random.js';

/** A span this long hides scheduling jitter; longer ones would only cost rounds. */
const COMFORTABLE_US = 40_000;
const DWARFS_QUANTUM = 100;
const DWARFS_FLOOR = 8;
/** The least that a useful span may be, in quanta and in waits on an empty queue. */
const USEFUL_QUANTA = 30;
const USEFUL_FLOORS = 2;
/** Rungs span at least and at most this ratio of N: the slope needs leverage, small N hold none. */
const LEAST_RATIO = 4;
const MOST_RATIO = 64;
/** A round of geometric rungs lasts about this many of its longest spans. */
const ROUND_SPANS = 3.2;
/** The reference paper divides T(100) by 100, so every round holds this rung. */
export const PAPER_N = 100;
/** Rungs that show the intercept. */
const LOW = [1, 10];
const BEND_MARGIN = 1.25;
const BEND_ROUNDS = 5;
const BEND_SHARE = 0.8;
const SLACK_QUANTA = 4;
/** Rungs that the last step is compared with: those below it, not the first ones, where T(N) is often flat. */
const MIDDLE = 4;

/** @typedef {{ n: number, span_us: number }} Climbed */
/** @typedef {{ quantum_us: number, floor_us: number }} Coarseness Of the clock and of the wait. */

/**
 * How long the longest span should be: it dwarfs clock quantum and wait floor, within what the suite allows.
 *
 * @param {Coarseness} coarse
 * @param {Pick<Limits, 'cap_us' | 'budget_us' | 'min_rounds'>} limits
 * @returns {number} Microseconds.
 */
export function targetSpan(coarse, limits) {
  const wanted = Math.max(DWARFS_QUANTUM * coarse.quantum_us, DWARFS_FLOOR * coarse.floor_us, COMFORTABLE_US);
  const affordable = limits.budget_us / (limits.min_rounds * ROUND_SPANS);
  // A floor that no affordable span can dwarf still has to be left behind, or nothing would be seen at all.
  const least = Math.max(LEAST_RATIO * coarse.floor_us, USEFUL_QUANTA * coarse.quantum_us);
  return Math.min(wanted, limits.cap_us, Math.max(affordable, least));
}

/**
 * The N to climb to next, or null at the top: the span has reached the target, or the next one would break a cap.
 *
 * @param {Climbed} last
 * @param {number} target_us
 * @param {Pick<Limits, 'max_n' | 'cap_us'>} limits
 * @returns {number | null}
 */
export function nextClimb({ n, span_us }, target_us, limits) {
  if (span_us >= target_us || n >= limits.max_n || span_us * 2 > limits.cap_us * 1.5) return null;
  return Math.min(n * 2, limits.max_n);
}

/**
 * The useful range and its rungs.
 *
 * @param {readonly Climbed[]} climbed
 * @param {number} target_us
 * @param {Coarseness} coarse
 * @param {Pick<Limits, 'max_n' | 'rungs'>} limits
 * @returns {{ rungs: number[], n_low: number, n_top: number }} Rungs ascending, those below n_low and N = 100 included.
 */
export function chooseRungs(climbed, target_us, coarse, limits) {
  const top = climbed[climbed.length - 1];
  const overshoot = Math.max(1, top.span_us / target_us);
  const n_top = Math.max(Math.min(limits.max_n, LEAST_RATIO), Math.round(top.n / Math.min(overshoot, 2)));
  const useful = Math.max(USEFUL_QUANTA * coarse.quantum_us, USEFUL_FLOORS * coarse.floor_us);
  const seen = climbed.find(({ span_us }) => span_us >= useful)?.n ?? n_top;
  const n_low = Math.max(1, Math.min(Math.max(seen, Math.ceil(n_top / MOST_RATIO)), Math.floor(n_top / LEAST_RATIO)));
  const step = (n_top / n_low) ** (1 / (limits.rungs - 1));
  const spread = Array.from({ length: limits.rungs }, (_, index) => Math.round(n_low * step ** index));
  const always = [...LOW, PAPER_N].filter((n) => n <= limits.max_n);
  const rungs = [...new Set([...spread, ...always])].sort((a, b) => a - b);
  return { rungs, n_low, n_top };
}

/**
 * Median slope between the points of a round (Theil-Sen), in units of y per unit of x. NaN of fewer than two points.
 *
 * @param {readonly (readonly [number, number])[]} points
 */
export function roundSlope(points) {
  const slopes = [];
  for (let left = 0; left < points.length; left++) {
    for (let right = left + 1; right < points.length; right++) {
      const [x, y] = points[left];
      const [other_x, other_y] = points[right];
      if (x !== other_x) slopes.push((other_y - y) / (other_x - x));
    }
  }
  return median(slopes);
}

/**
 * What the rounds so far say, for the rules that stop the ladder or lower its top.
 */
export class Rounds {
  /** @type {Map<number, number>[]} Span in microseconds by N, one map per round. */
  #rounds = [];

  /**
   * @param {number[]} rungs
   * @param {number} n_low Rungs below it show the intercept only.
   * @param {Coarseness} coarse
   */
  constructor(rungs, n_low, coarse) {
    this.rungs = rungs;
    this.n_low = n_low;
    /** What clock and wait may add to one span and not to the next, the same way in every round. */
    this.slack_us = Math.max(SLACK_QUANTA * coarse.quantum_us, coarse.floor_us);
  }

  get count() {
    return this.#rounds.length;
  }

  /** The order of the next round. @param {() => number} random */
  order(random) {
    return shuffled(this.rungs, random);
  }

  /** @param {readonly Sample[]} samples One round. */
  add(samples) {
    this.#rounds.push(new Map(samples.map((sample) => [sample.n, sample.done_us])));
  }

  get #useful() {
    return this.rungs.filter((n) => n >= this.n_low);
  }

  /** @param {Map<number, number>} round @param {readonly number[]} rungs */
  #points(round, rungs) {
    return rungs.flatMap((n) => {
      const span = round.get(n);
      return span === undefined ? [] : [/** @type {const} */ ([n, span])];
    });
  }

  /**
   * Relative half-width of a rough 95 % interval of the rounds' slopes: only good enough to stop by. The estimate and
   * its interval are made from the raw samples, elsewhere.
   */
  halfWidth() {
    const slopes = this.#rounds.map((round) => roundSlope(this.#points(round, this.#useful)));
    const middle = median(slopes);
    if (!(middle > 0)) return Infinity;
    // A median of normal values is 1.2533 times as uncertain as their mean; 1.4826 turns the MAD into a deviation.
    return (1.96 * 1.2533 * 1.4826 * deviation(slopes)) / Math.sqrt(slopes.length) / middle;
  }

  /**
   * Whether the line bends upward at its top: the last step costs clearly more per operation than the rungs before it
   * do, in nearly every round. Back-pressure does this; noise does it only now and then.
   *
   * @returns {number | null} The N at the top of the bent step.
   */
  bend() {
    const useful = this.#useful;
    if (this.count < BEND_ROUNDS || useful.length < MIDDLE + 2) return null;
    const middle = useful.slice(-2 - MIDDLE, -2);
    const last = useful.slice(-2);
    const bent = this.#rounds.filter((round) => {
      const steady = roundSlope(this.#points(round, middle));
      const excess = roundSlope(this.#points(round, last)) - steady;
      return steady > 0 && excess > (BEND_MARGIN - 1) * steady && excess * (last[1] - last[0]) > this.slack_us;
    });
    return bent.length >= BEND_SHARE * this.count ? last[1] : null;
  }

  /** Stays below a bend. @param {number} n */
  dropFrom(n) {
    this.rungs = this.rungs.filter((rung) => rung < n);
  }

  /**
   * Why to stop now, null to go on. The budget wins over the least number of rounds where a poll makes rounds slow.
   *
   * @param {number} spent_us
   * @param {Pick<Limits, 'budget_us' | 'min_rounds' | 'max_rounds' | 'narrow'>} limits
   * @returns {'narrow' | 'rounds' | 'budget' | null}
   */
  stop(spent_us, limits) {
    if (this.count >= limits.max_rounds) return 'rounds';
    if (this.count >= 3 && spent_us >= 2 * limits.budget_us) return 'budget';
    if (this.count < limits.min_rounds) return null;
    if (spent_us >= limits.budget_us) return 'budget';
    return this.halfWidth() <= limits.narrow ? 'narrow' : null;
  }
}
