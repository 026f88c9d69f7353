/**
 * The median: of two middle values their mean, NaN of nothing.
 *
 * @param {readonly number[]} values
 */
export function median(values) {
  if (values.length === 0) return NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * Median absolute deviation from the median, a spread that outliers do not move.
 *
 * @param {readonly number[]} values
 */
export function deviation(values) {
  const middle = median(values);
  return median(values.map((value) => Math.abs(value - middle)));
}
