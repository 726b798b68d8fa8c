import { describe, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { clock, testReadModel } from '../testing/read-model.ts';
import { countBlockedKeys, countLetters } from './letter.sql.ts';
import { SettledLetters } from './settled-letters.ts';

const { pool } = await testReadModel();
const day = 24 * 60 * 60 * 1000;

/** $1 group, $2 status, $3 when it was settled, $4 how many, $5 from which offset on. */
const insert = `
  insert into dead_letter (consumer, key, topic, partition, "offset", headers, blocks, error, attempts, status, recorded_at, settled_at)
  select $1, 'k' || place, 'a.topic', 0, $5 + place, '{}', $2 = 'open', 'a defect', 1, $2, $3::timestamptz,
    case when $2 <> 'open' then $3::timestamptz end
  from generate_series(1, $4) as place`;
let offset = 0;
async function letters(group: string, status: string, daysAgo: number, count = 1): Promise<void> {
  await pool.query(insert, [group, status, new Date(clock.now() - daysAgo * day), count, (offset += 100_000)]);
}

async function forgetAll(): Promise<void> {
  const settled = new SettledLetters(pool, clock);
  while (await settled.forgetSome());
}

const left = async () => {
  const { rows } = await pool.query<{ letter: string }>(
    `select distinct consumer || ' ' || status || ' ' || extract(day from $1::timestamptz - recorded_at) as letter
     from dead_letter order by letter`,
    [new Date(clock.now())],
  );
  return rows.map(({ letter }) => letter);
};

describe('dead letters that somebody acted on', () => {
  it('are forgotten after half a year, and open ones never', async () => {
    for (const status of ['open', 'retried', 'discarded'])
      for (const daysAgo of [179, 181]) await letters(groups.profile, status, daysAgo);
    await forgetAll();
    expect(await left()).toEqual(
      ['discarded 179', 'open 179', 'open 181', 'retried 179'].map((rest) => `profile ${rest}`),
    );
  });

  it('stay where the projection’s were discarded: a rebuild gives them up again by that', async () => {
    for (const status of ['retried', 'discarded']) await letters(groups.projection, status, 400);
    await forgetAll();
    expect(await left()).toEqual(['projection discarded 400']);
  });

  it('are forgotten in steps, however many there are', async () => {
    await letters(groups.profile, 'retried', 181, 2_500);
    const settled = new SettledLetters(pool, clock);
    expect([await settled.forgetSome(), await settled.forgetSome(), await settled.forgetSome()]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await left()).toEqual([]);
  });

  it('are not read to count those that are open', async () => {
    await letters(groups.profile, 'retried', 1, 2_000);
    await letters(groups.projection, 'discarded', 1, 2_000);
    await letters(groups.projection, 'open', 1, 3);
    await pool.query('vacuum analyze dead_letter');
    for (const [counting, values] of [
      [countLetters, []],
      [countBlockedKeys, [groups.projection]],
    ] as const) {
      const { rows } = await pool.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${counting}`, [
        ...values,
      ]);
      const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
      const inVain = [...plan.matchAll(/"Rows Removed by [^"]+":(\d+)/g)].reduce(
        (sum, [, read]) => sum + Number(read),
        0,
      );
      expect(inVain).toBeLessThan(100);
    }
  });
});
