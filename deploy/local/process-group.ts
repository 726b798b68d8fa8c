import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { end, hasEnded } from './ending.ts';

/**
 * The order of the end: gateways answer what is in flight while the services still work, services store and send
 * what they hold while the servers still run.
 */
export type EndingRank = 'gateway' | 'service' | 'server';
const ranks = ['gateway', 'service', 'server'] as const satisfies readonly EndingRank[];

/** How long each rank may take before it is killed; together below 10 s. */
const budgetMs = { gateway: 3_500, service: 2_000, server: 4_000 } as const satisfies Record<EndingRank, number>;

interface Member {
  readonly child: ChildProcess;
  readonly rank: EndingRank;
  readonly signal: NodeJS.Signals;
}

/**
 * Processes that end together, in order. If this process is killed hard, a guard that it started ends them:
 * neither Postgres nor Java would notice by themselves.
 */
export class ProcessGroup {
  readonly #members = new Set<Member>();
  readonly #guard: ChildProcess;
  #ending: Promise<void> | undefined;

  constructor() {
    const script = join(import.meta.dirname, 'guard.sh');
    // A session of its own: a signal to the launcher's whole group must not reach it.
    this.#guard = spawn('/bin/sh', [script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#guard.stdin?.on('error', () => undefined); // someone ended the guard; the product runs on
    this.#guard.unref();
  }

  /** @param signal what ends it in order */
  add(child: ChildProcess, rank: EndingRank, signal: NodeJS.Signals = 'SIGTERM'): void {
    const { pid } = child;
    if (pid === undefined) return; // it could not be started
    if (this.#ending) child.kill('SIGKILL');
    const member = { child, rank, signal };
    this.#members.add(member);
    this.#tell(`add ${ranks.indexOf(rank)} ${signal.replace('SIG', '')} ${pid}`);
    child.once('exit', () => {
      this.#members.delete(member);
      this.#tell(`remove ${pid}`);
    });
  }

  /** Ends all, rank by rank, and kills what does not end in time: within 10 s nothing is left. */
  endAll(): Promise<void> {
    return (this.#ending ??= this.#endInOrder());
  }

  async #endInOrder(): Promise<void> {
    for (const rank of ranks) {
      const members = [...this.#members].filter((member) => member.rank === rank && !hasEnded(member.child));
      await Promise.all(members.map(({ child, signal }) => end(child, signal, budgetMs[rank])));
    }
    this.#tell('done');
    this.#guard.stdin?.end();
  }

  #tell(line: string): void {
    if (this.#guard.stdin?.writable) this.#guard.stdin.write(`${line}\n`);
  }
}
