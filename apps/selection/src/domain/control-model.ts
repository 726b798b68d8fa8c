import {
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelUnfrozen,
  refuse,
  type AiShare,
  type FreezeModel,
  type SetAiShare,
} from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import type { SelectionEvent, SelectionState } from './selection-state.ts';

/** What guards and people have done to a model: the state of a model's own stream. */
export interface ModelControl {
  readonly aiShare: AiShare;
  readonly isFrozen: boolean;
}

export const uncontrolled: ModelControl = { aiShare: 1, isFrozen: false };

/**
 * @returns the event of the change; none where the share is not the one that was to be changed, or is so already;
 * VALIDATION_FAILED where a person would hold AI back: that is what the catalog's weights are for
 */
export function setAiShare({ appId, body }: SetAiShare, { control }: SelectionState): Decision<SelectionEvent> {
  const { model, from, aiShare, evidence, actor } = body;
  const { aiShare: formerAiShare } = control;
  if (evidence === null && aiShare < 1) {
    return refuse('VALIDATION_FAILED', 'aiShare: without evidence a model can only get its whole AI share back.');
  }
  if (aiShare === formerAiShare || (from !== null && from !== formerAiShare)) {
    return { events: [], reply: { aiShare: formerAiShare } };
  }
  const change = { appId, model, aiShare, formerAiShare };
  if (evidence !== null && aiShare < formerAiShare) {
    return { events: [ModelGuardTripped.of({ ...change, evidence })], reply: { aiShare } };
  }
  return { events: [ModelGuardReleased.of({ ...change, evidence, ...by(actor) })], reply: { aiShare } };
}

/** @returns the event of the change; none where nothing changes */
export function freezeModel({ appId, body }: FreezeModel, { control }: SelectionState): Decision<SelectionEvent> {
  const { model, isFrozen, actor } = body;
  if (isFrozen === control.isFrozen) return { events: [], reply: { isFrozen } };
  const event = (isFrozen ? ModelFrozen : ModelUnfrozen).of({ appId, model, ...by(actor) });
  return { events: [event], reply: { isFrozen } };
}

const by = (actor: string | undefined) => (actor === undefined ? {} : { actor });
