import { ToldError } from '@paywright/platform/told-error';
import { topics } from '@paywright/contracts';
import { readRanges, type KafkaConnection } from '@paywright/messaging/topics';
import pg from 'pg';

/** A Kafka that has nothing of what the event stores hold: a new one. */
export class KafkaWithoutHistory extends ToldError {
  constructor() {
    super(
      [
        'The database holds apps, and this Kafka was never told of them. Fill it from the database, while no service runs',
        '(docs/backup.md):',
        '  npm run republish                      of npm start, in its folder',
        '  node dist/deploy/republish/main.js     in the image',
      ].join('\n'),
    );
  }
}

/**
 * Without catalogs every request would be refused. What the catalog service has stored and not published when it dies is
 * published behind the command that led to it, so a command alone is enough to go on with.
 * @param told topics of which one holds, or held, something as soon as there is an app
 * @throws KafkaWithoutHistory
 */
export async function requireHistory(
  kafka: KafkaConnection,
  databaseUrl: string,
  told: readonly string[] = [topics.catalogCommands, topics.catalogSnapshots],
): Promise<void> {
  const ranges = await readRanges(kafka, told);
  if (ranges.every(({ end }) => end === 0n) && (await holdsApps(databaseUrl))) throw new KafkaWithoutHistory();
}

async function holdsApps(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ any: boolean }>('select exists (select from catalog.event) as any');
    return rows[0]!.any;
  } finally {
    await client.end();
  }
}
