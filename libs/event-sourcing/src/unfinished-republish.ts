import { ToldError } from '@paywright/platform';
import type { ClientBase, Pool } from 'pg';

/**
 * An empty Postgres schema, there from before a republish voids what readers know until all topics are filled. It is in
 * the database, since that is all that a restored installation, the launcher and a production share.
 */
const marker = 'unfinished_republish';

/** Statements, to run with those of the work itself. */
export const markRepublishUnfinished = `create schema if not exists ${marker}`;
export const markRepublishFinished = `drop schema if exists ${marker}`;

/** The topics hold a part of what the event stores hold. */
export class UnfinishedRepublish extends ToldError {
  constructor() {
    super(
      [
        'The topics were not filled to the end: the last `npm run republish` failed, or still runs. Nothing starts before',
        'it is through. Delete the topics, or the folder kafka of the data of npm start, and run it again: in the image that',
        'is `node dist/deploy/republish/main.js` (docs/backup.md).',
      ].join('\n'),
    );
  }
}

/** @throws UnfinishedRepublish if a republish began and did not end: what starts would write between what is missing */
export async function requireFilledTopics(database: Pick<Pool | ClientBase, 'query'>): Promise<void> {
  const { rowCount } = await database.query(`select where to_regnamespace('${marker}') is not null`);
  if (rowCount !== 0) throw new UnfinishedRepublish();
}
