import type { RefundFact } from '@paywright/contracts';
import { isSame } from './is-same.ts';

/**
 * The refunds that are not known yet. Of parts of a Play order that were given back at one moment an earlier version
 * numbered those alone that had arrived: the first of them was known by the id that is another's now. So their amounts
 * say which of a moment's parts are new, and those take the ids that are free.
 */
export function newParts(told: readonly RefundFact[], known: Readonly<Record<string, RefundFact>>): RefundFact[] {
  const [toldOf, knownOf] = [Map.groupBy(told, momentOf), Map.groupBy(Object.values(known), momentOf)];
  return [...toldOf].flatMap(([moment, parts]) => {
    const free = parts.filter(({ refundId }) => !(refundId in known));
    return withoutAmountsOf(knownOf.get(moment) ?? [], parts)
      .slice(0, free.length)
      .map((part, index) => ({ ...part, refundId: free[index]!.refundId }));
  });
}

/** `GPA.1:1795176000000:1` is the second part of the moment that `GPA.1:1795176000000` is the first of. */
const momentOf = ({ refundId }: RefundFact) => refundId.replace(/(:\d+):\d+$/, '$1');

/** What is left of the parts when each known one has taken one of its amount away. */
function withoutAmountsOf(known: readonly RefundFact[], parts: readonly RefundFact[]): readonly RefundFact[] {
  return known.reduce<readonly RefundFact[]>((left, { amount }) => {
    const index = left.findIndex((part) => isSame(part.amount, amount));
    return index < 0 ? left : left.toSpliced(index, 1);
  }, parts);
}
