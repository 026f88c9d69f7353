// Plain loops, as one would write them from an introduction to WebGPU. They share no code with the harness.

/**
 * @param {GPUDevice} device
 * @param {string} code
 * @returns {{ loops: Record<string, (n: number) => void>, buffer: GPUBuffer }} The loops by operation, and the buffer
 *   in which their dispatches count.
 */
export function plainLoops(device, code) {
  const { queue } = device;
  const buffer = device.createBuffer({ size: 1024, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
  });
  const group = device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [{ binding: 0, resource: { buffer } }],
  });

  /** @param {GPUCommandEncoder} encoder */
  const onePass = (encoder) => {
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(4);
    pass.end();
  };

  return {
    buffer,
    loops: {
      submit: (n) => {
        for (let i = 0; i < n; i++) {
          const encoder = device.createCommandEncoder();
          onePass(encoder);
          queue.submit([encoder.finish()]);
        }
      },
      cmdbufs: (n) => {
        const buffers = [];
        for (let i = 0; i < n; i++) {
          const encoder = device.createCommandEncoder();
          onePass(encoder);
          buffers.push(encoder.finish());
        }
        queue.submit(buffers);
      },
      passes: (n) => {
        const encoder = device.createCommandEncoder();
        for (let i = 0; i < n; i++) onePass(encoder);
        queue.submit([encoder.finish()]);
      },
      dispatches: (n) => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        for (let i = 0; i < n; i++) pass.dispatchWorkgroups(4);
        pass.end();
        queue.submit([encoder.finish()]);
      },
    },
  };
}

/**
 * Waits for all submitted work; where plain waits end on a slow poll, with an empty submit every millisecond.
 *
 * @param {GPUDevice} device
 * @param {boolean} nudged
 */
export async function plainWait(device, nudged) {
  const { queue } = device;
  if (!nudged) {
    await queue.onSubmittedWorkDone();
    return;
  }
  // Nested timers are slowed down to 4 ms in a page; each one set from a message is a first one. A nudge is a submit
  // and costs what one costs, so nudging less often than the harness does would be another measurement.
  const { port1, port2 } = new MessageChannel();
  const millisecond = () =>
    new Promise((resolve) => {
      port1.onmessage = () => setTimeout(resolve, 1);
      port2.postMessage(null);
    });
  let done = false;
  const promise = queue.onSubmittedWorkDone().then(() => {
    done = true;
  });
  while (!done) {
    queue.submit([device.createCommandEncoder().finish()]);
    await Promise.race([promise, millisecond()]);
  }
  port1.close();
}
