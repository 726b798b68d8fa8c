import type { Command, DomainEvent, Outcome } from '@paywright/contracts';
import { type Batch, type BatchDecision, decideBatch, personalRecord } from './decide-batch.ts';
import type { Decider } from './decider.ts';
import type { Defects } from './defects.ts';
import { eventId } from './event-id.ts';
import { type CommandPlace, type EventStore, isConflict, isRejection, type PersonalFieldsKept } from './event-store.ts';
import { nothingHeld } from './held-personal.ts';
import { type StreamState, StreamStates } from './stream-states.ts';
import { type Upcaster, upcasting } from './upcasting.ts';

/**
 * Decides a batch, each partition's commands in log order, and stores what follows from it in one transaction.
 * @param late those of the commands that nobody waits for any more: expired, unless they were carried out before
 * @returns an outcome a command, in that order; the stored one for a command met before
 * @throws what the store throws; then nothing is known to be stored, and the offset must stay
 */
export type CommandProcessor<C extends Command, S, E extends DomainEvent> = (
  commands: readonly C[],
  late?: ReadonlySet<C>,
) => Promise<readonly Outcome<C, S, E>[]>;

export interface CommandProcessorOptions<C extends Command, S, E extends DomainEvent> {
  readonly decider: Decider<C, S, E>;
  readonly store: EventStore;
  readonly upcasters?: readonly Upcaster[];
  /** How many folded streams are kept in memory. */
  readonly cachedStreams?: number;
  /** In an event's body, as JSON: what leads to a longer one is refused. */
  readonly mostEventBytes?: number;
  readonly defects?: Defects;
}

const conflictsInARow = 3;

export function createCommandProcessor<C extends Command, S, E extends DomainEvent>(
  options: CommandProcessorOptions<C, S, E>,
): CommandProcessor<C, S, E> {
  const { decider, store, upcasters = [], cachedStreams = 10_000 } = options;
  const states = new StreamStates(decider, store, upcasting(upcasters), cachedStreams);
  const processor = new BatchProcessor(options, states);
  return async (commands, late = new Set()) => {
    const speaking = speakingCopies(commands, late);
    const expired = new Set(speaking.filter((command) => late.has(command)).map(({ id }) => id));
    const outcomes = await processor.process(speaking, expired);
    return commands.map((command) => ({ ...outcomes.get(command.id)!, command }));
  };
}

/**
 * Of the copies of a command the first one that somebody still waits for, at its place: a client that sends it again is not
 * to be refused for the one that it has given up. Where nobody waits for any, the last.
 */
function speakingCopies<C extends Command>(commands: readonly C[], late: ReadonlySet<C>): readonly C[] {
  const copies = new Map<string, C>();
  for (const command of commands) {
    const former = copies.get(command.id);
    if (former && !late.has(former)) continue;
    copies.delete(command.id);
    copies.set(command.id, command);
  }
  return [...copies.values()];
}

type Outcomes<C extends Command, S, E extends DomainEvent> = ReadonlyMap<string, Outcome<C, S, E>>;

class BatchProcessor<C extends Command, S, E extends DomainEvent> {
  readonly #options: CommandProcessorOptions<C, S, E>;
  readonly #states: StreamStates<C, S, E>;

  constructor(options: CommandProcessorOptions<C, S, E>, states: StreamStates<C, S, E>) {
    this.#options = options;
    this.#states = states;
  }

  /**
   * Together if possible; what cannot be stored together is stored one by one.
   * @param expired ids of those that nobody waits for
   */
  async process(commands: readonly C[], expired: ReadonlySet<string>): Promise<Outcomes<C, S, E>> {
    try {
      return await this.#persist(commands, expired);
    } catch (error) {
      if (!isConflict(error) && !isRejection(error)) throw error;
      const [command, ...others] = commands;
      if (others.length > 0) return this.#oneByOne(commands, expired);
      if (!command) throw error;
      const reason = isRejection(error) ? error.message : await this.#whyForEver(command);
      if (reason === null) throw error;
      return new Map([[command.id, { kind: 'failed', command, reason }]]);
    }
  }

  /** Why a command that the inbox does not know conflicts however often it is tried; null if it need not. */
  async #whyForEver({ id, key }: C): Promise<string | null> {
    if (this.#options.defects?.has('conflicts-for-ever')) return null;
    const isDone = await this.#options.store.hasEvent(key, eventId(id, 0));
    return isDone
      ? 'It was carried out before, longer ago than outcomes are kept: its events are in the stream.'
      : null;
  }

