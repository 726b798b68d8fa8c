import { afterAll, expect, it } from '@jest/globals';
import { groups } from '@paywright/contracts';
import { deadLettersOfCommands } from '@paywright/messaging';
import { createLogger } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { openReadModel } from '../open-read-model.ts';
import { reported } from '../testing/command-group.ts';
import { received } from '../testing/event-log.ts';
import { takeLetters } from './take-letters.ts';

const database = await testDatabase('read-model');
const pool = openReadModel(database.url, createLogger({ service: 'test', level: 'error' }));
afterAll(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

/** Has each transaction that keeps a letter note, as the last it does, whether its commit waits for the disk. */
const noteCommits = `
  create table commit_of_letter (waits_for_disk text);
  create function note_commit() returns trigger language plpgsql as $$
    begin insert into commit_of_letter values (current_setting('synchronous_commit')); return null; end $$;
  create constraint trigger note_commit after insert on dead_letter deferrable initially deferred
    for each row execute function note_commit()`;

it('waits until a dead letter is on the disk, since a crash of the database does not have it read again', async () => {
  await pool.query(noteCommits);
  const [message] = received([reported('first')]);
  const records = deadLettersOfCommands(groups.impression)({ message: message!, reason: 'a defect' });
  await takeLetters(pool, received(records));
  expect((await pool.query('select waits_for_disk from commit_of_letter')).rows).toEqual([{ waits_for_disk: 'on' }]);
});
