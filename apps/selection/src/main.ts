import 'reflect-metadata';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { assembleSelection } from './assemble-selection.ts';
import { selectionConfig } from './config.ts';
import { SelectionModule } from './selection.module.ts';
import { withLearner } from './with-learner.ts';

/** Bundled beside this one. */
const learner = new URL('learner.thread.js', import.meta.url);

await startWriteService({
  name: 'selection',
  topic: topics.selectionCommands,
  config: selectionConfig,
  module: SelectionModule,
  assemble: (context) => withLearner(assembleSelection(context), context, learner),
});
