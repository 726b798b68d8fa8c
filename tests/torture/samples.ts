import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { groups } from '@paywright/contracts';
import { withAdmin } from '@paywright/messaging/topics';
import pg from 'pg';
import { connectToKafka } from '../stack/connect-to-kafka.ts';
import { services, type Service, type Stack } from '../stack/stack.ts';
import type { OffsetSample } from './invariants/offsets-never-fall.ts';

const run = promisify(execFile);
const everyMs = 1_000;
const patienceMs = 1_000;
const kibibyte = 1_024;

/** What is looked at all the time, and not only at the end. */
export class Samples {
  /** In the order of time; where database or broker did not answer, there is none. */
  readonly offsets: OffsetSample[] = [];
  /** The most that a process of each service held, in bytes. */
  readonly mostMemory = new Map<Service, number>();
  readonly #stack: Stack;
  readonly #rewinds: () => number;
  readonly #ending = new AbortController();
  readonly #taking: Promise<unknown>;

  /** @param rewinds rises before the offsets are moved back on purpose, and again behind that */
  constructor(stack: Stack, rewinds: () => number) {
    this.#stack = stack;
    this.#rewinds = rewinds;
    this.#taking = Promise.all([this.#repeat(() => this.#takeOffsets()), this.#repeat(() => this.#takeMemory())]);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#taking;
  }

  async #repeat(take: () => Promise<void>): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await take().catch(() => undefined); // what is asked is down: that is no finding
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** What Kafka holds is asked first: the database has moved on then, if it moved at all. */
  async #takeOffsets(): Promise<void> {
    const rewinds = this.#rewinds();
    const committed = await this.#committed();
    const { began, stored } = await this.#stored();
    if (stored.size > 0 && this.#rewinds() === rewinds)
      this.offsets.push({ era: `${began}/${rewinds}`, committed, stored });
  }

  #committed(): Promise<ReadonlyMap<string, number>> {
    return withAdmin(connectToKafka(this.#stack), async (admin) => {
      const topics = await admin.fetchOffsets({ groupId: groups.projection });
      return new Map(
        topics.flatMap(({ topic, partitions }) =>
          partitions.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const),
        ),
      );
    });
  }

  /** With when the database began: each recovery starts its checkpointer anew, also that from a single crashed session. */
  async #stored(): Promise<{ readonly began: string; readonly stored: ReadonlyMap<string, number> }> {
    const { databaseUrl: connectionString } = this.#stack;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: patienceMs, query_timeout: patienceMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ began: string; place: string; next: string }>(
        `select backend_start::text as began, topic || '/' || partition as place, next_offset::text as next
         from read_model.projection_offset, pg_stat_activity where backend_type = 'checkpointer'`,
      );
      return { began: rows[0]?.began ?? '', stored: new Map(rows.map(({ place, next }) => [place, Number(next)])) };
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #takeMemory(): Promise<void> {
    for (const service of services) {
      const pid = this.#stack.processOf(service)?.pid;
      if (pid === undefined) continue;
      const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => ({ stdout: '0' }));
      const bytes = Number(stdout) * kibibyte;
      this.mostMemory.set(service, Math.max(bytes, this.mostMemory.get(service) ?? 0));
    }
  }
}
