import type { Finding } from './finding.ts';

/** How far the projection is, by `topic/partition`. */
export interface OffsetSample {
  /** Another one where the database began anew, or offsets were moved back on purpose: there they may fall. */
  readonly era: string;
  /** What its group committed to Kafka; -1: nothing. */
  readonly committed: ReadonlyMap<string, number>;
  /** What the read model says, asked after that. */
  readonly stored: ReadonlyMap<string, number>;
}

/**
 * I6: the offset of the read model never falls but by a crash of its database, which takes the last rows with their
 * offsets, or on purpose. Until the first of these, what is committed to Kafka is not beyond it; from then on it may be,
 * for Kafka was told of what the crash took, and may be told of it behind the crash.
 */
export function offsetsNeverFall(samples: readonly OffsetSample[]): readonly Finding[] {
  const firstEra = samples[0]?.era;
  return samples.flatMap((sample, index) => [
    ...fallen(sample, samples[index - 1]),
    ...(sample.era === firstEra ? toldTooSoon(sample) : []),
  ]);
}

function fallen({ era, stored }: OffsetSample, former: OffsetSample | undefined): readonly Finding[] {
  if (former?.era !== era) return [];
  return [...stored].flatMap(([place, offset]) => {
    const before = former.stored.get(place) ?? 0;
    return offset < before ? [finding(`${place} of the read model fell from ${before} to ${offset}`)] : [];
  });
}

const toldTooSoon = ({ committed, stored }: OffsetSample): readonly Finding[] =>
  [...committed].flatMap(([place, told]) => {
    const offset = stored.get(place) ?? 0;
    return told > offset ? [finding(`${place}: Kafka has ${told}, and the read model ${offset}`)] : [];
  });

const finding = (sentence: string): Finding => ({ invariant: 'I6', kind: 'wrong', sentence });
