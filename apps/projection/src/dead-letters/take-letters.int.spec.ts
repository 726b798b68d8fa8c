import { afterAll, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { deadLettersOfCommands } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
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

it('waits until a dead letter is on the disk, since a crash of the database does not have it read again', async () => {
  await noteCommits(pool, 'dead_letter');
  const [message] = received([reported('first')]);
  const records = deadLettersOfCommands(groups.impression)({ message: message!, reason: 'a defect' });
  await takeLetters(pool, received(records));
  expect(await notedCommits(pool, 'dead_letter')).toEqual(['on']);
});
