// Deno, whose WebGPU is wgpu: deno run --unstable-webgpu -A web/hosts/deno.js --suite NAME --seed S --wgsl DIR
import { printRun } from './lines.js';

const { Deno, navigator } = /** @type {any} */ (globalThis);
const { version } = Deno;
await printRun(navigator.gpu, { runtime_version: version.deno, libraries: { deno: version.deno, v8: version.v8 } });
