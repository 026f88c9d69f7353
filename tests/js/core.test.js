import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundSlope } from '../../web/core/plan.js';
import { median } from '../../web/core/middle.js';
import { FILE, fakeHost, paramsOf, simulate } from './fake/host.js';

const SUBMIT = 'submit/f32/chained';

/**
 * Slope of the rungs' medians above the low ones: what a reader of the samples would see.
 *
 * @param {any} part
 * @param {string | null} [label]
 */
function slopeOf(part, label = null) {
  const { samples } = part.series.find((/** @type {any} */ one) => one.label === label);
  const by = new Map();
  for (const { n, done_us } of samples) by.set(n, [...(by.get(n) ?? []), done_us]);
  const low = part.values.n_low ?? 1;
  return roundSlope([...by].filter(([n]) => n >= low).map(([n, spans]) => [n, median(spans)]));
}

/** @param {number} value @param {number} wanted @param {number} share */
function near(value, wanted, share) {
  assert.ok(Math.abs(value - wanted) <= share * wanted, `${value} is not within ${share * 100} % of ${wanted}`);
}

for (const slope_us of [1, 5, 25, 200]) {
  test(`a planted cost of ${slope_us} us is in the samples`, async () => {
    const { of } = await simulate(fakeHost({ slope_us, noise_us: 10 }), paramsOf(['control/clock', SUBMIT]));
    near(slopeOf(of(SUBMIT)), slope_us, 0.02);
    assert.equal(of(SUBMIT).verified, true);
  });
}

test('every operation holds the planted cost, whatever is submitted together', async () => {
  const cases = ['cmdbufs/f32/chained', 'passes/f32/chained', 'dispatches/f32/chained'];
  const { of } = await simulate(fakeHost(), paramsOf(cases));
  for (const id of cases) {
    near(slopeOf(of(id)), 25, 0.02);
    assert.equal(of(id).verified, true, id);
  }
});

test('a poll of 100 ms is detected, nudged around, and the plain wait kept apart', async () => {
  const host = fakeHost({ poll_us: 100_000 });
  const { of } = await simulate(host, paramsOf(['control/clock', 'control/wait', 'naive/f32', SUBMIT]));
  const { values } = of('control/wait');
  assert.equal(values.poll_us, 100_000);
  assert.equal(values.wait_mode, 'nudged');
  const part = of(SUBMIT);
  near(slopeOf(part), 25, 0.03);
  for (const { label, samples } of part.series) {
    assert.deepEqual([...new Set(samples.map((/** @type {any} */ one) => one.wait))], [label ?? 'nudged']);
  }
  const plain = part.series.find((/** @type {any} */ one) => one.label === 'done').samples;
  near(median(plain.map((/** @type {any} */ one) => one.done_us)), 100_000, 0.01);
  const naive = of('naive/f32').series[0].samples;
  assert.ok(naive.length <= 10, `${naive.length} naive spans on a poll`);
  near(median(naive.map((/** @type {any} */ one) => one.done_us)), 100_000, 0.01);
});

test('a poll that no nudge shortens is kept, and T(N) still grows beyond it', async () => {
  const { of } = await simulate(fakeHost({ wait_sleep_us: 11_000 }), paramsOf(['control/clock', 'control/wait', SUBMIT]));
  assert.equal(of('control/wait').values.wait_mode, 'done');
  assert.equal(of('control/wait').values.poll_us, 11_000);
  near(slopeOf(of(SUBMIT)), 25, 0.1);
});

test('an ordinary wait is no poll and is not nudged', async () => {
  const { of } = await simulate(fakeHost(), paramsOf(['control/clock', 'control/wait']));
  const { values, series } = of('control/wait');
  assert.equal(values.wait_mode, 'done');
  assert.equal(values.poll_us, null);
  near(values.floor_done_us, 90, 0.06);
  assert.deepEqual(series.map((/** @type {any} */ one) => one.label), ['done', 'map', 'nudged']);
});

