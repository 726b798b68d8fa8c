import { PostgresListener } from '@paywright/event-sourcing';
import type { Clock } from '@paywright/platform';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { readModelChannel } from './database.ts';
import { readNotification, type ShownKind } from './shown-versions.ts';

/** The version of a profile that somebody waits for. `deadline` is a `steadyNow()` of the clock. */
export interface AwaitedProfile {
  readonly profileId: string;
  readonly streamVersion: number;
  /** Only where the write changed the personal record. */
  readonly personalVersion?: number;
  readonly deadline: number;
}

interface Waiter {
  readonly kind: 'profile' | 'app' | 'chain';
  readonly key: string;
  readonly version: number;
  readonly personalVersion: number;
  readonly settle: (reached: boolean) => void;
}

/** The notification is the rule; the poll is for one that was lost with its connection. */
const defaultPollIntervalMs = 50;
/** Versions that were told of late: a write may be visible before whoever made it begins to wait. */
const keptVersions = 5_000;
/** The projection finds out within 5 s what a crash took of its rows; then it has to read and fold that again. */
const readBackMs = 15_000;

/** $1 profile ids, $2 app ids, $3 chain ids: all who wait, in one query. */
const selectVersions = `
  select 'profile' as kind, profile_id::text as key, version from profile where profile_id = any($1::uuid[])
  union all
  select 'personal', profile_id::text, version from profile_personal where profile_id = any($1::uuid[])
  union all
  select 'app', app_id::text, version from app where app_id = any($2::int[])
  union all
  select 'chain', chain_id::text, version from purchase_chain where chain_id = any($3::uuid[])`;

/**
 * Tells when the read model shows a write: a client that got its 2xx sees its effect in the next request.
 * The projection's notifications tell it; every 50 ms while somebody waits the database is looked into.
 */
export class ReadModelProgress {
  readonly #pool: pg.Pool;
  readonly #clock: Clock;
  readonly #listener: PostgresListener;
  /** By what they wait for: `chain 5f…`. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #shown = new LRUCache<string, number>({ max: keptVersions });
  readonly #pollIntervalMs: number;
  /** Until then rows may lack that were shown before; by the clock's `steadyNow()`. */
  #lacksUntil = 0;
  #looking = false;
  #lookAgain = false;
  #poll: NodeJS.Timeout | null = null;

  /** @param pool for the read model's schema; one of its connections listens */
  constructor({ pool, clock, pollIntervalMs }: { pool: pg.Pool; clock: Clock; pollIntervalMs?: number }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#pollIntervalMs = pollIntervalMs ?? defaultPollIntervalMs;
    this.#listener = new PostgresListener(pool, readModelChannel, {
      onNotification: (text) => this.#told(text),
      onLost: () => this.#lost(Infinity),
      onReplaced: () => this.#lost(this.#clock.steadyNow() + readBackMs),
    });
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

  /**
   * Whether rows may lack that were shown before: the database was lost a moment ago, and a crash takes the projection's
   * last commits, until it has folded their records again.
   */
  get mayLack(): boolean {
    return this.#clock.steadyNow() < this.#lacksUntil;
  }

  /** True once the profile's rows show the write; false if they do not by the deadline. */
  reached({ profileId, streamVersion, personalVersion = 0, deadline }: AwaitedProfile): Promise<boolean> {
    return this.#wait('profile', profileId.toLowerCase(), { version: streamVersion, personalVersion }, deadline);
  }

  /** True once the app's rows show this version of its stream; false if they do not by the deadline. */
  catalogReached(appId: number, streamVersion: number, deadline: number): Promise<boolean> {
    return this.#wait('app', String(appId), { version: streamVersion, personalVersion: 0 }, deadline);
  }

  /** True once the chain of purchases shows this version of its stream; false if it does not by the deadline. */
  purchaseReached(chainId: string, streamVersion: number, deadline: number): Promise<boolean> {
    return this.#wait('chain', chainId.toLowerCase(), { version: streamVersion, personalVersion: 0 }, deadline);
  }

  #wait(
    kind: Waiter['kind'],
    key: string,
    versions: Pick<Waiter, 'version' | 'personalVersion'>,
    deadline: number,
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (reached: boolean) => {
        clearTimeout(timer);
        this.#forget(waiter);
        resolve(reached);
      };
      const waiter: Waiter = { kind, key, ...versions, settle };
      const timer = setTimeout(settle, Math.max(0, deadline - this.#clock.steadyNow()), false);
      if (this.#isShown(waiter)) return settle(true);
      const name = nameOf(kind, key);
      this.#waiters.set(name, (this.#waiters.get(name) ?? new Set()).add(waiter));
      this.#schedulePoll();
    });
  }

  #forget(waiter: Waiter): void {
    const name = nameOf(waiter.kind, waiter.key);
    const waiters = this.#waiters.get(name);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiters.delete(name);
  }

  get #all(): readonly Waiter[] {
    return [...this.#waiters.values()].flatMap((waiters) => [...waiters]);
  }

  #lost(lacksUntil: number): void {
    this.#lacksUntil = lacksUntil;
    this.#forgetShown();
  }

  #forgetShown(): void {
    this.#shown.clear(); // who knows what was missed; and perhaps the database is another one
    this.#look();
  }

  #told(text: string): void {
    const shown = readNotification(text);
    if (shown === null) return this.#forgetShown();
    for (const [key, version] of shown.versions) this.#show(shown.kind, key, version);
  }

  #show(kind: ShownKind, key: string, version: number): void {
    const name = nameOf(kind, key);
    this.#shown.set(name, Math.max(version, this.#shown.get(name) ?? 0));
    const waiters = this.#waiters.get(kind === 'personal' ? nameOf('profile', key) : name);
    for (const waiter of waiters ?? []) if (this.#isShown(waiter)) waiter.settle(true);
  }

  #isShown({ kind, key, version, personalVersion }: Waiter): boolean {
    const isAt = (shownKind: ShownKind, least: number) => (this.#shown.get(nameOf(shownKind, key)) ?? 0) >= least;
    return isAt(kind, version) && (personalVersion === 0 || isAt('personal', personalVersion));
  }

  /** One query at a time: what happens while it runs is looked at by the next. */
  #look(): void {
    if (this.#waiters.size === 0) return;
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
    const keys = (kind: Waiter['kind']) => [
      ...new Set(this.#all.flatMap((waiter) => (waiter.kind === kind ? waiter.key : []))),
    ];
    const { rows } = await this.#pool.query<{ kind: ShownKind; key: string; version: number }>({
      name: 'select-versions',
      text: selectVersions,
      values: [keys('profile'), keys('app'), keys('chain')],
    });
    for (const { kind, key, version } of rows) this.#show(kind, key, version);
  }

  #schedulePoll(): void {
    if (this.#poll !== null || this.#waiters.size === 0) return;
    this.#poll = setTimeout(() => {
      this.#poll = null;
      this.#look();
    }, this.#pollIntervalMs);
  }
}

const nameOf = (kind: ShownKind, key: string): string => `${kind} ${key}`;
