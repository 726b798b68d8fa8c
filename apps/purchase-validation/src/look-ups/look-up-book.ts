import type { Store } from '@paywright/contracts';
import { gathering } from '@paywright/event-sourcing';
import { CannotUnseal, Sealing, sleep } from '@paywright/platform';
import type { StoreFaultKind } from '@paywright/stores';
import type { Pool } from 'pg';
import { z } from 'zod';
import type { Room } from './look-up-pace.ts';
import { awaitedBy, LookUpSubject } from './look-up-subject.ts';
import { nextTry } from './next-look.ts';
import {
  claimDueLookUps,
  deleteLookUp,
  endLookUp,
  insertLookUp,
  insertSoonerLookUp,
  selectUnvalued,
  updateClaimed,
  updateLookAt,
  removeUnvalued,
  selectAwaited,
  updateAwaiting,
  updateAwaits,
  upsertLookUps,
  upsertTry,
  upsertUnvalued,
} from './sql/look-up.sql.ts';

/** A currency and a UTC day (`YYYY-MM-DD`) of which no rate is known. */
const Unvalued = z.array(z.object({ currency: z.string(), day: z.string() }));
export type Unvalued = z.output<typeof Unvalued>;

export interface ChainPlace {
  readonly appId: number;
  readonly chainId: string;
}

export interface LookUp extends ChainPlace {
  readonly subject: LookUpSubject;
}

export interface ClaimedLookUp extends LookUp {
  /** Nobody else takes it until then, in milliseconds. */
  readonly claimedUntil: number;
}

export interface DueLookUps {
  readonly looks: readonly ClaimedLookUp[];
  /** Sealed with a master key that this process does not have, or damaged. */
  readonly shut: readonly ChainPlace[];
  /** Written by a newer release, in words that this one does not know. */
  readonly unread: readonly ChainPlace[];
}

export interface AwaitedProfile {
  readonly profileId: string;
  readonly appId: number;
}

interface Answered {
  readonly look: LookUp;
  readonly lookAt: number | null;
  readonly unvalued: Unvalued;
}

const sealingPurpose = 'look-up';
const mostAtOnce = 500;
/** Nobody waits for an answer to be kept but its request's offset: at 100 answers/s five share a transaction so. */
const momentMs = 50;

/** How every chain, and what of it is not settled, is asked for again, and when. */
export class LookUpBook {
  readonly #pool: Pool;
  readonly #sealing: Sealing;
  /** Written together, as many as have come: in a burst each would otherwise wait for a connection of its own. */
  readonly #write: (answer: Answered) => Promise<void>;
  /** The same for all that come while it lasts. */
  #moment: Promise<void> | null = null;

  /**
   * @param pool of the schema `purchase_validation`
   * @param formerKeys master keys that open what they sealed
   */
  constructor(pool: Pool, masterKey: string, formerKeys: readonly string[] = []) {
    this.#pool = pool;
    this.#sealing = new Sealing(masterKey, sealingPurpose, formerKeys);
    this.#write = gathering((answers) => this.#writeAll(answers), mostAtOnce);
  }

  /** A store has answered. @param lookAt when it is asked next, in milliseconds; null: not of our own accord */
  async answered(look: LookUp, lookAt: number | null, unvalued: Unvalued): Promise<void> {
    this.#moment ??= sleep(momentMs).finally(() => (this.#moment = null));
    await this.#moment;
    await this.#write({ look, lookAt, unvalued });
  }

  /** The same of a look that was claimed. News that has come since then is asked about all the same. */
  async answeredAsClaimed(look: ClaimedLookUp, lookAt: number | null, unvalued: Unvalued): Promise<void> {
    const { appId, chainId, claimedUntil } = look;
    const missing = unvalued.length > 0 ? JSON.stringify(unvalued) : null;
    const values = [appId, chainId, claimedUntil, this.#seal(look), lookAt, missing];
    const { rowCount } = await this.#pool.query({ name: 'update-claimed', text: updateClaimed, values });
    if (rowCount === 1) return;
    await this.keep(look, lookAt);
    if (unvalued.length > 0) await this.keepUnvalued(look, unvalued);
  }

  /** A store has not answered, and is asked again after a pause that grows; given up, it begins anew with the next news. */
  async unanswered(look: LookUp, now: number, fault: StoreFaultKind): Promise<void> {
    const { rows } = await this.#pool.query<{ attempts: number }>({
      name: 'upsert-try',
      text: upsertTry,
      values: [look.appId, look.chainId, look.subject.store, this.#seal(look)],
    });
    const lookAt = nextTry(rows[0]?.attempts ?? 0, now, fault);
    await (lookAt === null ? this.answered(look, null, []) : this.lookAt(look, lookAt));
  }

