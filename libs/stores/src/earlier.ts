/** The earlier of two moments, and the one that there is where the other is not; null: neither. */
export const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
