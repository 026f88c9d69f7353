import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds, chooseRungs, nextClimb, roundSlope, targetSpan } from '../../web/core/plan.js';
import { generator, shuffled } from '../../web/core/random.js';
import { draw } from './fake/scenario.js';

const LIMITS = {
  max_n: 16384,
  cap_us: 250_000,
  budget_us: 2_000_000,
  min_rounds: 6,
  max_rounds: 40,
  rungs: 8,
  narrow: 0.02,
};

/** @param {(n: number) => number} span @param {number} target @param {typeof LIMITS} [limits] */
function climb(span, target, limits = LIMITS) {
  const climbed = [];
  for (let n = /** @type {number | null} */ (1); n !== null; ) {
    const last = { n, span_us: span(n) };
    climbed.push(last);
    n = nextClimb(last, target, limits);
  }
  return climbed;
}

test('the target dwarfs the clock and the wait, within the cap', () => {
  assert.equal(targetSpan({ quantum_us: 5, floor_us: 90 }, LIMITS), 40_000);
  assert.equal(targetSpan({ quantum_us: 1000, floor_us: 90 }, LIMITS), 100_000);
  assert.equal(targetSpan({ quantum_us: 5, floor_us: 10_000 }, LIMITS), 80_000);
  assert.equal(targetSpan({ quantum_us: 16_670, floor_us: 90 }, LIMITS), 250_000);
  assert.equal(targetSpan({ quantum_us: 5, floor_us: 100_000 }, LIMITS), 250_000);
});

test('the climb doubles until the target, and never past the cap or the largest N', () => {
  const climbed = climb((n) => 90 + 25 * n, 40_000);
  assert.deepEqual(climbed.map(({ n }) => n), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
  const small = climb((n) => 90 + 25 * n, 40_000, { ...LIMITS, max_n: 100 });
  assert.equal(small.at(-1)?.n, 100);
  const slow = climb((n) => 100_000 * n, 250_000);
  assert.equal(slow.at(-1)?.n, 2);
});

test('rungs span the useful range, with N = 100 and low ones for the intercept', () => {
  const coarse = { quantum_us: 5, floor_us: 90 };
  const { rungs, n_low, n_top } = chooseRungs(climb((n) => 90 + 25 * n, 40_000), 40_000, coarse, LIMITS);
  assert.ok(Math.abs(n_top - 1600) < 20, `top ${n_top}`);
  assert.equal(n_low, 25);
  for (const n of [1, 10, 100, n_low, n_top]) assert.ok(rungs.includes(n), `no ${n} in ${rungs}`);
  assert.deepEqual(rungs, [...rungs].sort((a, b) => a - b));
});

test('a case of few operations still has several different rungs', () => {
  const coarse = { quantum_us: 5, floor_us: 90 };
  const limits = { ...LIMITS, max_n: 8 };
  const { rungs } = chooseRungs(climb((n) => 90 + 25 * n, 40_000, limits), 40_000, coarse, limits);
  assert.ok(rungs.length >= 4, String(rungs));
  assert.ok(rungs.every((n) => n >= 1 && n <= 8));
});

test('on a coarse clock the range keeps a leverage of four', () => {
  const coarse = { quantum_us: 16_670, floor_us: 90 };
  const { n_low, n_top } = chooseRungs(climb((n) => 90 + 25 * n, 250_000), 250_000, coarse, LIMITS);
  assert.ok(n_top / n_low >= 4);
});

test('the slope of a round ignores one outlier', () => {
  assert.equal(roundSlope([[1, 3], [2, 5], [4, 9]]), 2);
  assert.equal(roundSlope([[10, 250], [20, 500], [40, 1000], [80, 2000], [160, 4000], [320, 99_000]]), 25);
  assert.ok(Number.isNaN(roundSlope([[1, 1]])));
});

/**
 * @param {(n: number) => number} span
 * @param {number} rounds
 * @param {number} noise
 * @param {number} seed
 */
function played(span, rounds, noise, seed, coarse = { quantum_us: 5, floor_us: 90 }) {
  const random = generator(seed);
  const kept = new Rounds([1, 10, 25, 50, 100, 200, 400, 800, 1600], 25, coarse);
  for (let rep = 0; rep < rounds; rep++) {
    const samples = kept.rungs.map((n) => ({ n, done_us: span(n) * (1 + noise * draw(random, 0)) }));
    kept.add(/** @type {any} */ (samples));
  }
  return kept;
}

test('a planted bend is found', () => {
  for (let seed = 0; seed < 20; seed++) {
    const bent = played((n) => 90 + 25 * n + 50 * Math.max(0, n - 800), 8, 0.02, seed);
    assert.equal(bent.bend(), 1600);
  }
});

test('noise alone is no bend', () => {
  let found = 0;
  for (let seed = 0; seed < 500; seed++) if (played((n) => 90 + 25 * n, 12, 0.05, seed).bend() !== null) found++;
  assert.ok(found <= 5, `${found} of 500`);
});

test('a step that the wait explains is no bend', () => {
  const stepped = (/** @type {number} */ n) => (n === 1600 ? 60_000 : 25 * n);
  assert.equal(played(stepped, 8, 0, 1).bend(), 1600);
  assert.equal(played(stepped, 8, 0, 1, { quantum_us: 5, floor_us: 25_000 }).bend(), null);
});

test('rungs above a bend are dropped', () => {
  const rounds = played((n) => 25 * n, 3, 0, 1);
  rounds.dropFrom(800);
  assert.equal(rounds.rungs.at(-1), 400);
});

test('rounds end when the slope is narrow, but not before the least number', () => {
  assert.equal(played((n) => 90 + 25 * n, 5, 0, 1).stop(1, LIMITS), null);
  assert.equal(played((n) => 90 + 25 * n, 6, 0, 1).stop(1, LIMITS), 'narrow');
});

test('rounds end with the budget, and after twice of it even below the least number', () => {
  const noisy = (/** @type {number} */ rounds) => played((n) => 90 + 25 * n, rounds, 0.5, 1);
  assert.equal(noisy(6).stop(1, LIMITS), null);
  assert.equal(noisy(6).stop(2_000_000, LIMITS), 'budget');
  assert.equal(noisy(5).stop(2_000_000, LIMITS), null);
  assert.equal(noisy(3).stop(4_000_000, LIMITS), 'budget');
  assert.equal(noisy(40).stop(1, LIMITS), 'rounds');
});

test('the order depends on the seed and holds every rung once', () => {
  const rungs = [1, 10, 100, 1000, 2000];
  const one = shuffled(rungs, generator(7));
  assert.deepEqual(one, shuffled(rungs, generator(7)));
  assert.deepEqual([...one].sort((a, b) => a - b), rungs);
  const orders = new Set(Array.from({ length: 20 }, (_, seed) => String(shuffled(rungs, generator(seed)))));
  assert.ok(orders.size > 10);
});
