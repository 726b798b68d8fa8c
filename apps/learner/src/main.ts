import { createKafka } from '@paywright/messaging';
import { kafkaAddress, startProcess } from '@paywright/platform';
import { learnerConfig, timeOfDayMs } from './config.ts';
import { keepYoungGenerationSmall } from './keep-young-generation-small.ts';
import { openLearner } from './open-learner.ts';
import { takeWhatIsLeft } from './take-what-is-left.ts';

const name = 'learner';

takeWhatIsLeft();
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
