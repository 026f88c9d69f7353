// The reference kernel in f16: each invocation adds 1 to one element, so that the buffer counts the dispatches it saw.
enable f16;
@group(0) @binding(0) var<storage, read_write> values: array<f16>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < arrayLength(&values)) {
    values[id.x] = values[id.x] + 1h;
  }
}
