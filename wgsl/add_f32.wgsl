// The reference kernel in f32: each invocation adds 1 to one element, so that the buffer counts the dispatches it saw.
@group(0) @binding(0) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) {
    values[id.x] = values[id.x] + 1f;
  }
}
