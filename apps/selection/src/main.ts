import 'reflect-metadata';
import { isMainThread } from 'node:worker_threads';
import { topics } from '@paywright/contracts';
import { startWriteService } from '@paywright/write-service';
import { assembleSelection } from './assemble-selection.ts';
import { selectionConfig } from './config.ts';
import { runLearnerThread } from './learner/run-learner-thread.ts';
import { SelectionModule } from './selection.module.ts';
import { withLearner } from './with-learner.ts';

// A bundle is one module: loaded as a thread, it is the learner's.
if (isMainThread) {
  await startWriteService({
    name: 'selection',
    topic: topics.selectionCommands,
    config: selectionConfig,
    module: SelectionModule,
    assemble: (context) => withLearner(assembleSelection(context), context, new URL(import.meta.url)),
  });
} else {
  await runLearnerThread();
}
