// Failure drills: what goes wrong in the field, made to go wrong on purpose. Loaded only where the address asks for
// one, and only by wrapping what the browser hands out: the benchmark knows nothing of them.

const NULL_ANSWERS = 3;
/** Only ladders submit this many command buffers on one device, and the second one to do so loses its device. */
const BUFFERS_BEFORE_LOSS = 400;
const LADDERS_BEFORE_LOSS = 1;
const ADAPTERS_BEFORE_FALL_BACK = 2;
const A_GPU = { vendor: 'drill', architecture: 'gpu', device: '', description: '', isFallbackAdapter: false };

/** @type {Record<string, (gpu: GPU) => void>} */
const DRILLS = {
  /** The first requests for an adapter are answered null, as while a GPU process restarts. */
  'null-adapter': (gpu) => {
    const request = gpu.requestAdapter.bind(gpu);
    let left = NULL_ANSWERS;
    gpu.requestAdapter = async (options) => (left-- > 0 ? null : request(options));
  },
  /** The first adapters pass for a GPU, the later ones are what the browser really has: it fell back on the way. */
  'fall-back': (gpu) => {
    const request = gpu.requestAdapter.bind(gpu);
    let left = ADAPTERS_BEFORE_FALL_BACK;
    gpu.requestAdapter = async (options) => {
      const adapter = await request(options);
      if (adapter && left-- > 0) Object.defineProperty(adapter, 'info', { value: A_GPU });
      return adapter;
    };
  },
  /** One device is destroyed amid the submits of a case, as by a GPU reset. */
  'lose-device': (gpu) => {
    let ladders = 0;
    onDevice(gpu, (device) => {
      let submitted = 0;
      const submit = device.queue.submit.bind(device.queue);
      device.queue.submit = (buffers) => {
        const list = [...buffers];
        submit(list);
        const before = submitted;
        submitted += list.length;
        if (before >= BUFFERS_BEFORE_LOSS || submitted < BUFFERS_BEFORE_LOSS) return;
        if (ladders++ === LADDERS_BEFORE_LOSS) device.destroy();
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
