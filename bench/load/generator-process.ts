import type { LoadJob } from './load-job.ts';
import { runOpenLoop } from './open-loop.ts';

/** Runs each job that its parent sends, one after the other, and answers with the result. */
process.on('message', (job: LoadJob) => {
  void runOpenLoop(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
