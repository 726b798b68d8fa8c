import { HarmfulTopics } from '@paywright/messaging/topics';
import { DataInUse } from '../local/data-lock.ts';
import { isHelpAsked } from '../local/help-asked.ts';
import { UsageError } from '../local/options.ts';
import { republish } from './republish.ts';
import { withServers } from './servers.ts';

const usage = `Fills the topics of a new, empty Kafka from the event stores, while no service runs.

  npm run republish             of the data of npm start (.data, or PAYWRIGHT_DATA_DIR), or of DATABASE_URL and KAFKA_BROKERS
  npm run republish -- --help   this text
`;

/** `npm run republish`: fills the topics of a new Kafka from the event stores. */
try {
  if (isHelpAsked(process.argv.slice(2), usage)) console.log(usage);
  else await withServers(process.env, republish);
} catch (error) {
  const expected = error instanceof UsageError || error instanceof DataInUse || error instanceof HarmfulTopics;
  console.error(expected ? error.message : error);
  process.exitCode = expected ? 2 : 1;
}
