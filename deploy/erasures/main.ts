import { connectKafka } from '../create-topics.ts';
import { runOnServers } from '../local/run-on-servers.ts';
import { erasureLine, howMany, lostErasures } from './lost-erasures.ts';

const usage = `Tells who was erased since the copy of the database that was restored, as the topics of before know it.

  npm run --silent erasures             a line each: app, profile, when, who asked for it. Of the data of
                                        npm start (.data, or PAYWRIGHT_DATA_DIR), or of DATABASE_URL and
                                        KAFKA_BROKERS
  npm run --silent erasures -- --help   this text
`;

async function tell(env: NodeJS.ProcessEnv): Promise<void> {
  const erasures = await lostErasures(connectKafka(env), env['DATABASE_URL'] ?? '');
  for (const erasure of erasures) console.log(erasureLine(erasure));
  // What is read by a program is lines of erasures alone.
  console.error(howMany(erasures));
}

/** `npm run erasures`: between the restore of a database and the end of the Kafka of before. */
await runOnServers(usage, tell);
