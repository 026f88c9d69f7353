// Node with npm's `webgpu`, which is Dawn: node web/hosts/node.js --suite NAME --seed S --wgsl DIR
import { createRequire } from 'node:module';
import process from 'node:process';
import { create } from 'webgpu';
import { printRun } from './lines.js';

const { version } = createRequire(import.meta.url)('webgpu/package.json');
await printRun(create([]), { runtime_version: version, libraries: { node: process.versions.node, webgpu: version } });
