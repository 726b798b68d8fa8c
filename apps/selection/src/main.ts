import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { assembleSelection } from './assemble-selection.ts';
import { selectionConfig } from './config.ts';
import { SelectionModule } from './selection.module.ts';

await startWriteService({
  name: 'selection',
  topic: topics.selectionCommands,
  config: selectionConfig,
  module: SelectionModule,
  assemble: assembleSelection,
});
