import { parseArgs } from 'node:util';
import { HarmfulTopics } from '@paywright/messaging/topics';
import { DataInUse } from '../local/data-lock.ts';
import { UsageError } from '../local/options.ts';
import { republish } from './republish.ts';
import { withServers } from './servers.ts';

const usage = `Fills the topics of a new, empty Kafka from the event stores, while no service runs.

  npm run republish             of the data of npm start (.data, or PAYWRIGHT_DATA_DIR), or of DATABASE_URL and KAFKA_BROKERS
  npm run republish -- --help   this text
`;

/** @throws UsageError */
function isHelpAsked(args: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...args], options: { help: { type: 'boolean', default: false } } }).values.help;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

/** `npm run republish`: fills the topics of a new Kafka from the event stores. */
try {
  if (isHelpAsked(process.argv.slice(2))) console.log(usage);
  else await withServers(process.env, republish);
} catch (error) {
  const expected = error instanceof UsageError || error instanceof DataInUse || error instanceof HarmfulTopics;
  console.error(expected ? error.message : error);
  process.exitCode = expected ? 2 : 1;
}
