import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.venv/', import.meta.url));
const python = `${folder}bin/python`;
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Context, and how many actions there are. */
export type Asked = readonly [context: string, actions: number];
export type Learned = readonly [context: string, actions: number, chosen: number, cost: number, probability: number];

export interface VowpalRequest {
  readonly workspace: string;
  readonly options: string;
  readonly actions: readonly string[];
  readonly learn: readonly Learned[];
  readonly predict: readonly Asked[];
  /** Forget the workspace afterwards. */
  readonly last: boolean;
}

/** Makes the virtual environment, once. @returns why there is none, or null */
export function installVowpal(say: (line: string) => void): string | null {
  const isThere = () => existsSync(python) && spawnSync(python, ['-c', 'import vowpalwabbit']).status === 0;
  if (isThere()) return null;
  say('Installing Vowpal Wabbit into bench/selection/.venv …');
  const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' });
  if (made.error || made.status !== 0) return made.error?.message ?? `python3 -m venv: ${made.stderr}`;
  const pip = spawnSync(python, ['-m', 'pip', 'install', '--quiet', '-r', fileOf('requirements.txt')], {
    encoding: 'utf8',
  });
  return isThere() ? null : `pip: ${pip.stderr}`;
}

/** One Python process with as many workspaces as are asked for. Answers come in the order of requests. */
export class VowpalProcess implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.#child = spawn(python, [fileOf('vowpal.py')]);
    this.#child.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Learns, then predicts: probabilities of each asked context's actions. */
  async ask(request: VowpalRequest): Promise<readonly (readonly number[])[]> {
    if (!this.#child.stdin.write(`${JSON.stringify(request)}\n`)) await once(this.#child.stdin, 'drain');
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('Vowpal Wabbit ended.');
    return JSON.parse(value) as number[][];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
