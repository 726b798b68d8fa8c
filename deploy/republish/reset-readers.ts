import { markRepublishFinished, markRepublishUnfinished } from '@paywright/event-sourcing';
import pg from 'pg';

/**
 * What tables know of the places of records, which are other ones now. The read model's rows stay: it reads the topics
 * from their beginning, and the stream versions drop what it shows. What it could not fold in it meets again there. Its
 * other dead letters are history: they go to offsets below all that there are, so that no record is taken for theirs.
 * What the learner has joined was told to a log that is gone, so it joins all again; the models that were served stay.
 */
const statements = [
  `update read_model.projection_offset set cluster_id = ''`,
  `delete from read_model.dead_letter where consumer = 'projection' and status = 'open'`,
  `update read_model.dead_letter set "offset" = "offset" - span
   from (select max("offset") - min("offset") + 1 + greatest(min("offset"), 0) as span from read_model.dead_letter) as all_of_them
   where exists (select from read_model.dead_letter where "offset" >= 0)`,
  `truncate selection_learning.consumer_offset, selection_learning.journey, selection_learning.chain,
     selection_learning.learning_model, selection_learning.checkpoint, selection_learning.rebuild`,
];

/**
 * Lets all that follows the topics begin at their beginning, and fills them. Nothing starts from before the one until
 * the other is through; where it fails, not before it has been done again.
 */
export async function withReadersReset(databaseUrl: string, fill: () => Promise<void>): Promise<void> {
  await inOneTransaction(databaseUrl, [markRepublishUnfinished, ...statements]);
  await fill();
  await inOneTransaction(databaseUrl, [markRepublishFinished]);
}

async function inOneTransaction(databaseUrl: string, work: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(['begin', ...work, 'commit'].join(';\n'));
  } finally {
    await client.end();
  }
}
