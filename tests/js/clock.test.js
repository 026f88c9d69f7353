import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectPoll, examineClock, spin } from '../../web/core/clock.js';
import { World } from './fake/world.js';

for (const quantum_us of [5, 20, 100, 1000, 16_670]) {
  test(`a quantum of ${quantum_us} us is found`, () => {
    const readings = examineClock(new World({ quantum_us }).now);
    assert.ok(Math.abs(readings.quantum_us - quantum_us) < 1e-3 * quantum_us, String(readings.quantum_us));
    assert.ok(readings.monotonic);
    assert.ok(Math.abs(readings.call_overhead_us - 0.25) < 0.05, String(readings.call_overhead_us));
  });
}

test('a clock that steps back is seen', () => {
  let readings = 0;
  const world = new World();
  const now = () => world.now() - (++readings % 1000 === 0 ? 1 : 0);
  assert.equal(examineClock(now).monotonic, false);
});

test('a clock that stands still ends the examination and vouches for no span', () => {
  assert.ok(examineClock(() => 1).quantum_us >= 100_000);
});

test('the jitter of uneven steps is not zero', () => {
  const world = new World({ quantum_us: 0.001 });
  let reading = 0;
  const now = () => {
    world.now_us += ++reading % 2 ? 3 : 9;
    return world.now();
  };
  assert.ok(examineClock(now).jitter_us > 1);
});

test('a poll is long waits that are all alike', () => {
  assert.equal(detectPoll([100_020, 100_040, 99_980, 100_000]), 100_010);
  assert.equal(detectPoll([11_300, 11_320, 11_290]), 11_300);
  assert.equal(detectPoll([90, 91, 90, 92]), null);
  assert.equal(detectPoll([4000, 9000, 2000, 15_000]), null);
});

test('spinning depends on its length', () => {
  assert.notEqual(spin(10), spin(11));
});
