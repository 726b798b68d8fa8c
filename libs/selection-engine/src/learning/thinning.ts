/** So many of a variant's exposures stand for no more than it is measured by: single ones may stand for hundreds. */
const measuredShare = 0.9;

/** How many each may keep so that all together keep no more than there is room for: who has fewer keeps all. At least 1. */
export function levelOf(counts: readonly number[], room: number): number {
  const rising = Float64Array.from(counts).sort();
  let left = room;
  for (const [index, count] of rising.entries()) {
    const each = Math.floor(left / (rising.length - index));
    if (count > each) return each > 1 ? each : 1;
    left -= count;
  }
  return Infinity;
}

/**
 * For how many exposures one without a start may stand, so that a variant keeps no more of them than its level: as many as
 * nine tenths do at most, or so many times that. So the young come to stand for as many as the old. Were the old to join
 * each other every time, one of them would at last stand for all that is old.
 * @param sizes in their order @param level at least 1
 * @returns 0 if none need join
 */
export function mostJoined(sizes: readonly number[], level: number): number {
  if (sizes.length <= level) return 0;
  let most = measureOf(sizes);
  while (countJoined(sizes, most) > level) most *= 2;
  return most;
}

/** @param sizes at least one */
function measureOf(sizes: readonly number[]): number {
  const rising = Float32Array.from(sizes).sort();
  return rising[Math.ceil(measuredShare * rising.length) - 1] || 1;
}

/** How many are left when each joins the one before it as long as that stands for no more than `most`. */
function countJoined(sizes: readonly number[], most: number): number {
  let count = 0;
  let open = Infinity;
  for (const size of sizes) {
    if (open + size <= most) {
      open = Math.fround(open + size);
      continue;
    }
    open = size;
    count++;
  }
  return count;
}