  /** Keeps what is to be looked up unless it is kept already: then its time stays. */
  async keep(look: LookUp, lookAt: number | null): Promise<void> {
    const { appId, chainId, subject } = look;
    const values = [appId, chainId, subject.store, this.#seal(look), lookAt, awaitedBy(subject)?.profileId];
    await this.#pool.query({ name: 'insert-look-up', text: insertLookUp, values });
  }

  /** Profiles that are yet to be made, for whose sake something is kept, from behind `after`, in the order of their ids. */
  async awaited(after: string, limit: number): Promise<readonly AwaitedProfile[]> {
    const values = [after, limit];
    const query = { name: 'select-awaited', text: selectAwaited, values };
    const { rows } = await this.#pool.query<{ profile_id: string; app_id: number }>(query);
    return rows.map(({ profile_id: profileId, app_id: appId }) => ({ profileId, appId }));
  }

  /** What is kept for the sake of these profiles is due. */
  async lookFor(profileIds: readonly string[], now: number): Promise<void> {
    await this.#pool.query({ name: 'update-awaiting', text: updateAwaiting, values: [profileIds, now] });
  }

  /** It is kept for the sake of the profile until then, in milliseconds; null: no longer. */
  async awaitUntil({ appId, chainId }: ChainPlace, profileId: string, until: number | null): Promise<void> {
    const values = [appId, chainId, until, until === null ? null : profileId];
    await this.#pool.query({ name: 'update-awaits', text: updateAwaits, values });
  }

  /** Keeps what is to be looked up, no later than it is to be already. */
  async keepNoLater(look: LookUp, lookAt: number | null): Promise<void> {
    const values = [look.appId, look.chainId, look.subject.store, this.#seal(look), lookAt];
    await this.#pool.query({ name: 'insert-sooner-look-up', text: insertSoonerLookUp, values });
  }

  /** It is due, whenever it would have been, and asked for in this way. */
  async lookNow(look: LookUp, now: number): Promise<void> {
    await this.#write({ look, lookAt: now, unvalued: [] });
  }

  async forget({ appId, chainId }: ChainPlace): Promise<void> {
    await this.#pool.query({ name: 'delete-look-up', text: deleteLookUp, values: [appId, chainId] });
  }

  /** Nothing more is to come of what was claimed. News that has come since then is asked about all the same. */
  async end({ appId, chainId, claimedUntil }: ClaimedLookUp): Promise<void> {
    await this.#pool.query({ name: 'end-look-up', text: endLookUp, values: [appId, chainId, claimedUntil] });
  }

  async lookAt({ appId, chainId }: ChainPlace, lookAt: number | null): Promise<void> {
    await this.#pool.query({ name: 'update-look-at', text: updateLookAt, values: [appId, chainId, lookAt] });
  }

  /**
   * Takes what is due, for `leaseMs`: if nothing becomes of it, it is due again then.
   * @param limit how many of all
   * @param rooms of whom, and how many of each
   */
  async claimDue(now: number, leaseMs: number, limit: number, rooms: readonly Room[]): Promise<DueLookUps> {
    const claimedUntil = now + leaseMs;
    const { rows } = await this.#pool.query<{ app_id: number; chain_id: string; store: Store; sealed: string }>({
      name: 'claim-due-look-ups',
      text: claimDueLookUps,
      values: [
        ...[now, claimedUntil, limit],
        rooms.map(({ appId }) => appId),
        rooms.map(({ store }) => store),
        rooms.map(({ most }) => most),
      ],
    });
    const claimed = rows.map(({ app_id: appId, chain_id: chainId, sealed }) => {
      return { appId, chainId, subject: this.#opened(sealed, { appId, chainId }) };
    });
    return {
      looks: claimed.flatMap(({ subject, ...place }) =>
        typeof subject === 'string' ? [] : { ...place, subject, claimedUntil },
      ),
      shut: claimed.filter(({ subject }) => subject === 'shut'),
      unread: claimed.filter(({ subject }) => subject === 'unread'),
    };
  }

  /** The chain has money that has no rate; how and when it is asked for stays. */
  async keepUnvalued(look: LookUp, unvalued: Unvalued): Promise<void> {
    const values = [look.appId, look.chainId, look.subject.store, this.#seal(look), JSON.stringify(unvalued)];
    await this.#pool.query({ name: 'upsert-unvalued', text: upsertUnvalued, values });
  }

  /** Chains with money that has no rate, from behind `after`, by app and chain. */
  async unvalued(after: ChainPlace, limit: number): Promise<readonly (ChainPlace & { readonly missing: Unvalued })[]> {
    const { rows } = await this.#pool.query<{ app_id: number; chain_id: string; unvalued: unknown }>({
      name: 'select-unvalued',
      text: selectUnvalued,
      values: [after.appId, after.chainId, limit],
    });
    return rows.map((row) => ({
      appId: row.app_id,
      chainId: row.chain_id,
      missing: Unvalued.parse(row.unvalued),
    }));
  }

  /** The money of these days has its value. */
  async valued({ appId, chainId }: ChainPlace, days: Unvalued): Promise<void> {
    const values = [appId, chainId, JSON.stringify(days)];
    await this.#pool.query({ name: 'remove-unvalued', text: removeUnvalued, values });
  }

  /** Of two answers about a chain the later one counts, with what both have no rate for. */
  async #writeAll(answers: readonly Answered[]): Promise<void[]> {
    const byChain = Map.groupBy(answers, ({ look }) => contextOf(look));
    const rows = Array.from(byChain.values(), (ofOne) => ({
      ...ofOne.at(-1)!,
      unvalued: ofOne.flatMap(({ unvalued }) => unvalued),
    }));
    await this.#pool.query({
      name: 'upsert-look-ups',
      text: upsertLookUps,
      values: [
        rows.map(({ look }) => look.appId),
        rows.map(({ look }) => look.chainId),
        rows.map(({ look }) => look.subject.store),
        rows.map(({ look }) => this.#seal(look)),
        rows.map(({ lookAt }) => lookAt),
        rows.map(({ unvalued }) => (unvalued.length > 0 ? JSON.stringify(unvalued) : null)),
      ],
    });
    return answers.map(() => undefined);
  }

  #opened(sealed: string, place: ChainPlace): LookUpSubject | 'shut' | 'unread' {
    try {
      return LookUpSubject.safeParse(JSON.parse(this.#sealing.open(sealed, contextOf(place)))).data ?? 'unread';
    } catch (error) {
      if (error instanceof CannotUnseal) return 'shut';
      throw error;
    }
  }

  #seal({ subject, ...place }: LookUp): string {
    return this.#sealing.seal(JSON.stringify(subject), contextOf(place));
  }
}

const contextOf = ({ appId, chainId }: ChainPlace): string => `${appId}/${chainId}`;
