import { afterAll, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { createPool } from '@paywright/event-sourcing';
import { deadLettersOfCommands, isInfrastructureFault } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { readModelSchema } from '@paywright/read-model';
import { openReadModel } from '../open-read-model.ts';
import { reported } from '../testing/command-group.ts';
import { noteCommits, notedCommits } from '../testing/commits.ts';
import { received } from '../testing/event-log.ts';
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

const lettersOf = (id: string) => {
  const [message] = received([reported(id)]);
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
