import { runLearnerThread } from './learner/run-learner-thread.ts';

// A bundle of its own: it has none of what serves, and half the memory.
await runLearnerThread();
