/** @import { Context, Sample, Series } from '../types.js' */
import { rounded } from '../measure.js';
import { shuffled } from '../random.js';
import { settle } from '../wait.js';
import { prepare } from './ladder.js';
import { COPY_DST, UNIFORM } from '../flags.js';

const WARM_UP = 2;

/**
 * The CPU time of each API call of a dispatch, in batches: all encoders, then all passes, and so on through the
 * submits, since no clock resolves a single call. What is timed is the call returning, not the GPU's work.
 *
 * @param {Context} context
 */
export async function phases(context) {
  const { host, params, theCase, conditions, result, origin_ms } = context;
  const stage = await context.open();
  const { workload, tally } = await prepare(context, stage);
  const { device, queue } = stage;
  const { pipeline, groups, description, workgroups } = workload;
  const [group] = groups;
  const uniform = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
  const bytes = new Float32Array(4);

  /** @type {Map<string, Sample[]>} */
  const timed = new Map();
  let rep = -WARM_UP;
  /** @param {string} label @param {number} n @param {() => void} calls */
  const time = (label, n, calls) => {
    const start = host.now();
    calls();
    const end = host.now();
    if (rep < 0) return;
    const span_us = rounded((end - start) * 1000);
    const start_us = rounded((start - origin_ms) * 1000);
    const samples = timed.get(label) ?? [];
    if (samples.length === 0) timed.set(label, samples);
    const sample = { n, rep, wait: conditions.wait, start_us, encoded_us: span_us, done_us: span_us };
    samples.push(sample);
    context.point(label, sample);
  };

  /** @param {number} n */
  const batch = (n) => {
    /** @type {GPUCommandEncoder[]} */
    const encoders = new Array(n);
    /** @type {GPUComputePassEncoder[]} */
    const passes = new Array(n);
    /** @type {GPUCommandBuffer[]} */
    const buffers = new Array(n);
    time('encoder', n, () => {
      for (let i = 0; i < n; i++) encoders[i] = device.createCommandEncoder();
    });
    time('pass_begin', n, () => {
      for (let i = 0; i < n; i++) passes[i] = encoders[i].beginComputePass();
    });
    time('set_pipeline', n, () => {
      for (let i = 0; i < n; i++) passes[i].setPipeline(pipeline);
    });
    time('set_bind_group', n, () => {
      for (let i = 0; i < n; i++) passes[i].setBindGroup(0, group);
    });
    time('dispatch', n, () => {
      for (let i = 0; i < n; i++) passes[i].dispatchWorkgroups(workgroups);
    });
    time('pass_end', n, () => {
      for (let i = 0; i < n; i++) passes[i].end();
    });
    time('finish', n, () => {
      for (let i = 0; i < n; i++) buffers[i] = encoders[i].finish();
    });
    time('submit', n, () => {
      for (let i = 0; i < n; i++) queue.submit([buffers[i]]);
    });
    time('create_bind_group', n, () => {
      for (let i = 0; i < n; i++) device.createBindGroup(description);
    });
    time('write_buffer', n, () => {
      for (let i = 0; i < n; i++) queue.writeBuffer(uniform, 0, bytes);
    });
    tally.add(n);
  };

  const most = theCase.max_n ?? 512;
  const sizes = [most >> 2, most >> 1, most];
  const begun = host.now();
  const { budget_us, min_rounds, max_rounds } = params.limits;
  const spent = () => (host.now() - begun) * 1000;
  while (rep < min_rounds || (rep < max_rounds && spent() < budget_us)) {
    for (const n of shuffled(sizes, context.random)) {
      batch(n);
      await settle(stage, queue.onSubmittedWorkDone());
      stage.check();
    }
    rep++;
    context.progress(Math.min(1, Math.max(0, spent() / budget_us)));
    if (rep >= 3 && spent() > 2 * budget_us) break;
  }
  for (const [label, samples] of timed) result.series.push(/** @type {Series} */ ({ label, samples }));
  result.verified = await tally.verify(stage);
  stage.check();
}
