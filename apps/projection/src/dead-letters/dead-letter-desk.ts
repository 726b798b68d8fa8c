import {
  commandsOf,
  DeadLetterOutcome,
  groups,
  topics,
  type DiscardDeadLetter,
  type RetryDeadLetter,
} from '@paywright/contracts';
import { inTransaction } from '@paywright/event-sourcing';
import {
  acceptanceOf,
  decodeCommands,
  refusalOf,
  type BatchResult,
  type DeadLetter,
  type Failpoint,
  type OutgoingMessage,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { Clock, Logger } from '@paywright/platform';
import type { Queryable } from '@paywright/read-model';
import type pg from 'pg';
import { insertAudit } from '../catalog/catalog.sql.ts';
import type { Projection } from '../following/projection.ts';
import { discardAlone, readCommandAgain, retryCommand } from './command-letters.ts';
import { discardFolded, mirrorOf, readAgain, retryFolded, type SourceLog } from './folded-letters.ts';
import { findLetter, type Letter } from './letter.ts';
import { selectAction } from './letter.sql.ts';
import { refusalToActOn, refused, unknownLetter, type Acting, type Settled } from './settling.ts';

export interface DeadLetterDeskOptions {
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly source: SourceLog;
  /** Resolves once the messages are stored for good. */
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: Failpoint;
}

type Action = RetryDeadLetter | DiscardDeadLetter;
type Work = (transaction: Queryable) => Promise<Settled>;

/** The app under which the audit keeps what is of none. */
const noApp = 0;
/** What the audit calls them. They are in no topic of events. */
export const deadLetterActions = ['DeadLetterRetried', 'DeadLetterDiscarded'] as const;
/** Such changes have no stream. */
const noVersion = 1;

/**
 * Carries out what operators ask to be done about dead letters. The audit's row of a command is also its inbox: one that
 * comes again is answered as before, and nothing is done twice.
 */
export class DeadLetterDesk {
  readonly #options: DeadLetterDeskOptions;
  readonly #projections: ReadonlyMap<string, Projection>;

  constructor(options: DeadLetterDeskOptions) {
    this.#options = options;
    this.#projections = new Map(options.projections.map((projection) => [projection.topic, projection]));
  }

  /** @throws what database or broker throw: nothing was done then that does harm when it is done again */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const publish: OutgoingMessage[] = [];
    const deadLetters: DeadLetter[] = [];
    for (const message of messages) {
      const decoded = decodeCommands(topics.deadLetterCommands, [message]);
      deadLetters.push(...decoded.deadLetters);
      for (const command of decoded.commands) publish.push(...(await this.#answer(command, message)));
    }
    return { publish, deadLetters };
  }

  async #answer(command: Action, message: ReceivedMessage): Promise<readonly OutgoingMessage[]> {
    const letter = await findLetter(this.#options.pool, command.body.deadLetterId);
    if (letter === null) return refusalOf(message, unknownLetter.refusal);
    const done = await this.#doneBefore(command, letter);
    // It comes again since not all of it was published.
    if (done) return [...(await this.#failedAgain(done)), ...acceptanceOf(message, done)];
    const settled = await this.#carryOut(command, letter);
    if ('refusal' in settled) return refusalOf(message, settled.refusal);
    const { actor } = command.body;
    const { group, topic } = letter;
    this.#options.logger.warn(
      { ...settled.outcome, actor, group, topic, action: command.type },
      'A dead letter was acted on',
    );
    return [...settled.publish, ...acceptanceOf(message, settled.outcome)];
  }

  async #doneBefore({ id }: Action, { appId }: Letter): Promise<DeadLetterOutcome | null> {
    const { rows } = await this.#options.pool.query<{ after: unknown }>(selectAction, [appId ?? noApp, id]);
    return rows[0] ? DeadLetterOutcome.parse(rows[0].after) : null;
  }

  async #failedAgain({ nextDeadLetter }: DeadLetterOutcome): Promise<readonly OutgoingMessage[]> {
    const failed = nextDeadLetter === null ? null : await findLetter(this.#options.pool, nextDeadLetter);
    return failed === null ? [] : mirrorOf(failed);
  }

  async #carryOut(command: Action, letter: Letter): Promise<Settled> {
    const acting = { actor: command.body.actor, now: this.#options.clock.now() };
    const work = command.type === 'RetryDeadLetter' ? await this.#retry(letter, acting) : this.#discard(letter, acting);
    if (typeof work !== 'function') return work;
    return inTransaction(this.#options.pool, async (transaction) => {
      // What is acknowledged must outlive a crash of the database, unlike rows that are folded again.
      await transaction.query('set local synchronous_commit = on');
      // Kafka is read and written meanwhile.
      await transaction.query("set local idle_in_transaction_session_timeout = '30s'");
      const settled = await work(transaction);
      if ('outcome' in settled) await audit(transaction, command, letter, settled.outcome, acting.now);
      return settled;
    });
  }

  async #retry(letter: Letter, acting: Acting): Promise<Work | Settled> {
    const { source, publish, failpoint } = this.#options;
    const refusal = refusalToActOn(letter);
    if (refusal) return refusal;
    const projection = this.#projectionOf(letter);
    if (projection) {
      const again = projection.payloadKept ? null : await readAgain(source, letter);
      if (again && 'refusal' in again) return again;
      return (transaction) => retryFolded(transaction, projection, letter, again, acting);
    }
    if (!Object.hasOwn(commandsOf, letter.topic)) return outOfTurn(letter);
    const read = await readCommandAgain(source, letter);
    if ('refusal' in read) return read;
    return (transaction) => retryCommand(transaction, letter, read.command, publish, failpoint, acting);
  }

  #discard(letter: Letter, acting: Acting): Work {
    const projection = this.#projectionOf(letter);
    return projection
      ? (transaction) => discardFolded(transaction, projection, letter, acting)
      : (transaction) => discardAlone(transaction, letter, acting);
  }

  #projectionOf({ group, topic }: Letter): Projection | undefined {
    return group === groups.projection ? this.#projections.get(topic) : undefined;
  }
}

const outOfTurn = ({ group, topic }: Letter) =>
  refused(
    'DEAD_LETTER_NOT_RETRIABLE',
    `It cannot be retried: ${group} takes a record of ${topic} in its turn only. Discard the dead letter.`,
  );

async function audit(
  transaction: Queryable,
  { id, type, body }: Action,
  { group, status, error: reason, attempts, appId }: Letter,
  outcome: DeadLetterOutcome,
  now: number,
): Promise<void> {
  const [retried, discarded] = deadLetterActions;
  const action = type === 'RetryDeadLetter' ? retried : discarded;
  const before = { group, status, reason, attempts };
  const values = [appId ?? noApp, noVersion, id, new Date(now), body.actor, action, before, outcome];
  await transaction.query(insertAudit, values);
}