test('one interruption does not leave the ladder too low', async () => {
  const host = fakeHost({ outlier_share: 0.15, outlier_us: 300_000 });
  const { of } = await simulate(host, paramsOf(['control/clock', SUBMIT]));
  near(of(SUBMIT).values.n_top, 1600, 0.3);
});

test('back-pressure is found, recorded, and avoided', async () => {
  const { of } = await simulate(fakeHost({ bend_n: 900 }), paramsOf(['control/clock', SUBMIT], { suite: 'standard' }));
  const [series] = of(SUBMIT).series;
  assert.ok(series.n_bend > 900, String(series.n_bend));
  const last = series.samples.at(-1).rep;
  const final = series.samples.filter((/** @type {any} */ one) => one.rep === last);
  assert.ok(final.every((/** @type {any} */ one) => one.n < series.n_bend));
});

test('every round holds N = 100 and has an order of its own', async () => {
  const { of } = await simulate(fakeHost(), paramsOf([SUBMIT]));
  const [{ samples }] = of(SUBMIT).series;
  /** @type {number[][]} */
  const orders = [];
  for (const { n, rep } of samples) (orders[rep] ??= []).push(n);
  assert.ok(orders.length >= 6);
  assert.ok(orders.every((order) => order.includes(100)));
  assert.ok(new Set(orders.map(String)).size > 1);
});

test('every case of the suite file is measured on a runtime that has everything', async () => {
  const host = fakeHost({ calls: { encoder: 1, submit: 2 } });
  const ids = FILE.cases.map((/** @type {any} */ one) => one.id);
  const { parts, finish } = await simulate(host, paramsOf(ids, { limits: { case_budget_ms: 200 } }));
  assert.equal(finish.status, 'finished');
  assert.equal(finish.parts, parts.length);
  assert.deepEqual(parts.map((part) => part.sequence), parts.map((_, index) => index));
  for (const part of parts.slice(1)) {
    assert.equal(part.status, 'measured', `${part.case_id}: ${part.reason}`);
    if (part.series.length > 0 && !part.case_id.startsWith('control/')) assert.equal(part.verified, true, part.case_id);
  }
  assert.equal(parts.length, ids.length + 1);
});

test('every case has a device of its own', async () => {
  const host = fakeHost();
  await simulate(host, paramsOf([SUBMIT, 'naive/f32', 'passes/f32/chained']));
  assert.equal(host.fake.devices.length, 3);
  assert.ok(host.fake.devices.every((device) => device.dead));
});

test('the first ladder case is repeated last', async () => {
  const { parts } = await simulate(fakeHost(), paramsOf([SUBMIT, 'dispatches/f32/chained']), { repeat: true });
  assert.deepEqual(parts.slice(1).map((part) => [part.case_id, part.repeat]), [
    [SUBMIT, false],
    ['dispatches/f32/chained', false],
    [SUBMIT, true],
  ]);
});

test('the quick suite ends in 20 s on a GPU, in 60 s on a slow one with a poll', async () => {
  for (const [plan, most_ms] of /** @type {const} */ ([
    [{}, 20_000],
    [{ slope_us: 150, intercept_us: 3000, poll_us: 100_000, noise_relative: 0.1 }, 60_000],
    [{ slope_us: 150, intercept_us: 3000, wait_sleep_us: 100_000, noise_relative: 0.1 }, 60_000],
  ])) {
    const host = fakeHost(plan);
    const { cases } = FILE.suites.quick;
    await simulate(host, paramsOf(cases), { repeat: true });
    assert.ok(host.world.now_us / 1000 < most_ms, `${host.world.now_us / 1000} ms`);
  }
});

test('the same seed gives the same run', async () => {
  const once = () => simulate(fakeHost({ noise_us: 20 }, 3), paramsOf([SUBMIT], { seed: 5 }));
  assert.deepEqual((await once()).parts, (await once()).parts);
});
