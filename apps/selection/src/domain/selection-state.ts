import {
  AiShare,
  targets,
  type DecisionSuperseded,
  type ModelFrozen,
  type ModelGuardReleased,
  type ModelGuardTripped,
  type ModelShareLimited,
  type ModelUnfrozen,
  type PaywallServed,
} from '@paywright/contracts';
import type { Snapshot } from '@paywright/event-sourcing';
import { z } from 'zod';
import { uncontrolled, type ModelControl } from './control-model.ts';

/** Of a profile's stream the first two, of a model's the others. */
export type SelectionEvent =
  | PaywallServed
  | DecisionSuperseded
  | ModelGuardTripped
  | ModelGuardReleased
  | ModelShareLimited
  | ModelFrozen
  | ModelUnfrozen;

const StickyDecision = z.object({
  decisionId: z.uuid(),
  /** Of it and its repetitions the first few that count: one of them was given to a client. */
  givenBy: z.array(z.uuid()),
  /** Milliseconds since the epoch. */
  until: z.int(),
  /** Of whom it was made for: who was erased and came back is another. */
  profileCreatedAt: z.int(),
  paywall: z.string(),
  isExperiment: z.boolean(),
  target: z.enum(targets),
  path: z.array(z.object({ placementId: z.string(), target: z.enum(targets), weight: z.number().nullable() })),
  probability: z.number().nullable(),
  modelVersion: z.string().nullable(),
});
/** A decision that its profile keeps for a while at its placement. */
export type StickyDecision = z.output<typeof StickyDecision>;

/** What a profile's next decisions depend on, or a model's next changes. */
export interface SelectionState {
  /** By placement. */
  readonly sticky: ReadonlyMap<string, StickyDecision>;
  /** Decisions that count for nothing, the last few: their own command may still come. */
  readonly superseded: readonly string[];
  /** Of a model's stream. */
  readonly control: ModelControl;
}

/** A late command comes within seconds of its fallback: so many fallbacks of one profile do not fit between. */
const supersededKept = 32;

/**
 * More fallbacks than these do not come between the first of some simultaneous requests and their last. They are the first,
 * not the last: what was given long ago is not taken back by later fallbacks, be they ever so many.
 */
const giversKept = 8;

export const initialState: SelectionState = { sticky: new Map(), superseded: [], control: uncontrolled };

export function evolve(state: SelectionState, event: SelectionEvent): SelectionState {
  switch (event.type) {
    case 'PaywallServed':
      return keep(state, event.body);
    case 'DecisionSuperseded':
      return supersede(state, event.body.decisionId);
    case 'ModelGuardTripped':
    case 'ModelGuardReleased':
      return changeControl(state, { aiShare: event.body.aiShare });
    case 'ModelShareLimited':
      return changeControl(state, { aiShare: 1, limit: event.body.aiShare });
    case 'ModelFrozen':
      return changeControl(state, { isFrozen: true });
    case 'ModelUnfrozen':
      return changeControl(state, { isFrozen: false });
    default:
      event satisfies never;
      return state;
  }
}

/** Each event of a model's stream changes it. */
function changeControl(state: SelectionState, change: Partial<ModelControl>): SelectionState {
  const { control } = state;
  return { ...state, control: { ...control, ...change, version: control.version + 1 } };
}

function keep(state: SelectionState, served: PaywallServed['body']): SelectionState {
  const { stickyUntil, stickyTo, placementId, decisionId, paywall } = served;
  if (stickyTo !== null) return repeat(state, served);
  if (stickyUntil === null) return state;
  const { isExperiment, target, path, probability, modelVersion } = served;
  const { profileCreatedAt } = served.context;
  const decision = { isExperiment, target, path, probability, modelVersion };
  const kept = { ...decision, decisionId, givenBy: [decisionId], until: stickyUntil, profileCreatedAt, paywall };
  return { ...state, sticky: new Map(state.sticky).set(placementId, kept) };
}

function repeat(state: SelectionState, { stickyTo, placementId, decisionId }: PaywallServed['body']): SelectionState {
  const sticky = state.sticky.get(placementId);
  if (sticky === undefined || sticky.decisionId !== stickyTo || state.superseded.includes(decisionId)) return state;
  if (sticky.givenBy.length === giversKept) return state;
  const repeated = { ...sticky, givenBy: [...sticky.givenBy, decisionId] };
  return { ...state, sticky: new Map(state.sticky).set(placementId, repeated) };
}

/** What a client was given stays, whichever of the decisions that gave it counts for nothing. */
function supersede(state: SelectionState, decisionId: string): SelectionState {
  const sticky = [...state.sticky].flatMap(([placementId, one]) => {
    const givenBy = one.givenBy.filter((id) => id !== decisionId);
    return givenBy.length === 0 ? [] : [[placementId, { ...one, givenBy }] as const];
  });
  return { ...state, sticky: new Map(sticky), superseded: [...state.superseded, decisionId].slice(-supersededKept) };
}

const Encoded = z.object({
  sticky: z.array(z.tuple([z.string(), StickyDecision])),
  superseded: z.array(z.uuid()),
  control: z.object({ aiShare: AiShare, limit: z.number(), isFrozen: z.boolean(), version: z.int() }),
});

/** A profile's decisions are many, and few of them matter to the next. */
export const selectionSnapshot: Snapshot<SelectionState> = {
  code: 'selection-2',
  every: 100,
  encode: ({ sticky, ...others }) => ({ sticky: [...sticky], ...others }),
  decode: (json) => {
    const { sticky, ...others } = Encoded.parse(json);
    return { sticky: new Map(sticky), ...others };
  },
};
