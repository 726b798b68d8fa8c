import { SetAiShare } from '@paywright/contracts';
import { unawaitedCommand, type OutgoingMessage } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';
import { modelStreamOf } from '@paywright/purchases';
import { modelKey, type ModelName } from '@paywright/selection-models';
import type { DueShare } from './model-learner.ts';

/**
 * What asks for the share that a guard found. The same finding, made again of the same log, is the same command.
 * @param issuedAt milliseconds since the epoch
 */
export function shareCommand(name: ModelName, due: DueShare, issuedAt: number): OutgoingMessage {
  const { version, from, aiShare, evidence } = due;
  return unawaitedCommand(SetAiShare, {
    id: derivedId(`${modelKey(name)}:share:${version}:${aiShare}`),
    appId: name.appId,
    key: modelStreamOf(name),
    body: { model: name.model, from, version, aiShare, evidence },
    issuedAt,
  });
}
