import type { PersonalFieldChanges, PersonalRecord, RecordedEvent } from '@paywright/contracts';

/** By what the inbox knows a command. An id belongs to one stream: docs/decisions/0026. */
export interface CommandPlace {
  readonly commandId: string;
  readonly stream: string;
}

/** A command met, and what it was answered. Without events, `firstVersion` is above `lastVersion`. */
export interface InboxEntry extends CommandPlace {
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** JSON text, kept byte for byte. */
  readonly reply: string;
}

/**
 * Changes of a stream's personal fields; `version` is that of the event beside them. `erased`: all that was there before goes
 * first.
 */
export interface PersonalChange {
  readonly stream: string;
  readonly version: number;
  readonly erased: boolean;
  readonly changes: PersonalFieldChanges;
}

/** A stream's personal fields, all of them. */
export type PersonalFieldsKept = Pick<PersonalRecord, 'version' | 'fields'>;

export interface StreamSnapshot {
  readonly stream: string;
  readonly version: number;
  readonly code: string;
  readonly state: unknown;
}

/** What is stored together or not at all. A stream's events follow its last stored version without a gap. */
export interface Append {
  readonly inbox: readonly InboxEntry[];
  readonly events: readonly RecordedEvent[];
  readonly personal: readonly PersonalChange[];
  readonly snapshots: readonly StreamSnapshot[];
  /** The store's before anything was read that this follows from; absent if it follows from nothing. */
  readonly epoch?: number | undefined;
}

/** A stream as stored: its events after the snapshot, or all of them, in version order. */
export interface StoredStream {
  readonly snapshot: StreamSnapshot | null;
  readonly events: readonly RecordedEvent[];
}

/** A command met before, with what it led to. `personal` is what its stream holds now. */
export interface StoredOutcome {
  readonly reply: string;
  readonly events: readonly RecordedEvent[];
  readonly personal: PersonalFieldsKept | null;
}

/**
 * Another writer was faster, a command of the batch was met before, or the store is of a later epoch: nothing was stored.
 */
export class AppendConflict extends Error {
  override readonly name = 'AppendConflict';
}

/** The store will never take this: a defect of what was handed in, not of the infrastructure. Nothing was stored. */
export class AppendRejected extends Error {
  override readonly name = 'AppendRejected';
}

/** The database did not answer, or could not do its work: the same call may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

export const isConflict = (error: unknown): error is AppendConflict => error instanceof AppendConflict;
export const isRejection = (error: unknown): error is AppendRejected => error instanceof AppendRejected;
export const isInfrastructureFault = (error: unknown): error is StoreUnavailable => error instanceof StoreUnavailable;

/** Where a service keeps its streams. Every method may throw StoreUnavailable. */
export abstract class EventStore {
  /**
   * Rises when what was read or stored before may be gone: a connection leads to another server, which took over and may lack
   * the last commits.
   */
  abstract get epoch(): number;

  /** What became of those of the commands that were met before, by their ids. */
  abstract findOutcomes(commands: readonly CommandPlace[]): Promise<ReadonlyMap<string, StoredOutcome>>;

  /**
   * The streams by name; one that does not exist has no events.
   * @param snapshotCode only snapshots of this code are read; null reads none
   * @param most events of a stream, the first ones of what there is behind its snapshot; all if absent
   */
  abstract load(
    streams: readonly string[],
    snapshotCode: string | null,
    most?: number,
  ): Promise<ReadonlyMap<string, StoredStream>>;

  /** The events of a stream that follow a version, in order, and no more than `most`. */
  abstract eventsAfter(stream: string, version: number, most: number): Promise<readonly RecordedEvent[]>;

  /** What is personal of the streams; of one that never had any, nothing. */
  abstract findPersonal(streams: readonly string[]): Promise<ReadonlyMap<string, PersonalFieldsKept>>;

  /** Whether the stream has the event, by its id. */
  abstract hasEvent(stream: string, id: string): Promise<boolean>;

  /**
   * Stores all of it in one transaction.
   * @returns the complete personal fields of each stream that had some changed
   * @throws AppendConflict, AppendRejected
   */
  abstract append(append: Append): Promise<ReadonlyMap<string, PersonalFieldsKept>>;

  /**
   * Forgets the oldest commands that were stored so long ago that nobody repeats them any more: some at a time.
   * @returns how many; 0 once none is left
   */
  abstract forgetCommandsOlderThan(ms: number): Promise<number>;
}
