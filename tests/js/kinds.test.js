import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from '../../web/core/middle.js';
import { roundSlope } from '../../web/core/plan.js';
import { fakeHost, paramsOf, simulate } from './fake/host.js';

/** @param {any} series */
const slope = ({ samples }) => roundSlope(samples.map((/** @type {any} */ one) => [one.n, one.done_us]));

/** @param {number[]} values */
const isSorted = (values) => values.every((value, index) => index === 0 || value >= values[index - 1]);

/** @param {any} part @param {string} label */
const labelled = (part, label) => part.series.find((/** @type {any} */ one) => one.label === label);

test('phases: the cost of each call is its own', async () => {
  const calls = {
    encoder: 6.45,
    pass_begin: 3.17,
    set_pipeline: 1.45,
    set_bind_group: 0.99,
    dispatch: 0.64,
    pass_end: 0.67,
    finish: 6.15,
    submit: 12.94,
    create_bind_group: 2,
    write_buffer: 4,
  };
  const host = fakeHost({ calls, cpu_share: 0 });
  const { of } = await simulate(host, paramsOf(['control/clock', 'phases/f32']));
  const part = of('phases/f32');
  assert.deepEqual(part.series.map((/** @type {any} */ one) => one.label), Object.keys(calls));
  for (const [label, cost_us] of Object.entries(calls)) {
    const found = slope(labelled(part, label));
    assert.ok(Math.abs(found - cost_us) < 0.05, `${label}: ${found} is not ${cost_us}`);
  }
  assert.equal(part.verified, true);
});

test('trace: stamps are in order and grow with back-pressure at the caller', async () => {
  const { of } = await simulate(fakeHost(), paramsOf(['submit-trace/f32']));
  const [{ samples }] = of('submit-trace/f32').series;
  for (const { n, stamps_us, encoded_us } of samples) {
    assert.equal(stamps_us.length, n);
    assert.ok(isSorted(stamps_us));
    assert.ok(Math.abs(stamps_us[n - 1] - encoded_us) < 1);
  }
  assert.equal(of('submit-trace/f32').verified, true);
});

test('chunk: labels are dispatches per submit, and totals are multiples of all of them', async () => {
  const { of } = await simulate(fakeHost({ calls: { submit: 10 } }), paramsOf(['chunk/f32']));
  const part = of('chunk/f32');
  const labels = part.series.map((/** @type {any} */ one) => one.label);
  assert.deepEqual(labels, Array.from({ length: 11 }, (_, index) => String(2 ** index)));
  for (const { label, samples } of part.series) {
    assert.ok(samples.length >= 4);
    assert.ok(samples.every((/** @type {any} */ one) => one.n % Number(label) === 0));
  }
  assert.ok(slope(labelled(part, '1')) >= slope(labelled(part, '1024')));
});

test('carry-over: a device that remembers shows in "after" and not on a new device', async () => {
  const { of } = await simulate(fakeHost({ carryover_factor: 5 }), paramsOf(['carryover/f32']));
  const part = of('carryover/f32');
  assert.deepEqual(part.series.map((/** @type {any} */ one) => one.label), ['before', 'after', 'new device']);
  assert.ok(slope(labelled(part, 'after')) > 4 * slope(labelled(part, 'before')));
  assert.ok(Math.abs(slope(labelled(part, 'new device')) / slope(labelled(part, 'before')) - 1) < 0.05);
  assert.equal(part.verified, true);
});

test('timestamps: good ones are valid, others are recorded states', async () => {
  const read = async (/** @type {any} */ timestamps) => {
    const { of } = await simulate(fakeHost({ timestamps }), paramsOf(['control/timestamps', 'passes/f32/chained']));
    return { control: of('control/timestamps').values, ladder: of('passes/f32/chained') };
  };
  const good = await read('good');
  assert.equal(good.control.valid, true);
  const [{ samples }] = good.ladder.series;
  assert.ok(samples.every((/** @type {any} */ one) => Math.abs(one.gpu_us - 2 * one.n) < 0.6));
  for (const [state, key] of [['zero', 'zeros'], ['negative', 'negatives']]) {
    const bad = await read(state);
    assert.equal(bad.control.valid, false);
    assert.ok(bad.control[key] > 0);
    assert.ok(bad.ladder.series[0].samples.every((/** @type {any} */ one) => one.gpu_us === null));
    assert.ok(bad.ladder.values.gpu_invalid > 0);
  }
  const unit = await read('milliseconds');
  assert.equal(unit.control.valid, false);
  assert.match(unit.control.period_note, /unit/);
});

test('naive: one operation and a wait, each time', async () => {
  const { of } = await simulate(fakeHost(), paramsOf(['control/clock', 'naive/f32']));
  const [{ samples }] = of('naive/f32').series;
  assert.ok(samples.length >= 100);
  assert.ok(samples.every((/** @type {any} */ one) => one.n === 1 && one.wait === 'done'));
  assert.ok(Math.abs(median(samples.map((/** @type {any} */ one) => one.done_us)) - 120) <= 10);
});

test('controls: empty submits cost what they cost, spinning is timed', async () => {
  const host = fakeHost({ empty_submit_us: 3 });
  const { of } = await simulate(host, paramsOf(['control/clock', 'control/submit']));
  assert.ok(Math.abs(slope(of('control/submit').series[0]) - 3) < 0.1);
});
