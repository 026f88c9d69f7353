// Simulated runs for the validation of the estimator: the real core on a fake GPU in virtual time.
// Reads one scenario as JSON from stdin: the words of scenario.js, and `suite`, `case_id`, `seed`, `runs`.
// Prints for each run and part `{"run": index, "seed": ..., "truth_us": ..., "part": {...}}`.
// `truth_us` is the run's own slope: the planted one with the run's own spread.
import { once } from 'node:events';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fakeHost, paramsOf, simulate } from './host.js';

const { suite = 'quick', case_id = 'submit/f32/chained', seed = 1, runs = 1, ...plan } = JSON.parse(
  await text(process.stdin),
);
const cases = ['control/clock', 'control/wait', case_id];
for (let index = 0; index < runs; index++) {
  const own = (seed + Math.imul(index, 0x9e3779b1)) >>> 0;
  const host = fakeHost(plan, own);
  const { parts } = await simulate(host, paramsOf(cases, { suite, seed: own }));
  const truth_us = host.fake.slope_us;
  const lines = parts.map((part) => `${JSON.stringify({ run: index, seed: own, truth_us, part })}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
