// The reference kernel with the added value as immediate data, set in the pass before every dispatch.
@group(0) @binding(0) var<storage, read_write> values: array<f32>;
var<immediate> step: f32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) {
    values[id.x] = values[id.x] + step;
  }
}
