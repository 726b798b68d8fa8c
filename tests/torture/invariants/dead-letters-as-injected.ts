import pg from 'pg';
import { countBy } from './observation.ts';
import type { Finding } from './finding.ts';

/** A message that was to become a dead letter, and whose: one of each group that cannot read it. */
export interface Injected {
  readonly group: string;
  readonly key: string;
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Letter>(
      `select consumer as "group", key, error from read_model.dead_letter where error is not null order by seq`,
    );
    return unlikeInjected(rows, injected);
  } finally {
    await client.end();
  }
}

/** Where the letters are not those that were injected, each of them once. */
export function unlikeInjected(letters: readonly Letter[], injected: readonly Injected[]): readonly Finding[] {
  const expected = new Set(injected.map(placeOf));
  const counts = countBy(letters.map(placeOf));
  const surplus = letters.filter((letter) => !expected.has(placeOf(letter)));
  return [
    ...[...expected].flatMap((place) => {
      const count = counts.get(place) ?? 0;
      if (count === 1) return [];
      return [finding(count === 0 ? 'lost' : 'doubled', `poison ${place}: a dead letter ${count} times`)];
    }),
    ...surplus.map((letter) => finding('wrong', `a dead letter of ${placeOf(letter)}: ${letter.error}`)),
  ];
}

const placeOf = ({ group, key }: { group: string; key: string | null }) => `${group}, key ${key}`;

const finding = (kind: Finding['kind'], sentence: string): Finding => ({ invariant: 'I11', kind, sentence });
