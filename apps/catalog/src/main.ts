import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { CatalogModule } from './catalog.module.ts';
import { catalogConfig } from './config.ts';
import { appDecider } from './domain/app-decider.ts';
import { appEdition } from './domain/app-state-json.ts';
import { snapshotRecords } from './snapshot-records.ts';

await startWriteService({
  name: 'catalog',
  topic: topics.catalogCommands,
  config: catalogConfig,
  module: CatalogModule,
  assemble: () => ({
    decider: appDecider,
    extraRecords: snapshotRecords,
    stateTopic: { topic: topics.catalogSnapshots, edition: appEdition },
  }),
});
