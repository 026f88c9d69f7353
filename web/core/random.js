/**
 * A seeded generator (mulberry32), so that a run's order can be repeated from its seed.
 *
 * @param {number} seed
 * @returns {() => number} Uniform in [0, 1).
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A shuffled copy (Fisher-Yates).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random
 * @returns {T[]}
 */
export function shuffled(items, random) {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [copy[last], copy[chosen]] = [copy[chosen], copy[last]];
  }
  return copy;
}
