import type { Places } from './exposure-history.ts';

/** Whose variant is known: columns, one number an observation. */
export interface OfVariants {
  readonly count: number;
  /** The variant's row. */
  readonly arms: ArrayLike<number>;
}

/** Where observations stand, variant after variant; those of one in their order, so that their sums are the same bits. */
export interface VariantOrder {
  /** By variant: where its first one stands; then how many there are. */
  readonly firsts: Uint32Array;
  /** By part, of each observation: where it stands. */
  readonly stands: readonly Uint32Array[];
}

export function variantOrder(parts: readonly OfVariants[], variants: number): VariantOrder {
  const firsts = new Uint32Array(variants + 1);
  for (const { count, arms } of parts) for (let at = 0; at < count; at++) firsts[arms[at]! + 1]!++;
  for (let variant = 0; variant < variants; variant++) firsts[variant + 1]! += firsts[variant]!;
  const next = firsts.slice(0, variants);
  const stands = parts.map(({ count, arms }) => {
    const ofPart = new Uint32Array(count);
    for (let at = 0; at < count; at++) ofPart[at] = next[arms[at]!]!++;
    return ofPart;
  });
  return { firsts, stands };
}

/** A group's places in that order. @param columns by part; undefined where all are 0 */
export function placesInOrder({ firsts, stands }: VariantOrder, columns: readonly (Places | undefined)[]): Uint16Array {
  const ordered = new Uint16Array(firsts.at(-1)!);
  stands.forEach((ofPart, part) => {
    const column = columns[part];
    // A loop for each kind of array: one for both takes four times as long.
    if (column instanceof Uint8Array) for (let at = 0; at < ofPart.length; at++) ordered[ofPart[at]!] = column[at]!;
    else if (column) for (let at = 0; at < ofPart.length; at++) ordered[ofPart[at]!] = column[at]!;
  });
  return ordered;
}

/** Numbers in that order. @param columns by part */
export function numbersInOrder({ firsts, stands }: VariantOrder, columns: readonly Float32Array[]): Float32Array {
  const ordered = new Float32Array(firsts.at(-1)!);
  stands.forEach((ofPart, part) => {
    const column = columns[part]!;
    for (let at = 0; at < ofPart.length; at++) ordered[ofPart[at]!] = column[at]!;
  });
  return ordered;
}
