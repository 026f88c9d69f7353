/** @import { Case } from './types.js' */
/** @import { Stage } from './device.js' */
/** @import { Workload } from './workload.js' */
/** @import { GpuTimer } from './timestamps.js' */

/** @typedef {(n: number) => void} Issue Issues n operations. Runs within the timed region: API calls, nothing else. */
/** @typedef {(pass: GPUComputePassEncoder, index: number) => void} Encode */

/**
 * The loop that a case times, `submit` where it names none. Everything it needs is made beforehand.
 *
 * @param {Stage} stage
 * @param {Workload} workload
 * @param {Case} theCase
 * @param {number} perSubmit Most command buffers in one submit; implementations lose the device past a cap.
 * @param {GpuTimer | null} timer
 * @returns {Issue}
 */
export function operation(stage, workload, theCase, perSubmit, timer) {
  switch (theCase.operation) {
    case 'cmdbufs':
      return commandBuffers(stage, workload, theCase, perSubmit);
    case 'passes':
      return passes(stage, workload, theCase, timer);
    case 'dispatches':
      return dispatches(stage, workload, theCase, timer);
    default:
      return submits(stage, workload, theCase);
  }
}

/** @param {Stage} stage @param {Workload} workload @param {Case} theCase @returns {Issue} */
function submits({ device, queue }, workload, theCase) {
  const { pipeline, uniform } = workload;
  const bind = binding(device, workload, theCase);
  const dispatch = dispatching(workload);
  const step = new Float32Array([1, 0, 0, 0]);
  if (uniform && theCase.uniform_written) {
    return (n) => {
      for (let index = 0; index < n; index++) {
        queue.writeBuffer(uniform, 0, step);
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        bind(pass, index);
        dispatch(pass, index);
        pass.end();
        queue.submit([encoder.finish()]);
      }
    };
  }
  return (n) => {
    for (let index = 0; index < n; index++) {
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      bind(pass, index);
      dispatch(pass, index);
      pass.end();
      queue.submit([encoder.finish()]);
    }
  };
}

/** @param {Stage} stage @param {Workload} workload @param {Case} theCase @param {number} perSubmit @returns {Issue} */
function commandBuffers({ device, queue }, workload, theCase, perSubmit) {
  const { pipeline } = workload;
  const bind = binding(device, workload, theCase);
  const dispatch = dispatching(workload);
  return (n) => {
    for (let from = 0; from < n; from += perSubmit) {
      const finished = [];
      for (let index = from; index < n && index < from + perSubmit; index++) {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        bind(pass, index);
        dispatch(pass, index);
        pass.end();
        finished.push(encoder.finish());
      }
      queue.submit(finished);
    }
  };
}

/**
 * @param {Stage} stage
 * @param {Workload} workload
 * @param {Case} theCase
 * @param {GpuTimer | null} timer
 * @returns {Issue}
 */
function passes({ device, queue }, workload, theCase, timer) {
  const { pipeline } = workload;
  const bind = binding(device, workload, theCase);
  const dispatch = dispatching(workload);
  return (n) => {
    const encoder = device.createCommandEncoder();
    for (let index = 0; index < n; index++) {
      const pass = encoder.beginComputePass(timer?.describe(index, n));
      pass.setPipeline(pipeline);
      bind(pass, index);
      dispatch(pass, index);
      pass.end();
    }
    queue.submit([encoder.finish()]);
  };
}

/**
 * @param {Stage} stage
 * @param {Workload} workload
 * @param {Case} theCase
 * @param {GpuTimer | null} timer
 * @returns {Issue}
 */
function dispatches({ device, queue }, workload, theCase, timer) {
  const { pipeline } = workload;
  const bind = binding(device, workload, theCase);
  const dispatch = dispatching(workload);
  const once = workload.groups.length === 1 && theCase.bind_group !== 'created' && theCase.bind_group !== 'dynamic';
  return (n) => {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass(timer?.describe(0, 1));
    pass.setPipeline(pipeline);
    if (once) {
      bind(pass, 0);
      for (let index = 0; index < n; index++) dispatch(pass, index);
    } else {
      for (let index = 0; index < n; index++) {
        bind(pass, index);
        dispatch(pass, index);
      }
    }
    pass.end();
    queue.submit([encoder.finish()]);
  };
}

/** @param {GPUDevice} device @param {Workload} workload @param {Case} theCase @returns {Encode} */
function binding(device, workload, theCase) {
  const { groups, description, offsets } = workload;
  const [group] = groups;
  if (theCase.bind_group === 'created') return (pass) => pass.setBindGroup(0, device.createBindGroup(description));
  if (theCase.bind_group === 'dynamic') {
    const count = offsets.length;
    return (pass, index) => pass.setBindGroup(0, group, offsets[index % count]);
  }
  const count = groups.length;
  return count === 1
    ? (pass) => pass.setBindGroup(0, group)
    : (pass, index) => pass.setBindGroup(0, groups[index % count]);
}

/** @param {Workload} workload @returns {Encode} */
function dispatching({ kernel, indirect, workgroups }) {
  if (indirect) return (pass) => pass.dispatchWorkgroupsIndirect(indirect, 0);
  if (kernel.uses !== 'immediates') return (pass) => pass.dispatchWorkgroups(workgroups);
  const step = new Float32Array([1]);
  return (pass) => {
    /** @type {any} */ (pass).setImmediates(0, step);
    pass.dispatchWorkgroups(workgroups);
  };
}
