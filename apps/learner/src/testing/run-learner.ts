import { createKafka } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import { openLearner, type LearnerTopics } from '../open-learner.ts';
import { EventClock } from './clocks.ts';

/** What a learner that is a process of its own, to be killed, is told as its argument. */
export interface LearnerArguments {
  readonly brokers: readonly string[];
  readonly databaseUrl: string;
  readonly topics: LearnerTopics;
  readonly groupSuffix: string;
  readonly rebuildAtMs: number;
  /** At which its clock of events stands. */
  readonly now: number;
  /** How short processors are, in percent: a rebuild then takes minutes. */
  readonly pressure: number;
  readonly lookEveryMs: number;
}

const told = JSON.parse(process.argv[2] ?? '') as LearnerArguments;
const logger = createLogger({ service: 'test', level: 'error' });
const learner = await openLearner({
  kafka: createKafka({ brokers: [...told.brokers], ssl: false, sasl: null, clientId: 'test', logger }),
  databaseUrl: told.databaseUrl,
  ...{ topics: told.topics, groupSuffix: told.groupSuffix, rebuildAtMs: told.rebuildAtMs },
  ...{ clock: new EventClock(told.now), metrics: new Metrics(), logger, checkpointEveryMs: 300 },
  pressure: () => told.pressure,
  lookEveryMs: told.lookEveryMs,
});
await learner.start();
