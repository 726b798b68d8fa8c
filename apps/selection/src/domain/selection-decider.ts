import type { RecordFallback, ServePaywall } from '@paywright/contracts';
import type { Decider } from '@paywright/event-sourcing';
import { recordFallback } from './record-fallback.ts';
import {
  evolve,
  initialState,
  selectionSnapshot,
  type SelectionEvent,
  type SelectionState,
} from './selection-state.ts';
import { servePaywall, type DecisionInputs } from './serve-paywall.ts';

export type SelectionCommand = ServePaywall | RecordFallback;

/** The decider over what else decisions are made with. A stream holds the decisions for one profile. */
export const selectionDecider = (
  inputs: DecisionInputs,
): Decider<SelectionCommand, SelectionState, SelectionEvent> => ({
  initialState,
  evolve,
  decide: { ServePaywall: servePaywall(inputs), RecordFallback: recordFallback },
  snapshot: selectionSnapshot,
});
