import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { profileConfig } from './config.ts';
import { profileDecider } from './domain/profile.ts';
import { ProfileModule } from './profile.module.ts';

await startWriteService({
  name: 'profile',
  topic: topics.profileCommands,
  config: profileConfig,
  module: ProfileModule,
  assemble: () => ({ decider: profileDecider }),
});
