import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from './pool.ts';
import { inTransaction, sending } from './transaction.ts';

const pool = createPool({ databaseUrl: process.env['TEST_DATABASE_URL']!, schema: 'public', max: 1 });
const insert = (id: number) => ({ name: 'insert', text: 'insert into transaction_spec values ($1)', values: [id] });
const stored = async () => {
  const { rows } = await pool.query<{ id: number }>('select id from transaction_spec order by id');
  return rows.map(({ id }) => id);
};

beforeAll(() => pool.query('create table if not exists transaction_spec (id int primary key)'));
beforeEach(() => pool.query('truncate transaction_spec'));
afterAll(async () => {
  await pool.query('drop table transaction_spec');
  await pool.end();
});

describe('inTransaction', () => {
  it('commits what was sent without being waited for', async () => {
    const result = await inTransaction(pool, async (transaction) => {
      transaction.send(insert(1));
      const { rows } = await transaction.query<{ count: string }>('select count(*) from transaction_spec');
      transaction.send(insert(2));
      return rows[0]?.count;
    });
    expect([result, await stored()]).toEqual(['1', [1, 2]]);
  });

  it('fails with the statement that failed, and leaves nothing', async () => {
    const sent = inTransaction(pool, async (transaction) => {
      for (const id of [1, 1, 2]) transaction.send(insert(id));
    });
    await expect(sent).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
  });

  it('tells why a later question found no answer', async () => {
    const asked = inTransaction(pool, async (transaction) => {
      for (const id of [1, 1]) transaction.send(insert(id));
      await transaction.query('select 1'); // fails, since the transaction has
    });
    await expect(asked).rejects.toMatchObject({ code: '23505' });
  });

  it('throws what the work throws, and leaves nothing', async () => {
    const thrown = inTransaction(pool, async (transaction) => {
      transaction.send(insert(1));
      throw new Error('not now');
    });
    await expect(thrown).rejects.toThrow('not now');
    expect(await stored()).toEqual([]);
  });

  it('does not pass for committed where a failure was kept quiet', async () => {
    const quiet = inTransaction(pool, async (transaction) => {
      await transaction.query('select 1 / 0').catch(() => undefined);
    });
    await expect(quiet).rejects.toThrow('Rolled back');
  });

  it('gives its connection back', async () => {
    for (let round = 0; round < 3; round++)
      await inTransaction(pool, async (transaction) => transaction.send({ text: 'select 1 / 0' })).catch(
        () => undefined,
      );
    expect(await stored()).toEqual([]); // by the pool's only connection
  });

  it('keeps no connection to a server that takes no writes, since another one may by now', async () => {
    await pool.query('set session characteristics as transaction read only');
    const add = () => inTransaction(pool, async (transaction) => transaction.send(insert(1)));
    await expect(add()).rejects.toMatchObject({ code: '25006' });
    await add();
    expect(await stored()).toEqual([1]);
  });

  it('keeps no connection whose prepared statements are of a table that has changed since', async () => {
    const all = { name: 'all', text: 'select * from transaction_spec' };
    const readAll = () => inTransaction(pool, async (transaction) => (await transaction.query(all)).fields.length);
    expect(await readAll()).toBe(1);
    await pool.query('alter table transaction_spec add note text');
    try {
      await expect(readAll()).rejects.toMatchObject({ code: '0A000' });
      expect(await readAll()).toBe(2);
    } finally {
      await pool.query('alter table transaction_spec drop note');
    }
  });
});

describe('sending', () => {
  it('leaves the transaction around it as a savepoint left it', async () => {
    await inTransaction(pool, async (transaction) => {
      transaction.send(insert(1));
      await transaction.query('savepoint attempt');
      const attempted = sending(transaction, async (attempt) => [1, 2].forEach((id) => attempt.send(insert(id))));
      await expect(attempted).rejects.toMatchObject({ code: '23505' });
      await transaction.query('rollback to savepoint attempt');
    });
    expect(await stored()).toEqual([1]);
  });
});
