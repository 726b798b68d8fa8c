import { runOnServers } from '../local/run-on-servers.ts';
import { republish } from './republish.ts';

const usage = `Fills the topics of a new, empty Kafka from the event stores, while no service runs.

  npm run republish             of the data of npm start (.data, or PAYWRIGHT_DATA_DIR), or of DATABASE_URL and KAFKA_BROKERS
  npm run republish -- --help   this text
`;

/** `npm run republish`: fills the topics of a new Kafka from the event stores. */
await runOnServers(usage, republish);
