import { createKafka } from '@paywright/messaging';
import { kafkaAddress, setNiceness, startProcess } from '@paywright/platform';
import { learnerConfig, timeOfDayMs } from './config.ts';
import { keepYoungGenerationSmall } from './keep-young-generation-small.ts';
import { openLearner } from './open-learner.ts';

const name = 'learner';
/**
 * Where processors are short it gets a tenth of what others get: learning can wait, a person before a paywall cannot. With
 * less it would lose its place in its consumer group.
 */
const niceness = 10;

void setNiceness(niceness);
keepYoungGenerationSmall();
await startProcess({
  name,
  config: learnerConfig,
  open: async ({ config, ...context }) => {
    const kafka = createKafka({ ...kafkaAddress(config), clientId: name, logger: context.logger });
    const rebuildAtMs = timeOfDayMs(config.REBUILD_AT);
    const learner = await openLearner({ ...context, kafka, databaseUrl: config.DATABASE_URL, rebuildAtMs });
    return { ...learner, closeWith: (lifecycle) => lifecycle.onShutdown('learner', () => learner.stop()) };
  },
});
