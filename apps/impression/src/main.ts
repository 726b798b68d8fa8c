import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { impressionConfig } from './config.ts';
import { impressionDecider } from './domain/impression.ts';
import { ImpressionModule } from './impression.module.ts';

await startWriteService({
  name: 'impression',
  topic: topics.impressionCommands,
  config: impressionConfig,
  module: ImpressionModule,
  assemble: () => ({ decider: impressionDecider }),
});
