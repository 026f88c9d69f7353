import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeHost, paramsOf, simulate } from './fake/host.js';

const SUBMIT = 'submit/f32/chained';
const DISPATCHES = 'dispatches/f32/chained';

test('an adapter that is null at first is awaited', async () => {
  const { parts, finish } = await simulate(fakeHost({ null_adapters: 4 }), paramsOf(['naive/f32']));
  assert.equal(finish.status, 'finished');
  assert.equal(parts[0].adapter.attempts, 5);
});

test('no adapter at all is unsupported, with the reason', async () => {
  const host = fakeHost({ null_adapters: Infinity });
  const { parts, finish } = await simulate(host, paramsOf(['naive/f32']));
  assert.equal(finish.status, 'unsupported');
  assert.match(finish.reason ?? '', /no adapter after \d+ requests/);
  assert.equal(parts.length, 0);
  assert.ok(host.world.now_us < 10e6, 'gave up within 10 s');
});

test('no WebGPU is unsupported', async () => {
  const host = { ...fakeHost(), gpu: /** @type {any} */ (undefined) };
  const { finish } = await simulate(host, paramsOf(['naive/f32']));
  assert.equal(finish.status, 'unsupported');
});

test('a lost device costs its case and keeps what was measured of it', async () => {
  const host = fakeHost({ lose_device: 0, lose_after: 20_000 });
  const { of, finish } = await simulate(host, paramsOf([SUBMIT, DISPATCHES]));
  assert.equal(of(SUBMIT).status, 'failed');
  assert.match(of(SUBMIT).reason, /device lost \(unknown\): planted/);
  assert.ok(of(SUBMIT).series[0].samples.length > 0);
  assert.equal(of(SUBMIT).series[0].stopped, 'failed');
  assert.equal(of(DISPATCHES).status, 'measured');
  assert.equal(finish.status, 'finished');
});

test('a GPU that does not answer costs its case', async () => {
  const host = fakeHost({ hang_device: 0 });
  const { of } = await simulate(host, paramsOf([SUBMIT, DISPATCHES]));
  assert.equal(of(SUBMIT).status, 'failed');
  assert.match(of(SUBMIT).reason, /did not answer for 30 s/);
  assert.equal(of(DISPATCHES).status, 'measured');
});

test('dispatches that did not happen are found', async () => {
  for (const id of [SUBMIT, 'submit/f32/independent', 'submit/f32/dynamic', 'phases/f32', 'naive/i32']) {
    const { of } = await simulate(fakeHost({ drop_every: 50 }), paramsOf([id], { limits: { case_budget_ms: 200 } }));
    assert.equal(of(id).verified, false, id);
  }
});

test('a kernel that does not compile fails with message, file and line', async () => {
  const { of, finish } = await simulate(fakeHost({ compile_error: 'unknown word' }), paramsOf([SUBMIT]));
  assert.equal(of(SUBMIT).status, 'failed');
  assert.equal(of(SUBMIT).reason, 'add_f32.wgsl:3:7: unknown word');
  assert.equal(finish.status, 'failed');
  assert.match(finish.reason ?? '', /add_f32\.wgsl/);
});

test('a validation error outside of scopes fails the case', async () => {
  const { of } = await simulate(fakeHost({ validation_error: 'bad binding' }), paramsOf([SUBMIT]));
  assert.equal(of(SUBMIT).status, 'failed');
  assert.equal(of(SUBMIT).reason, 'bad binding');
});

test('features that are missing make a case unsupported, with their name', async () => {
  const host = fakeHost({ features: [], language: [] });
  const cases = ['submit/f16/chained', 'control/timestamps', 'submit/f32/immediates', 'passes/f32/chained'];
  const { of } = await simulate(host, paramsOf(cases));
  assert.match(of('submit/f16/chained').reason, /shader-f16/);
  assert.match(of('control/timestamps').reason, /timestamp-query/);
  assert.match(of('submit/f32/immediates').reason, /immediate/);
  for (const id of cases.slice(0, 3)) assert.equal(of(id).status, 'unsupported');
  assert.equal(of('passes/f32/chained').status, 'measured', 'timestamps are optional in a ladder');
});

test('a cancelled run keeps what was measured and ends at once', async () => {
  const stop = new AbortController();
  let points = 0;
  const { parts, finish, of } = await simulate(fakeHost(), paramsOf([SUBMIT, DISPATCHES]), {
    signal: stop.signal,
    onPoint: () => {
      if (++points === 20) stop.abort();
    },
  });
  assert.equal(finish.status, 'cancelled');
  assert.equal(of(SUBMIT).status, 'cancelled');
  assert.equal(of(SUBMIT).series[0].stopped, 'cancelled');
  assert.ok(of(SUBMIT).series[0].samples.length >= 19);
  assert.equal(parts.length, 2);
});

test('a run cancelled before it starts measures nothing', async () => {
  const stop = new AbortController();
  stop.abort();
  const { finish, parts } = await simulate(fakeHost(), paramsOf([SUBMIT]), { signal: stop.signal });
  assert.equal(finish.status, 'cancelled');
  assert.equal(parts.length, 0);
});

test('an adapter that turns out to be another one is reported again', async () => {
  const host = fakeHost();
  const { parts } = await simulate(host, paramsOf([SUBMIT, DISPATCHES]), {
    onPart: (part) => {
      if (part.case_id === SUBMIT) host.fake.plan.info = { vendor: 'other', isFallbackAdapter: true };
    },
  });
  const environments = parts.filter((part) => part.kind === 'environment');
  assert.deepEqual(environments.map((part) => part.adapter.software), [false, true]);
});

test('software adapters are known by flag or by name, and unknown where nothing tells', async () => {
  const software = async (/** @type {any} */ info) => {
    const { parts } = await simulate(fakeHost({ info }), paramsOf(['control/clock']));
    return parts[0].adapter.software;
  };
  assert.equal(await software({ vendor: 'nvidia', isFallbackAdapter: false }), false);
  assert.equal(await software({ vendor: '', isFallbackAdapter: true }), true);
  assert.equal(await software({ description: 'llvmpipe (LLVM 15)' }), true);
  assert.equal(await software({ device: 'Microsoft Basic Render Driver' }), true);
  assert.equal(await software({ architecture: 'swiftshader' }), true);
  assert.equal(await software({}), null);
});

test('attention is recorded for each case where the host watches it', async () => {
  const host = fakeHost();
  const attention = () => ({ hidden_ms: host.world.now_us / 1000, unfocused_ms: 0 });
  const { of } = await simulate(Object.assign(host, { attention }), paramsOf(['naive/f32']));
  assert.ok(Math.abs(of('naive/f32').hidden_ms - of('naive/f32').duration_ms) < 1);
  assert.equal(of('naive/f32').unfocused_ms, 0);
});
