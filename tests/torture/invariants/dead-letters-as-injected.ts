import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { countBy } from './observation.ts';
import type { Finding } from './finding.ts';

/** A message that was to become a dead letter, and whose: one of each group that cannot read it. */
export interface Injected {
  readonly group: string;
  readonly key: string;
  /** False: it may do no harm instead. True if left out. */
  readonly isCertain?: boolean;
}

/** A dead letter as the read model tells of it. */
export interface Letter {
  readonly group: string;
  readonly key: string | null;
  readonly error: string;
}

/** I11: what was poisoned is a dead letter of who reads it, once, and nothing else is. */
export async function deadLettersAsInjected(
  databaseUrl: string,
  injected: readonly Injected[],
): Promise<readonly Finding[]> {
  const letters = await queryOnce<Letter>(
    databaseUrl,
    `select consumer as "group", key, error from read_model.dead_letter where error is not null order by seq`,
  );
  return unlikeInjected(letters, injected);
}

/** Where the letters are not those that were injected, each as often as it was; or less often where that is well too. */
export function unlikeInjected(letters: readonly Letter[], injected: readonly Injected[]): readonly Finding[] {
  const most = countBy(injected.map(placeOf));
  const least = countBy(injected.filter(({ isCertain = true }) => isCertain).map(placeOf));
  const counts = countBy(letters.map(placeOf));
  const surplus = letters.filter((letter) => !most.has(placeOf(letter)));
  return [
    ...[...most].flatMap(([place, atMost]) => {
      const count = counts.get(place) ?? 0;
      if (count >= (least.get(place) ?? 0) && count <= atMost) return [];
      return [finding(count > atMost ? 'doubled' : 'lost', `poison ${place}: a dead letter ${count} times`)];
    }),
    ...surplus.map((letter) => finding('wrong', `a dead letter of ${placeOf(letter)}: ${letter.error}`)),
  ];
}

const placeOf = ({ group, key }: { group: string; key: string | null }) => `${group}, key ${key}`;

const finding = (kind: Finding['kind'], sentence: string): Finding => ({ invariant: 'I11', kind, sentence });
