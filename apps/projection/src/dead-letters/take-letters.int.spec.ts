import { afterAll, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { createPool } from '@paywright/event-sourcing';
import { deadLettersOfCommands, isInfrastructureFault } from '@paywright/messaging';
import { createLogger, derivedId, Metrics, sqlFaultOf } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { readModelSchema } from '@paywright/read-model';
import { openReadModel } from '../open-read-model.ts';
import { reported } from '../testing/command-group.ts';
import { noteCommits, notedCommits } from '../testing/commits.ts';
import { openDesk } from '../testing/dead-letter-desk.ts';
import { received } from '../testing/event-log.ts';
import { DeadLetterCounts } from './dead-letter-counts.ts';
import { deadLetterHandler } from './open-dead-letter-desk.ts';
import { takeLetters } from './take-letters.ts';

const database = await testDatabase('read-model');
const pool = openReadModel(database.url, {
  logger: createLogger({ service: 'test', level: 'error' }),
  metrics: new Metrics(),
});
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

const lettersOf = (id: string, offset = 0) => {
  const [message] = received([reported(id)], offset);
  return received(deadLettersOfCommands(groups.impression)({ message: message!, reason: 'a defect' }));
};

it('waits until a dead letter is on the disk, since a crash of the database does not have it read again', async () => {
  await noteCommits(pool, 'dead_letter');
  await takeLetters(pool, lettersOf('first'));
  expect(await notedCommits(pool, 'dead_letter')).toEqual(['on']);
});

it('blames no message for a database that answers and takes no writes, as a standby does, or one whose disk is nearly full', async () => {
  const settings = { default_transaction_read_only: 'on' };
  const standby = createPool({ databaseUrl: database.url, schema: readModelSchema, max: 1, settings });
  const error: unknown = await takeLetters(standby, lettersOf('second')).catch((error: unknown) => error);
  await standby.end();
  expect(error).toMatchObject({ code: '25006' });
  expect(isInfrastructureFault(error)).toBe(true);
});

it('blames no dead letter for a table that is not there, or else each would lead to another one', async () => {
  const handle = deadLetterHandler(openDesk(pool), pool, new DeadLetterCounts(pool, new Metrics()));
  await pool.query('alter table dead_letter rename to away');
  const error: unknown = await handle(lettersOf('third', 1)).catch((error: unknown) => error);
  expect(sqlFaultOf(error)).toBe('database');
  await pool.query('alter table away rename to dead_letter');
  await handle(lettersOf('third', 1));
  const { rows } = await pool.query('select status from dead_letter where message_id = $1', [derivedId('third')]);
  expect(rows).toEqual([{ status: 'open' }]);
});
