import { inTransaction, type Transaction } from '@paywright/event-sourcing';
import {
  decodeEvent,
  UndecodableMessage,
  type BatchResult,
  type DeadLetter,
  type OutgoingMessage,
  type ReceivedEvent,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { Metrics } from '@paywright/platform';
import type { Pool } from 'pg';
import type { LearnerCatalogs } from '../learner-catalogs.ts';
import type { Owned, OwnedPartitions } from '../owned-partitions.ts';
import { deleteForgotten, selectDue } from '../sql/journey.sql.ts';
import type { JoinedTime } from './joined-time.ts';
import { loadChains, loadJourneys, loadBuyers, storeChains, storeJourneys } from './joined-rows.ts';
import { isOfChain, isOfProfile, JoinTurn } from './join-turn.ts';
import type { ModelLogs } from './model-logs.ts';

/** A transaction's size: more profiles would lock too much at once, and hold up what serves for longer. */
const chunkSize = 200;
const duesAtATime = 200;
/** What is forgotten by one statement: all of a long pause would take longer than one may, and so for ever. */
const forgottenAtATime = 10_000;

export interface JoinerOptions {
  readonly pool: Pool;
  readonly partitions: OwnedPartitions;
  readonly joinedTime: Pick<JoinedTime, 'until'>;
  readonly catalogs: LearnerCatalogs;
  readonly logs: ModelLogs;
  /** Resolves once the messages are stored for good. */
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  /** Between two transactions, for as long as others need the machine more. */
  readonly giveWay: () => Promise<void>;
  readonly metrics: Metrics;
}

/**
 * Joins decisions, views and purchases by profile, and appends what follows to the logs of models. The records are
 * published before the transaction that they follow from ends: where that fails they come again, and a trainer drops
 * what it has seen.
 */
export class Joiner {
  readonly #options: JoinerOptions;
  readonly #records;
  readonly #losses;

  constructor(options: JoinerOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#records = metrics.counter('learning_records_total', 'Records appended to the logs of models', ['type']);
    this.#losses = metrics.counter('learning_losses_total', 'What could not be joined, or not well', ['what']);
  }

  /** @param messages of one topic, each partition's in offset order */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const deadLetters: DeadLetter[] = [];
    const { owned } = this.#options.partitions;
    for (let start = 0; start < messages.length; start += chunkSize) {
      const chunk = messages.slice(start, start + chunkSize);
      const { events, undecodable } = decodeAll(chunk);
      deadLetters.push(...undecodable);
      await inTransaction(this.#options.pool, (transaction) => this.#take(transaction, chunk, events, owned));
      await this.#options.giveWay();
    }
    return { publish: [], deadLetters };
  }

  /** Moves on behind a message that cannot be joined: it must not hold back the time of all that can. */
  async passOver(message: ReceivedMessage): Promise<void> {
    const { pool, partitions } = this.#options;
    const { owned } = partitions;
    const latest = latestOf(decodeAll([message]).events);
    await inTransaction(
      pool,
      async (transaction) => void (await partitions.take(transaction, [message], latest, owned)),
    );
  }

  /**
   * Ends the waiting of what has waited long enough, and forgets what nothing can follow from any more.
   * @param at until when everything is joined @returns whether there may be more
   */
  async pass(at: number): Promise<boolean> {
    const { pool } = this.#options;
    const { rows } = await pool.query<{ id: string }>(selectDue, [new Date(at), duesAtATime]);
    const due = rows.map(({ id }) => id);
    if (due.length > 0) {
      await inTransaction(pool, async (transaction) => {
        const journeys = await loadJourneys(transaction, due);
        const locked = new Set(due);
        const { catalogs } = this.#options;
        const turn = new JoinTurn({ catalogs, locked, journeys, chains: new Map(), joinedUntil: at });
        for (const profileId of due) turn.join(profileId, { type: 'passed', at });
        await this.#finish(transaction, turn, at);
      });
    }
    const { rowCount } = await pool.query(deleteForgotten, [new Date(at), forgottenAtATime]);
    return due.length === duesAtATime || rowCount === forgottenAtATime;
  }

  async #take(
    transaction: Transaction,
    messages: readonly ReceivedMessage[],
    events: ReadonlyMap<ReceivedMessage, ReceivedEvent>,
    owned: Owned,
  ): Promise<void> {
    const { partitions, catalogs, joinedTime } = this.#options;
    const taken = await partitions.take(transaction, messages, latestOf(events), owned);
    const fresh = taken.flatMap((message) => events.get(message) ?? []);
    if (fresh.length === 0) return;
    const chainIds = [...new Set(fresh.filter(isOfChain).map(({ body }) => body.chainId))];
    const locked = new Set([...fresh.flatMap(profilesOf), ...(await loadBuyers(transaction, chainIds))]);
    const journeys = await loadJourneys(transaction, [...locked]);
    const chains = await loadChains(transaction, chainIds);
    const turn = new JoinTurn({ catalogs, locked, journeys, chains, joinedUntil: joinedTime.until ?? 0 });
    for (const event of fresh) {
      if (isOfProfile(event)) turn.takeOfProfile(event);
      else if (isOfChain(event)) turn.takeOfChain(event);
    }
    const now = fresh.reduce((latest, { time }) => Math.max(latest, time), 0);
    await this.#finish(transaction, turn, now);
  }

  async #finish(transaction: Transaction, turn: JoinTurn, now: number): Promise<void> {
    for (const [id, record] of await loadChains(transaction, turn.settle())) turn.chains.set(id, record);
    turn.finish();
    const { journeys, chains } = turn.changes();
    storeJourneys(transaction, journeys);
    storeChains(transaction, chains);
    const messages = await this.#options.logs.messagesOf(transaction, turn.records, now);
    if (messages.length > 0) await this.#options.publish(messages);
    for (const { record } of turn.records) this.#records.inc({ type: record.type });
    for (const loss of turn.losses) this.#losses.inc({ what: loss });
  }
}

/** The latest time of the events of each partition. */
function latestOf(events: ReadonlyMap<ReceivedMessage, ReceivedEvent>): ReadonlyMap<number, number> {
  const latest = new Map<number, number>();
  for (const [{ partition }, { time }] of events) latest.set(partition, Math.max(latest.get(partition) ?? 0, time));
  return latest;
}

/** The profiles whose journeys an event may change, as far as it names them. */
function profilesOf(event: ReceivedEvent): readonly string[] {
  if (isOfProfile(event)) return [event.body.profileId];
  if (event.type === 'PurchaseValidated') return [event.body.profileId];
  if (event.type !== 'PurchaseClaimed') return [];
  return [event.body.payerProfileId, event.body.profileId];
}

function decodeAll(messages: readonly ReceivedMessage[]): {
  readonly events: ReadonlyMap<ReceivedMessage, ReceivedEvent>;
  readonly undecodable: readonly DeadLetter[];
} {
  const events = new Map<ReceivedMessage, ReceivedEvent>();
  const undecodable: DeadLetter[] = [];
  for (const message of messages) {
    try {
      events.set(message, decodeEvent(message));
    } catch (error) {
      if (!(error instanceof UndecodableMessage)) throw error;
      undecodable.push({ message, reason: error.message });
    }
  }
  return { events, undecodable };
}