  async #oneByOne(commands: readonly C[], expired: ReadonlySet<string>): Promise<Outcomes<C, S, E>> {
    const outcomes = new Map<string, Outcome<C, S, E>>();
    for (const command of commands) {
      for (const [id, outcome] of await this.process([command], expired)) outcomes.set(id, outcome);
    }
    return outcomes;
  }

  /** Decides and stores; after a conflict, again on what is stored now. */
  async #persist(commands: readonly C[], expired: ReadonlySet<string>): Promise<Outcomes<C, S, E>> {
    // Memory and primary keys first, questions later: a command met before shows as a conflict.
    let asked = false;
    for (let conflicts = 0; ;) {
      try {
        const decision = await this.#decide(commands, { expired, askInbox: asked });
        return await this.#store(decision);
      } catch (error) {
        this.#states.forget(commands.map(({ key }) => key));
        if (!isConflict(error) || ++conflicts > conflictsInARow) throw error;
        asked = true;
      }
    }
  }

  async #decide(
    commands: readonly C[],
    { expired, askInbox }: { readonly expired: ReadonlySet<string>; readonly askInbox: boolean },
  ): Promise<BatchDecision<C, S, E>> {
    const { decider, defects, store, mostEventBytes = Infinity } = this.#options;
    const { epoch } = store; // before all that is read
    const unsure = askInbox ? commands : commands.filter(({ id }) => expired.has(id));
    // The inbox before the deadline: a command stored just before a crash must be told of, however late.
    const asked = defects?.has('deadline-before-inbox') ? unsure.filter(({ id }) => !expired.has(id)) : unsure;
    const met = asked.length > 0 ? await store.findOutcomes(asked.map(placeOf)) : new Map();
    const keys = [...new Set(commands.map(({ key }) => key))];
    const remembered = new Map(keys.flatMap((key) => entryOf(key, this.#states.recall(key))));
    const loaded = await this.#states.load(keys.filter((key) => !remembered.has(key)));
    const streams = new Map([...remembered, ...loaded]);
    const personal = await this.#personalOf(commands, streams); // behind the states: an event beside each change tells of it
    const batch = { commands, met, expired, streams, personal, mostEventBytes, epoch };

    const decision = decideBatch(decider, batch);
    if (!askInbox && [...decision.outcomes.values()].some(({ kind }) => kind === 'failed')) {
      return this.#decide(commands, { expired, askInbox: true }); // what was accepted once is not to fail now
    }
    return this.#confirm(batch, decision, remembered);
  }

  /** What is personal of streams that exist, where a rule asks for it. */
  async #personalOf(
    commands: readonly C[],
    streams: ReadonlyMap<string, StreamState<S>>,
  ): Promise<ReadonlyMap<string, PersonalFieldsKept>> {
    const { decider, store } = this.#options;
    const asking = commands.filter(({ type }) => decider.asksPersonal?.includes(type));
    const keys = [...new Set(asking.map(({ key }) => key))].filter((key) => streams.get(key)!.version > 0);
    if (keys.length === 0) return new Map();
    const found = await store.findPersonal(keys);
    return new Map(keys.map((key) => [key, found.get(key) ?? nothingHeld]));
  }

  /** Streams that get no event are not checked by the append: what was said of them from memory is said again. */
  async #confirm(
    batch: Batch<C, S>,
    decision: BatchDecision<C, S, E>,
    remembered: ReadonlyMap<string, unknown>,
  ): Promise<BatchDecision<C, S, E>> {
    const doubtful = [...remembered.keys()].filter(
      (key) => decision.streams.get(key)?.version === batch.streams.get(key)?.version,
    );
    if (doubtful.length === 0) return decision;
    const loaded = await this.#states.load(doubtful);
    return decideBatch(this.#options.decider, { ...batch, streams: new Map([...batch.streams, ...loaded]) });
  }

  async #store(decision: BatchDecision<C, S, E>): Promise<Outcomes<C, S, E>> {
    const { append, outcomes, personalChanged, streams } = decision;
    const personal = append.inbox.length > 0 ? await this.#options.store.append(append) : null;
    for (const [stream, state] of streams) this.#states.remember(stream, state, append.epoch);
    if (!personal || personalChanged.size === 0) return outcomes;
    const complete = new Map(outcomes);
    for (const id of personalChanged) {
      const outcome = outcomes.get(id);
      const kept = outcome && personal.get(outcome.command.key);
      if (kept && outcome.kind === 'accepted') {
        complete.set(id, { ...outcome, personal: personalRecord(outcome.command, kept) });
      }
    }
    return complete;
  }
}

const placeOf = ({ id: commandId, key: stream }: Command): CommandPlace => ({ commandId, stream });

const entryOf = <V>(key: string, value: V | undefined): [string, V][] => (value === undefined ? [] : [[key, value]]);
