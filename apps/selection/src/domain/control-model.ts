import {
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelShareLimited,
  ModelUnfrozen,
  refuse,
  type AiShare,
  type FreezeModel,
  type LimitModelShare,
  type SetAiShare,
  type ShareLimit,
} from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import type { SelectionEvent, SelectionState } from './selection-state.ts';

/** What guards and people have done to a model: the state of a model's own stream. */
export interface ModelControl {
  /** What the guard leaves AI of what a person does. */
  readonly aiShare: AiShare;
  /** What a person leaves AI of its weight, from 0 to 1. */
  readonly limit: number;
  readonly isFrozen: boolean;
  /** Of the model's stream. */
  readonly version: number;
}

export const uncontrolled: ModelControl = { aiShare: 1, limit: 1, isFrozen: false, version: 0 };

/** What AI has of the weight that the catalog gives it, from 0 to 1. */
export const shareOf = ({ aiShare, limit }: ModelControl): number => limit * aiShare;

/**
 * What a guard found, of what a person leaves AI.
 * @returns the event of the change; none where the share is not the one that was to be changed, or is so already, or where
 * more has happened to the model than its guard knew: it may be learning its log again, and tell of what is long past;
 * VALIDATION_FAILED where it is held back without evidence: for people there is LimitModelShare
 */
export function setAiShare({ appId, body }: SetAiShare, { control }: SelectionState): Decision<SelectionEvent> {
  const { model, from, version, aiShare, evidence, actor } = body;
  const { aiShare: formerAiShare } = control;
  if (evidence === null) {
    if (aiShare === 1) return byHand({ appId, model, actor }, aiShare, control);
    return refuse('VALIDATION_FAILED', 'aiShare: without evidence a model can only get its whole AI share back.');
  }
  const isPassed = version !== undefined && version < control.version;
  if (aiShare === formerAiShare || (from !== null && from !== formerAiShare) || isPassed) {
    return { events: [], reply: { aiShare: formerAiShare } };
  }
  const change = { appId, model, aiShare, formerAiShare, evidence };
  const event = aiShare < formerAiShare ? ModelGuardTripped.of(change) : ModelGuardReleased.of(change);
  return { events: [event], reply: { aiShare } };
}

/** @returns the event of the change; none where AI has that share already, and the guard has taken nothing */
export const limitModelShare = ({ appId, body }: LimitModelShare, { control }: SelectionState) =>
  byHand({ appId, model: body.model, actor: body.actor }, body.aiShare, control);

interface ByHand {
  readonly appId: number;
  readonly model: string;
  readonly actor: string | undefined;
}

/** A person's word holds, whatever the guard had taken. Only what the guard took is said to be released. */
function byHand({ appId, model, actor }: ByHand, aiShare: ShareLimit, control: ModelControl): Decision<SelectionEvent> {
  const reply = { aiShare };
  if (control.limit === aiShare && control.aiShare === 1) return { events: [], reply };
  const named = { appId, model, ...by(actor) };
  const event =
    aiShare === 1 && control.limit === 1
      ? ModelGuardReleased.of({ ...named, aiShare, formerAiShare: control.aiShare, evidence: null })
      : ModelShareLimited.of({ ...named, aiShare, formerAiShare: shareOf(control) });
  return { events: [event], reply };
}

/** @returns the event of the change; none where nothing changes */
export function freezeModel({ appId, body }: FreezeModel, { control }: SelectionState): Decision<SelectionEvent> {
  const { model, isFrozen, actor } = body;
  if (isFrozen === control.isFrozen) return { events: [], reply: { isFrozen } };
  const event = (isFrozen ? ModelFrozen : ModelUnfrozen).of({ appId, model, ...by(actor) });
  return { events: [event], reply: { isFrozen } };
}

const by = (actor: string | undefined) => (actor === undefined ? {} : { actor });
