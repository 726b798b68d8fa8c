import type { ModelChange } from '@paywright/read-model';

/** What AI had of its weight from a change on, and until then. */
export interface ShareStep {
  readonly aiShare: number;
  readonly formerAiShare: number;
}

/**
 * A person leaves AI so much of its weight, and its guard so much of that: what came of both, for each of the changes
 * in their order, null where one changed no share.
 * @param changes newest first; what was before the oldest is what it says
 */
export function shareSteps(changes: readonly ModelChange[]): readonly (ShareStep | null)[] {
  const oldest = changes.findLast(({ body }) => 'formerAiShare' in body);
  let [limit, left] = [1, oldest !== undefined && 'formerAiShare' in oldest.body ? oldest.body.formerAiShare : 1];
  const steps = changes.toReversed().map(({ type, body }): ShareStep | null => {
    if (!('aiShare' in body)) return null;
    const formerAiShare = limit * left;
    [limit, left] = type === 'ModelShareLimited' ? [body.aiShare, 1] : [limit, body.aiShare];
    return { aiShare: limit * left, formerAiShare };
  });
  return steps.toReversed();
}
