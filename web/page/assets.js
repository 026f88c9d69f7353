import { kernelFiles, readParams } from '../core/params.js';

/**
 * Fetches the suite file with its kernels and reads a suite out of it.
 *
 * @param {string} suite
 * @param {number} seed
 */
export async function fetchParams(suite, seed) {
  const file = await (await fetchFile('/wgsl/suite.json')).json();
  const texts = await Promise.all(
    kernelFiles(file).map(async (name) => [name, await (await fetchFile(`/wgsl/${name}`)).text()]),
  );
  return readParams(file, suite, Object.fromEntries(texts), seed);
}

/** @param {string} path */
async function fetchFile(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}
