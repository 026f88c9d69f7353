/** @import { Case, Kernel } from './types.js' */
/** @import { Stage } from './device.js' */
/** @import { Params } from './params.js' */
import { IMMEDIATES } from './device.js';
import { COMPUTE, COPY_DST, COPY_SRC, INDIRECT, STORAGE, UNIFORM } from './flags.js';
import { Failure, Unsupported } from './interrupt.js';

/** A slot of a ring begins where a dynamic offset may point. */
const SLOT_ALIGNMENT = 256;

/**
 * What a case dispatches: a pipeline and the buffers it counts in.
 *
 * @typedef {object} Workload
 * @property {Kernel} kernel
 * @property {GPUComputePipeline} pipeline
 * @property {GPUBindGroup[]} groups
 * @property {GPUBindGroupDescriptor} description Of the first group, for cases that create one per dispatch.
 * @property {number[][]} offsets Dynamic offsets, one list per slot; empty without.
 * @property {{ buffer: GPUBuffer, offset: number }[]} slots Where the kernel counts: one, or a ring of them.
 * @property {number} elements
 * @property {number} workgroups
 * @property {GPUBuffer | null} indirect
 * @property {GPUBuffer | null} uniform
 */

/**
 * Compiles the kernel and makes pipeline, buffers and bind groups, all within error scopes.
 *
 * @param {Stage} stage
 * @param {Params} params
 * @param {Case} theCase
 * @returns {Promise<Workload>}
 * @throws {Failure} With the compiler's message, file and line, or the validation error.
 */
export async function buildWorkload(stage, params, theCase) {
  const kernel = params.file.kernels[theCase.kernel ?? ''];
  if (!kernel) throw new Failure(`case ${theCase.id}: no kernel ${theCase.kernel}`);
  const { file } = params;
  const { device } = stage;
  if (kernel.uses === IMMEDIATES) requireSetImmediates(device);
  return stage.scoped('set-up', async () => {
    const module = device.createShaderModule({ label: kernel.file, code: params.wgsl[kernel.file] });
    await checkCompilation(stage, module, kernel.file);
    const dynamic = theCase.bind_group === 'dynamic';
    const layout = device.createBindGroupLayout({ entries: layoutEntries(kernel, dynamic) });
    const pipeline = device.createComputePipeline({
      layout: device.createPipelineLayout(layoutOf(layout, kernel)),
      compute: { module, entryPoint: kernel.entry ?? 'main' },
    });
    const bytes = file.workload.elements * kernel.bytes_per_element;
    const slots = makeSlots(device, bytes, slotCount(theCase, file.workload.ring ?? 64), dynamic);
    const uniform = kernel.uses === 'uniform' ? filled(device, UNIFORM, new Float32Array([1, 0, 0, 0])) : null;
    const workgroups = file.workload.workgroups;
    const descriptions = (dynamic ? slots.slice(0, 1) : slots).map(({ buffer }) => ({
      layout,
      entries: [
        { binding: 0, resource: { buffer, offset: 0, size: bytes } },
        ...(uniform ? [{ binding: 1, resource: { buffer: uniform } }] : []),
      ],
    }));
    return {
      kernel,
      pipeline,
      groups: descriptions.map((one) => device.createBindGroup(one)),
      description: descriptions[0],
      offsets: dynamic ? slots.map((slot) => [slot.offset]) : [],
      slots,
      elements: file.workload.elements,
      workgroups,
      indirect: theCase.indirect ? filled(device, INDIRECT, new Uint32Array([workgroups, 1, 1])) : null,
      uniform,
    };
  });
}

/**
 * @param {Stage} stage
 * @param {GPUShaderModule} module
 * @param {string} file
 */
async function checkCompilation(stage, module, file) {
  if (typeof module.getCompilationInfo !== 'function') return;
  const { messages } = await stage.interrupt.guard(module.getCompilationInfo());
  const error = messages.find((message) => message.type === 'error');
  if (error) throw new Failure(`${file}:${error.lineNum}:${error.linePos}: ${error.message}`);
}

/** A pass shows whether it takes immediate data; nothing is submitted. @param {GPUDevice} device */
function requireSetImmediates(device) {
  const pass = device.createCommandEncoder().beginComputePass();
  const missing = typeof (/** @type {any} */ (pass).setImmediates) !== 'function';
  pass.end();
  if (missing) throw new Unsupported('the runtime has no GPUComputePassEncoder.setImmediates');
}

/** @param {Case} theCase @param {number} ring */
function slotCount(theCase, ring) {
  if (theCase.bind_group === 'switched') return 2;
  return theCase.bind_group === 'dynamic' || theCase.buffers === 'independent' ? ring : 1;
}

/**
 * @param {Kernel} kernel
 * @param {boolean} dynamic
 * @returns {GPUBindGroupLayoutEntry[]}
 */
function layoutEntries(kernel, dynamic) {
  /** @type {GPUBindGroupLayoutEntry[]} */
  const entries = [{ binding: 0, visibility: COMPUTE, buffer: { type: 'storage', hasDynamicOffset: dynamic } }];
  if (kernel.uses === 'uniform') entries.push({ binding: 1, visibility: COMPUTE, buffer: { type: 'uniform' } });
  return entries;
}

/** @param {GPUBindGroupLayout} layout @param {Kernel} kernel */
function layoutOf(layout, kernel) {
  const immediate = kernel.uses === IMMEDIATES ? { immediateSize: 4 } : {};
  return { bindGroupLayouts: [layout], ...immediate };
}

/**
 * Slots in buffers of their own, or, for dynamic offsets, in one. Zeros are written to the shared one, since wgpu 29
 * takes what lies beyond a dynamic binding's nominal range for never written, and clears it as it is read
 * (gfx-rs/wgpu#1632).
 *
 * @param {GPUDevice} device
 * @param {number} bytes
 * @param {number} count
 * @param {boolean} shared
 */
function makeSlots(device, bytes, count, shared) {
  const usage = STORAGE | COPY_SRC | COPY_DST;
  const stride = Math.ceil(bytes / SLOT_ALIGNMENT) * SLOT_ALIGNMENT;
  const one = shared ? filled(device, usage, new Uint32Array((stride * count) / 4)) : null;
  return Array.from({ length: count }, (_, index) => ({
    buffer: one ?? device.createBuffer({ size: bytes, usage }),
    offset: one ? index * stride : 0,
  }));
}

/**
 * @param {GPUDevice} device
 * @param {number} usage
 * @param {Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>} content
 */
function filled(device, usage, content) {
  const buffer = device.createBuffer({ size: content.byteLength, usage: usage | COPY_DST });
  device.queue.writeBuffer(buffer, 0, content);
  return buffer;
}
