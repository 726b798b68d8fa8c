import type { Clock } from '@paywright/platform';
import type pg from 'pg';
import { NotificationListener } from './notification-listener.ts';
import { readModelChannel } from './database.ts';

/** The version of a profile that somebody waits for. `deadline` in milliseconds since the epoch. */
export interface AwaitedProfile {
  readonly profileId: string;
  readonly streamVersion: number;
  /** Only where the write changed the personal record. */
  readonly personalVersion?: number;
  readonly deadline: number;
}

interface Waiter {
  readonly key: string;
  readonly version: number;
  readonly personalVersion: number;
  readonly settle: (reached: boolean) => void;
}

/** The notification is the rule; the poll is for one that was lost with its connection. */
const defaultPollIntervalMs = 10;

/** $1 profile ids, $2 app ids, $3 chain ids: all who wait, in one query. Only a profile has a personal record. */
const selectVersions = `
  select profile_id::text as key, profile.version, coalesce(profile_personal.version, 0) as personal_version
  from profile left join profile_personal using (profile_id) where profile_id = any($1::uuid[])
  union all
  select app_id::text, version, 0 from app where app_id = any($2::int[])
  union all
  select chain_id::text, version, 0 from purchase_chain where chain_id = any($3::uuid[])`;

/**
 * Tells when the read model shows a write: a client that got its 2xx sees its effect in the next request.
 * Looks at once, at each notification of the projection, and every 10 ms while somebody waits.
 */
export class ReadModelProgress {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #listener: NotificationListener;
  readonly #waiters = { profile: new Set<Waiter>(), app: new Set<Waiter>(), chain: new Set<Waiter>() };
  readonly #pollIntervalMs: number;
  #looking = false;
  #lookAgain = false;
  #poll: NodeJS.Timeout | null = null;

  /** @param pool for the read model's schema; one of its connections listens */
  constructor({ pool, clock, pollIntervalMs }: { pool: pg.Pool; clock: Clock; pollIntervalMs?: number }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#pollIntervalMs = pollIntervalMs ?? defaultPollIntervalMs;
    this.#listener = new NotificationListener(pool, readModelChannel, () => this.#look());
  }

  start(): Promise<void> {
    return this.#listener.start();
  }

  /** Whoever still waits is told no. */
  stop(): Promise<void> {
    for (const waiter of this.#all) waiter.settle(false);
    if (this.#poll !== null) clearTimeout(this.#poll);
    this.#listener.stop();
    return Promise.resolve();
  }

  /** True once the profile's rows show the write; false if they do not by the deadline. */
  reached({ profileId, streamVersion, personalVersion = 0, deadline }: AwaitedProfile): Promise<boolean> {
    return this.#wait(this.#waiters.profile, profileId.toLowerCase(), streamVersion, personalVersion, deadline);
  }

  /** True once the app's rows show this version of its stream; false if they do not by the deadline. */
  catalogReached(appId: number, streamVersion: number, deadline: number): Promise<boolean> {
    return this.#wait(this.#waiters.app, String(appId), streamVersion, 0, deadline);
  }

  /** True once the chain of purchases shows this version of its stream; false if it does not by the deadline. */
  purchaseReached(chainId: string, streamVersion: number, deadline: number): Promise<boolean> {
    return this.#wait(this.#waiters.chain, chainId.toLowerCase(), streamVersion, 0, deadline);
  }

  #wait(
    waiters: Set<Waiter>,
    key: string,
    version: number,
    personalVersion: number,
    deadline: number,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (reached: boolean) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { key, version, personalVersion, settle };
      const timer = setTimeout(settle, Math.max(0, deadline - this.#clock.machineNow()), false);
      waiters.add(waiter);
      this.#look();
    });
  }

  get #all(): readonly Waiter[] {
    const { profile, app, chain } = this.#waiters;
    return [...profile, ...app, ...chain];
  }

  get #somebodyWaits(): boolean {
    const { profile, app, chain } = this.#waiters;
    return profile.size + app.size + chain.size > 0;
  }

  /** One query at a time: what happens while it runs is looked at by the next. */
  #look(): void {
    if (!this.#somebodyWaits) return;
    if (this.#looking) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = true;
    // setImmediate: the waiters of one turn of the event loop share a query.
    setImmediate(() => void this.#lookOnce());
  }

  async #lookOnce(): Promise<void> {
    this.#lookAgain = false;
    try {
      await this.#settleReached();
    } catch {
      // The database is away: the next poll looks again, and at the deadline the waiter is told no.
    } finally {
      this.#looking = false;
    }
    if (this.#lookAgain) this.#look();
    else this.#schedulePoll();
  }

  async #settleReached(): Promise<void> {
    const { profile, app, chain } = this.#waiters;
    const values = [profile, app, chain].map((waiters) => [...new Set([...waiters].map(({ key }) => key))]);
    const { rows } = await this.#pool.query<{ key: string; version: number; personal_version: number }>({
      name: 'select-versions',
      text: selectVersions,
      values,
    });
    const found = new Map(rows.map((row) => [row.key, row]));
    for (const waiter of this.#all) {
      const row = found.get(waiter.key);
      if (row && row.version >= waiter.version && row.personal_version >= waiter.personalVersion) waiter.settle(true);
    }
  }

  #schedulePoll(): void {
    if (this.#poll !== null || !this.#somebodyWaits) return;
    this.#poll = setTimeout(() => {
      this.#poll = null;
      this.#look();
    }, this.#pollIntervalMs);
  }
}
