// The reference kernel with the added value in a uniform, which is written before every dispatch.
@group(0) @binding(0) var<storage, read_write> values: array<f32>;
@group(0) @binding(1) var<uniform> step: vec4<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) {
    values[id.x] = values[id.x] + step.x;
  }
}
