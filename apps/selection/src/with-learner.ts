import type { WriteServiceContext, WriteServiceParts } from '@paywright/write-service';
import type { SelectionConfig } from './config.ts';
import type { SelectionCommand } from './domain/selection-decider.ts';
import type { SelectionEvent, SelectionState } from './domain/selection-state.ts';
import { LearnerThread } from './learner/learner-thread.ts';

type Parts = WriteServiceParts<SelectionCommand, SelectionState, SelectionEvent>;

/** The service with its learner beside it. @param entry the module that runs the learner when loaded as a thread */
export function withLearner(parts: Parts, context: WriteServiceContext<SelectionConfig>, entry: URL): Parts {
  const learner = new LearnerThread({ ...context, entry });
  return {
    ...parts,
    start: async () => {
      await parts.start?.();
      learner.start();
    },
    stop: async () => {
      await learner.stop();
      await parts.stop?.();
    },
  };
}
