import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { testDatabase } from '@paywright/testing';
import { DecisionQueries } from './decision-queries.ts';

it('finds a model by the hash that a decision names, of its own app', async () => {
  await using database = await testDatabase('selection-learning');
  const bytes = Buffer.from('a model');
  await database.pool.query(
    `insert into model_snapshot (app_id, sha256, model, learned_until, published_at, bytes)
     values (1, 'abc', 'main', now(), now(), $1)`,
    [gzipSync(bytes)],
  );
  const decisions = new DecisionQueries(database.pool);
  expect(Buffer.from((await decisions.modelSnapshot(1, 'abc')) ?? [])).toEqual(bytes);
  expect(await decisions.modelSnapshot(2, 'abc')).toBeNull();
  expect(await decisions.modelSnapshot(1, 'abd')).toBeNull();
});
