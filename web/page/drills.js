// Failure drills: what goes wrong in the field, made to go wrong on purpose. Loaded only where the address asks for
// one, and only by wrapping what the browser hands out: the benchmark knows nothing of them.

const NULL_ANSWERS = 3;
/** The device of the second ladder case of the quick suite: wait, submit, timestamps and naive come before it. */
const SUBMITS_BEFORE_LOSS = 40;

/** @type {Record<string, (gpu: GPU) => void>} */
const DRILLS = {
  /** The first requests for an adapter are answered null, as while a GPU process restarts. */
  'null-adapter': (gpu) => {
    const request = gpu.requestAdapter.bind(gpu);
    let left = NULL_ANSWERS;
    gpu.requestAdapter = async (options) => (left-- > 0 ? null : request(options));
  },
  /** One device is destroyed amid the submits of a case, as by a GPU reset. */
  'lose-device': (gpu) => {
    let submits = 0;
    let lost = false;
    onDevice(gpu, (device) => {
      submits = 0;
      const submit = device.queue.submit.bind(device.queue);
      device.queue.submit = (buffers) => {
        submit(buffers);
        const list = [...buffers];
        if (!lost && list.length > 0 && ++submits === SUBMITS_BEFORE_LOSS) {
          lost = true;
          device.destroy();
        }
      };
    });
  },
  /** The GPU never answers again. */
  hang: (gpu) => {
    onDevice(gpu, (device) => {
      device.queue.onSubmittedWorkDone = () => new Promise(() => {});
    });
  },
  /** The page itself stops, as in an endless loop of a driver. */
  freeze: () => {
    setTimeout(() => {
      for (;;);
    }, 1500);
  },
};

/**
 * @param {GPU} gpu
 * @param {(device: GPUDevice) => void} change
 */
function onDevice(gpu, change) {
  const requestAdapter = gpu.requestAdapter.bind(gpu);
  gpu.requestAdapter = async (options) => {
    const adapter = await requestAdapter(options);
    if (!adapter) return adapter;
    const requestDevice = adapter.requestDevice.bind(adapter);
    adapter.requestDevice = async (descriptor) => {
      const device = await requestDevice(descriptor);
      change(device);
      return device;
    };
    return adapter;
  };
}

/**
 * @param {string} name
 * @param {import('../core/types.js').Host} host
 */
export function prepare(name, host) {
  if (!Object.hasOwn(DRILLS, name)) throw new Error(`no drill ${name}; there are ${Object.keys(DRILLS).join(', ')}`);
  if (host.gpu) DRILLS[name](host.gpu);
}
