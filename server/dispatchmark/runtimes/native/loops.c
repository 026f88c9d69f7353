/* The timed loops of wgpu-c and dawn-c: the calls of a dispatch through the C API, without Python between them.
   Only pointers and integers cross these calls, and the functions are handed in by address, so that one source serves
   both libraries and needs the header of neither. Each struct has its twin in compiled.py. */
/* clock_gettime is POSIX, which strict C11 leaves out. */
#define _POSIX_C_SOURCE 199309L
#include <stddef.h>
#include <stdint.h>
#include <time.h>

typedef void *handle;

struct calls {
  handle (*create_encoder)(handle device, const void *descriptor);
  handle (*begin_pass)(handle encoder, const void *descriptor);
  void (*set_pipeline)(handle pass, handle pipeline);
  void (*set_bind_group)(handle pass, uint32_t index, handle group, size_t offset_count, const uint32_t *offsets);
  void (*set_immediates)(handle pass, uint32_t offset, const void *data, size_t size);
  void (*dispatch)(handle pass, uint32_t x, uint32_t y, uint32_t z);
  void (*dispatch_indirect)(handle pass, handle buffer, uint64_t offset);
  void (*end_pass)(handle pass);
  void (*release_pass)(handle pass);
  handle (*finish)(handle encoder, const void *descriptor);
  void (*release_encoder)(handle encoder);
  void (*submit)(handle queue, size_t count, const handle *buffers);
  void (*release_buffer)(handle buffer);
  handle (*create_bind_group)(handle device, const void *descriptor);
  void (*release_bind_group)(handle group);
  void (*write_buffer)(handle queue, handle buffer, uint64_t offset, const void *data, size_t size);
};

/* What a case dispatches. Absent things are null, and counts zero. `scratch` holds `scratch_count` handles at least. */
struct work {
  handle device, queue, pipeline;
  const handle *groups;
  uint64_t group_count;
  const uint32_t *offsets;
  uint64_t offset_count;
  const void *description; /* of the bind group that is created for every dispatch */
  handle indirect, uniform;
  const void *immediate;
  const void *one; /* four floats, written to the uniform */
  uint64_t workgroups;
  handle *scratch;
  uint64_t per_submit;
};

static void bind(const struct calls *c, const struct work *w, handle pass, uint64_t index) {
  if (w->description) {
    handle group = c->create_bind_group(w->device, w->description);
    c->set_bind_group(pass, 0, group, 0, NULL);
    c->release_bind_group(group);
  } else if (w->offset_count) {
    c->set_bind_group(pass, 0, w->groups[0], 1, w->offsets + index % w->offset_count);
  } else {
    c->set_bind_group(pass, 0, w->groups[w->group_count == 1 ? 0 : index % w->group_count], 0, NULL);
  }
}

static void dispatch(const struct calls *c, const struct work *w, handle pass) {
  if (w->indirect) {
    c->dispatch_indirect(pass, w->indirect, 0);
    return;
  }
  if (w->immediate) c->set_immediates(pass, 0, w->immediate, 4);
  c->dispatch(pass, (uint32_t)w->workgroups, 1, 1);
}

static void whole_pass(const struct calls *c, const struct work *w, handle encoder, uint64_t index) {
  handle pass = c->begin_pass(encoder, NULL);
  c->set_pipeline(pass, w->pipeline);
  bind(c, w, pass, index);
  dispatch(c, w, pass);
  c->end_pass(pass);
  c->release_pass(pass);
}

static handle finished(const struct calls *c, handle encoder) {
  handle buffer = c->finish(encoder, NULL);
  c->release_encoder(encoder);
  return buffer;
}

static void submit_one(const struct calls *c, const struct work *w, handle encoder) {
  handle buffer = finished(c, encoder);
  c->submit(w->queue, 1, &buffer);
  c->release_buffer(buffer);
}

void submits(const struct calls *c, const struct work *w, uint64_t n) {
  for (uint64_t index = 0; index < n; index++) {
    if (w->uniform) c->write_buffer(w->queue, w->uniform, 0, w->one, 16);
    handle encoder = c->create_encoder(w->device, NULL);
    whole_pass(c, w, encoder, index);
    submit_one(c, w, encoder);
  }
}

void command_buffers(const struct calls *c, const struct work *w, uint64_t n) {
  for (uint64_t first = 0; first < n; first += w->per_submit) {
    uint64_t count = n - first < w->per_submit ? n - first : w->per_submit;
    for (uint64_t index = 0; index < count; index++) {
      handle encoder = c->create_encoder(w->device, NULL);
      whole_pass(c, w, encoder, first + index);
      w->scratch[index] = finished(c, encoder);
    }
    c->submit(w->queue, count, w->scratch);
    for (uint64_t index = 0; index < count; index++) c->release_buffer(w->scratch[index]);
  }
}

void passes(const struct calls *c, const struct work *w, uint64_t n) {
  handle encoder = c->create_encoder(w->device, NULL);
  for (uint64_t index = 0; index < n; index++) whole_pass(c, w, encoder, index);
  submit_one(c, w, encoder);
}

void dispatches(const struct calls *c, const struct work *w, uint64_t n) {
  handle encoder = c->create_encoder(w->device, NULL);
  handle pass = c->begin_pass(encoder, NULL);
  int once = w->group_count == 1 && !w->description && !w->offset_count;
  c->set_pipeline(pass, w->pipeline);
  if (once) bind(c, w, pass, 0);
  for (uint64_t index = 0; index < n; index++) {
    if (!once) bind(c, w, pass, index);
    dispatch(c, w, pass);
  }
  c->end_pass(pass);
  c->release_pass(pass);
  submit_one(c, w, encoder);
}

void empty_submits(const struct calls *c, const struct work *w, uint64_t n) {
  for (uint64_t index = 0; index < n; index++) c->submit(w->queue, 0, NULL);
}

static uint64_t now_ns(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

/* Times each call of a dispatch over a batch of n, in nanoseconds: `spans` takes ten, in the order of PHASES in
   compiled.py. `scratch` holds 3 n handles. What is released here is not timed. */
void phases(const struct calls *c, const struct work *w, uint64_t n, const void *description, handle uniform,
            uint64_t *spans) {
  handle *encoders = w->scratch, *runs = w->scratch + n, *buffers = w->scratch + 2 * n;
  uint64_t start;
#define TIMED(slot, call)                             \
  start = now_ns();                                   \
  for (uint64_t i = 0; i < n; i++) call;              \
  spans[slot] = now_ns() - start
  TIMED(0, encoders[i] = c->create_encoder(w->device, NULL));
  TIMED(1, runs[i] = c->begin_pass(encoders[i], NULL));
  TIMED(2, c->set_pipeline(runs[i], w->pipeline));
  TIMED(3, c->set_bind_group(runs[i], 0, w->groups[0], 0, NULL));
  TIMED(4, c->dispatch(runs[i], (uint32_t)w->workgroups, 1, 1));
  TIMED(5, c->end_pass(runs[i]));
  TIMED(6, buffers[i] = c->finish(encoders[i], NULL));
  TIMED(7, c->submit(w->queue, 1, buffers + i));
  for (uint64_t i = 0; i < n; i++) {
    c->release_pass(runs[i]);
    c->release_encoder(encoders[i]);
    c->release_buffer(buffers[i]);
  }
  TIMED(8, buffers[i] = c->create_bind_group(w->device, description));
  for (uint64_t i = 0; i < n; i++) c->release_bind_group(buffers[i]);
  TIMED(9, c->write_buffer(w->queue, uniform, 0, w->one, 16));
#undef TIMED
}
