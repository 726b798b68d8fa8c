import pg from 'pg';
import type { Finding } from './finding.ts';

/** I11: what was poisoned is a dead letter, and nothing else is. */
export async function deadLettersAsInjected(
  databaseUrl: string,
  poisoned: ReadonlySet<string>,
): Promise<readonly Finding[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ consumer: string; key: string | null; error: string }>(
      'select consumer, key, error from read_model.dead_letter where error is not null order by seq',
    );
    const found = new Set(rows.map(({ key }) => key));
    const surplus = rows.filter(({ key }) => key === null || !poisoned.has(key));
    return [
      ...[...poisoned]
        .filter((key) => !found.has(key))
        .map((key) => finding('lost', `poison ${key} is no dead letter`)),
      ...surplus.map(({ consumer, key, error }) =>
        finding('wrong', `a dead letter of ${consumer}, key ${key}: ${error}`),
      ),
    ];
  } finally {
    await client.end();
  }
}

const finding = (kind: Finding['kind'], sentence: string): Finding => ({ invariant: 'I11', kind, sentence });
