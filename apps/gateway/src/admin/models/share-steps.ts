import type { ModelChange } from '@paywright/read-model';

/** What AI had of its weight from a change on, and until then. */
export interface ShareStep {
  readonly aiShare: number;
  readonly formerAiShare: number;
}

/**
 * A person leaves AI so much of its weight, and its guard so much of that: what came of both, for each of the changes
 * in their order, null where one changed no share.
 * @param changes newest first; of those before the guard's, what a person said last must be there
 */
export function shareSteps(changes: readonly ModelChange[]): readonly (ShareStep | null)[] {
  let limit = 1;
  const steps = changes.toReversed().map(({ type, body }): ShareStep | null => {
    if (!('aiShare' in body)) return null;
    const { aiShare, formerAiShare } = body;
    if (type !== 'ModelShareLimited') return { aiShare: limit * aiShare, formerAiShare: limit * formerAiShare };
    limit = aiShare;
    return { aiShare, formerAiShare };
  });
  return steps.toReversed();
}
