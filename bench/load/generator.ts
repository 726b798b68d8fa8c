import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LoadJob, LoadResult } from './load-job.ts';

/** The load generator in a process of its own, so that the bench's own work delays no request. */
export class Generator implements AsyncDisposable {
  readonly #process: ChildProcess = fork(new URL('generator-process.ts', import.meta.url), {
    serialization: 'advanced',
  });

  readonly #ended = once(this.#process, 'exit');

  /** @throws if the generator's process ends */
  async run(job: LoadJob): Promise<LoadResult> {
    const answered = once(this.#process, 'message');
    this.#process.send(job);
    const answer = await Promise.race([answered, this.#ended.then(() => null)]);
    if (answer === null) throw new Error('the load generator ended');
    const [result] = answer as [LoadResult];
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.connected) this.#process.disconnect();
    await this.#ended;
  }
}
