import { expect } from '@jest/globals';
import type { Command, DomainEvent, ErrorCode, PersonalFields } from '@paywright/contracts';
import { type Decider, type Decision, decide, isRefusal } from '../decider.ts';
import { heldPersonal } from '../held-personal.ts';

/** What can be said of a decision; each returns the same again. */
export interface Then<E extends DomainEvent> {
  /** Exactly these events, in this order. */
  then(events: readonly E[]): Then<E>;
  /** Accepted without an event. */
  thenNothing(): Then<E>;
  thenReply(reply: unknown): Then<E>;
  /** Exactly these changes of personal fields; undefined for none. */
  thenPersonal(changes: unknown): Then<E>;
  /** @param message the whole sentence, where it matters */
  thenRefused(code: ErrorCode, message?: string): Then<E>;
}

/** A decider's spec as data: given events, and what is personal, when a command, then what. */
export function specification<C extends Command, S, E extends DomainEvent>(decider: Decider<C, S, E>) {
  return {
    given: (events: readonly E[], fields: Partial<PersonalFields> = {}) => ({
      when: (command: C) => {
        const state = events.reduce(decider.evolve, decider.initialState);
        return thenOf(decide(decider, command, state, heldPersonal({ version: events.length, fields })));
      },
    }),
  };
}

function thenOf<E extends DomainEvent>(decision: Decision<E>): Then<E> {
  const accepted = () => {
    if (isRefusal(decision)) throw new Error(`refused: ${decision.code} ${decision.message}`);
    return decision;
  };
  const saying = (check: () => void) => () => (check(), then);
  const then: Then<E> = {
    then: (events) => saying(() => expect(accepted().events).toEqual(events))(),
    thenNothing: saying(() => expect(accepted().events).toEqual([])),
    thenReply: (reply) => saying(() => expect(accepted().reply).toEqual(reply))(),
    thenPersonal: (changes) => saying(() => expect(accepted().personal).toEqual(changes))(),
    thenRefused: (code, message) =>
      saying(() => {
        expect(isRefusal(decision) ? decision.code : decision).toEqual(code);
        if (message !== undefined) expect(decision).toMatchObject({ message });
      })(),
  };
  return then;
}
