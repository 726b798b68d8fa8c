import type { History } from '../../faults/history.ts';
import { acknowledgedOnce } from './acknowledged-once.ts';
import { createdAtMostOnce } from './created-at-most-once.ts';
import type { Finding } from './finding.ts';
import type { KnownEvent, Observation } from './observation.ts';
import { projectedOnce } from './projected-once.ts';
import { publishedInOrder } from './published-in-order.ts';
import { readModelIsFold } from './read-model-is-fold.ts';
import { sameAnswerAgain } from './same-answer-again.ts';
import { servedOnce } from './served-once.ts';
import { versionsWithoutGap } from './versions-without-gap.ts';

/** All that does not hold of the profiles of this history. The invariants are those of docs/correctness.md. */
export function findingsOfProfiles(history: History, seen: Observation): readonly Finding[] {
  const perhaps = history.unacknowledgedCreations.flatMap(
    ({ customerUserId }) => seen.customers.get(customerUserId) ?? [],
  );
  const ours = new Set([...history.profiles.map(({ profileId }) => profileId), ...perhaps]);
  const only = (events: readonly KnownEvent[]) => events.filter(({ stream }) => ours.has(stream));
  const [stored, published, projected] = [only(seen.stored), only(seen.published), only(seen.projected)];
  return [
    ...acknowledgedOnce(history, stored),
    ...createdAtMostOnce(history, seen),
    ...sameAnswerAgain(history),
    ...servedOnce(history, stored),
    ...versionsWithoutGap(stored),
    ...publishedInOrder(stored, published),
    ...projectedOnce(published, projected),
    ...readModelIsFold(history, published, seen),
  ];
}
