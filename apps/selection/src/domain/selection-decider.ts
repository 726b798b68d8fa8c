import type { FreezeModel, LimitModelShare, RecordFallback, ServePaywall, SetAiShare } from '@paywright/contracts';
import type { Decider } from '@paywright/event-sourcing';
import { freezeModel, limitModelShare, setAiShare } from './control-model.ts';
import { recordFallback } from './record-fallback.ts';
import {
  evolve,
  initialState,
  selectionSnapshot,
  type SelectionEvent,
  type SelectionState,
} from './selection-state.ts';
import { servePaywall, type DecisionInputs } from './serve-paywall.ts';

export type SelectionCommand = ServePaywall | RecordFallback | SetAiShare | LimitModelShare | FreezeModel;

/** The decider over what else decisions are made with. A stream holds the decisions for one profile, or what was done to one model. */
export const selectionDecider = (
  inputs: DecisionInputs,
): Decider<SelectionCommand, SelectionState, SelectionEvent> => ({
  initialState,
  evolve,
  decide: {
    ServePaywall: servePaywall(inputs),
    RecordFallback: recordFallback,
    SetAiShare: setAiShare,
    LimitModelShare: limitModelShare,
    FreezeModel: freezeModel,
  },
  snapshot: selectionSnapshot,
});
