import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How a process ended: its status, what it said in plain lines, its log's lines, and what it left on standard error. */
export interface Ended {
  readonly code: unknown;
  readonly said: readonly string[];
  readonly logged: readonly unknown[];
  readonly errors: string;
}

export interface ForkedScript {
  readonly child: ChildProcess;
  /** Its first message. */
  readonly message: Promise<unknown>;
  /** Resolves when it has said that in a plain line. */
  readonly says: (line: string) => Promise<void>;
  /** Resolves when it has ended. */
  readonly end: () => Promise<Ended>;
}

/**
 * Runs a script as a process of its own, which has a launcher: this one.
 * @param scenario the script's argument; null: it gets none
 */
export function forkScript(script: string, scenario: string | null, environment: NodeJS.ProcessEnv = {}): ForkedScript {
  const child = fork(script, scenario === null ? [] : [scenario], {
    silent: true,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  // Not 'close': it does not come once the channel is disconnected.
  const ended = Promise.all([
    once(child, 'exit'),
    child.stdout && once(child.stdout, 'end'),
    child.stderr && once(child.stderr, 'end'),
  ]);
  return {
    child,
    message: once(child, 'message').then(([message]: unknown[]) => message),
    says: async (line) => {
      while (child.stdout && !output.split('\n').includes(line)) await once(child.stdout, 'data');
    },
    end: async () => {
      const [[code]] = await ended;
      const lines = output.split('\n').filter((line) => line !== '');
      return {
        code,
        said: lines.filter((line) => !line.startsWith('{')),
        logged: lines.filter((line) => line.startsWith('{')).map((line): unknown => JSON.parse(line)),
        errors,
      };
    },
  };
}
