// WebGPU's flags by value: outside a browser the global objects that hold them may be missing.
export const MAP_READ = 0x0001;
export const COPY_SRC = 0x0004;
export const COPY_DST = 0x0008;
export const UNIFORM = 0x0040;
export const STORAGE = 0x0080;
export const INDIRECT = 0x0100;
export const QUERY_RESOLVE = 0x0200;

/** GPUMapMode.READ */
export const READ = 0x0001;
/** GPUShaderStage.COMPUTE */
export const COMPUTE = 0x4;
