/** `lost`: acknowledged and not there. `doubled`: there more than once, or never asked for. `wrong`: anything else. */
export type Kind = 'lost' | 'doubled' | 'wrong';

/** Where an invariant does not hold. */
export interface Finding {
  /** Of docs/correctness.md: I1, I2 … */
  readonly invariant: string;
  readonly kind: Kind;
  /** What is found where, for people. */
  readonly sentence: string;
}

/** What was to be there once, if it is not. */
export function notOnce(invariant: string, what: string, count = 0): readonly Finding[] {
  if (count === 1) return [];
  const kind = count === 0 ? 'lost' : 'doubled';
  return [{ invariant, kind, sentence: `${what}: acknowledged, stored ${count} times` }];
}
