import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '@paywright/contracts';
import { namedDefects } from '@paywright/platform';
import { type Append, type CommandPlace, EventStore, isConflict } from './event-store.ts';

/**
 * Ways to break a service on purpose: the fault suite must catch each, or it proves nothing.
 * - `no-inbox`: a command that comes again is decided again
 * - `inbox-in-own-transaction`: the command is noted first, and its events are stored behind that
 * - `append-without-version`: where another writer was faster, it goes on as if nothing had been stored
 * - `no-republication`: a command that comes again is answered, and its events are not published
 * - `deadline-before-inbox`: a command that comes again late is dropped, though it was carried out
 * - `publish-before-append`: events are published, and stored behind that
 * - `conflicts-for-ever`: a command that the inbox has forgotten is tried again and again
 */
export const defectNames = [
  'no-inbox',
  'inbox-in-own-transaction',
  'append-without-version',
  'no-republication',
  'deadline-before-inbox',
  'publish-before-append',
  'conflicts-for-ever',
] as const;
export type DefectName = (typeof defectNames)[number];
export type Defects = ReadonlySet<DefectName>;

export const eventSourcingDefectsFrom = (env: NodeJS.ProcessEnv): Defects => namedDefects(defectNames, env);

const noOutcomes: Awaited<ReturnType<EventStore['findOutcomes']>> = new Map();

/** What defects do beside storing, each if left out nothing. */
export interface DefectActions {
  /** For `publish-before-append`. */
  readonly publish?: (events: readonly RecordedEvent[]) => Promise<void>;
  /** For `inbox-in-own-transaction`: called between the two. */
  readonly afterInbox?: () => void;
}

/** The store with these defects. */
export function brokenStore(store: EventStore, defects: Defects, actions: DefectActions = {}): EventStore {
  return defects.size === 0 ? store : new BrokenStore(store, defects, actions);
}

class BrokenStore extends EventStore {
  readonly #store: EventStore;
  readonly #defects: Defects;
  readonly #actions: DefectActions;

  constructor(store: EventStore, defects: Defects, actions: DefectActions) {
    super();
    this.#store = store;
    this.#defects = defects;
    this.#actions = actions;
  }

  override get epoch(): number {
    return this.#store.epoch;
  }

  override async findOutcomes(commands: readonly CommandPlace[]) {
    if (this.#defects.has('no-inbox')) return noOutcomes;
    const outcomes = await this.#store.findOutcomes(commands);
    if (!this.#defects.has('no-republication')) return outcomes;
    return new Map([...outcomes].map(([id, outcome]) => [id, { ...outcome, events: [], personal: null }]));
  }

  override async append(append: Append) {
    if (this.#defects.has('publish-before-append')) await this.#actions.publish?.(append.events);
    if (this.#defects.has('no-inbox')) return this.#store.append(withoutInbox(append));
    if (this.#defects.has('inbox-in-own-transaction')) {
      await this.#store.append({ inbox: append.inbox, events: [], personal: [], snapshots: [] });
      this.#actions.afterInbox?.();
      return this.#store.append({ ...append, inbox: [] });
    }
    if (!this.#defects.has('append-without-version')) return this.#store.append(append);
    try {
      return await this.#store.append(append);
    } catch (error) {
      if (isConflict(error)) return new Map<string, never>(); // as if nobody else had written
      throw error;
    }
  }

  override load(...parameters: Parameters<EventStore['load']>) {
    return this.#store.load(...parameters);
  }

  override eventsAfter(...parameters: Parameters<EventStore['eventsAfter']>) {
    return this.#store.eventsAfter(...parameters);
  }

  override findPersonal(...parameters: Parameters<EventStore['findPersonal']>) {
    return this.#store.findPersonal(...parameters);
  }

  override hasEvent(...parameters: Parameters<EventStore['hasEvent']>) {
    return this.#store.hasEvent(...parameters);
  }

  override forgetCommandsOlderThan(ms: number) {
    return this.#store.forgetCommandsOlderThan(ms);
  }
}

/** Ids that no longer follow from the command: else they would still tell a repeat. */
const withoutInbox = (append: Append): Append => ({
  ...append,
  inbox: [],
  events: append.events.map((event) => ({ ...event, id: randomUUID() })),
});
