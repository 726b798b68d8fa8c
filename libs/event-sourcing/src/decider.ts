import type { Command, DomainEvent, PersonalFieldChanges, Refusal } from '@paywright/contracts';
import { type HeldPersonal, notRead } from './held-personal.ts';

/**
 * A rule's yes: the events to append (none, if nothing changed) and the body of the reply.
 * `personal` holds the changes of fields that no event may carry, or erases all of them; that needs an event beside it. Where
 * such fields are as they were given, `unchanged` lets the reply tell their version.
 */
export interface Accepted<E extends DomainEvent> {
  readonly events: readonly E[];
  readonly reply: unknown;
  readonly personal?: PersonalFieldChanges | 'erased' | 'unchanged';
}

export type Decision<E extends DomainEvent> = Accepted<E> | Refusal;

/** How the state of a long stream is kept, so that not every event of it is read again. */
export interface Snapshot<S> {
  /** Names the shape of the state and what `evolve` makes of events. A snapshot of another code is not read. */
  readonly code: string;
  /** A snapshot is written once that many events follow the last one. */
  readonly every: number;
  /** The state as JSON. */
  readonly encode: (state: S) => unknown;
  /** The state again, of JSON as `encode` made it. */
  readonly decode: (json: unknown) => S;
}

/** The pure part of a service: no clock, no randomness, no input or output. */
export interface Decider<C extends Command, S, E extends DomainEvent> {
  readonly initialState: S;
  /** The state after the event. Never throws. */
  readonly evolve: (state: S, event: E) => S;
  /** A rule a command. A throw is a defect of the rule and costs this command alone. */
  readonly decide: {
    readonly [Type in C['type']]: (
      command: Extract<C, { type: Type }>,
      state: S,
      personal: HeldPersonal,
    ) => Decision<E>;
  };
  /** The commands whose rules ask what is personal: for these it is read. */
  readonly asksPersonal?: readonly C['type'][];
  readonly snapshot?: Snapshot<S>;
}

export const isRefusal = <E extends DomainEvent>(decision: Decision<E>): decision is Refusal => 'code' in decision;

/** What the rule for this command's type says. */
export function decide<C extends Command, S, E extends DomainEvent>(
  decider: Decider<C, S, E>,
  command: C,
  state: S,
  personal: HeldPersonal = notRead,
): Decision<E> {
  // TypeScript cannot see that a command found by its own type is of that type; and the type may be unknown.
  const rule = decider.decide[command.type as C['type']] as
    ((command: C, state: S, personal: HeldPersonal) => Decision<E>) | undefined;
  if (!rule) throw new TypeError(`no rule for ${command.type}`);
  return rule(command, state, personal);
}
