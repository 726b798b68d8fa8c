import { DataInUse } from '../local/data-lock.ts';
import { UsageError } from '../local/options.ts';
import { republish } from './republish.ts';
import { withServers } from './servers.ts';

/** `npm run republish`: fills the topics of a new Kafka from the event stores. */
try {
  await withServers(process.env, republish);
} catch (error) {
  const expected = error instanceof UsageError || error instanceof DataInUse;
  console.error(expected ? error.message : error);
  process.exitCode = expected ? 2 : 1;
}
