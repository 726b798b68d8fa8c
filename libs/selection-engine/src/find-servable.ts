import type { EngineCatalog, EnginePaywall, EnginePlacement, TrafficShare } from './engine-catalog.ts';
import type { Target } from './traffic.ts';

/**
 * The paywall, if a request for the placement could be served it today by this target of the placement's own
 * draw: a candidate of its model, its baseline, or whatever a placement that it leads to can serve. Else null.
 */
export function findServable(
  catalog: EngineCatalog,
  placementId: string,
  target: Target,
  paywall: string,
): EnginePaywall | null {
  const placement = catalog.placements.get(placementId);
  if (placement === undefined) return null;
  const shares = sharesOf(placement).filter((share) => share.target === target);
  return find(catalog, placement, shares, paywall, new Set([placementId]));
}

const undrawn: readonly TrafficShare[] = [{ target: 'baseline', weight: 1 }];
const sharesOf = ({ model }: EnginePlacement) => model?.traffic ?? undrawn;

/** @param passed placements on the way, which circles lead back to; grows */
function find(
  catalog: EngineCatalog,
  { model, baseline }: EnginePlacement,
  shares: readonly TrafficShare[],
  paywall: string,
  passed: Set<string>,
): EnginePaywall | null {
  for (const share of shares) {
    if (share.target === 'placement') {
      const next = catalog.placements.get(share.placement);
      if (next === undefined || passed.has(next.id)) continue;
      const found = find(catalog, next, sharesOf(next), paywall, passed.add(next.id));
      if (found !== null) return found;
    } else {
      const shown = share.target === 'baseline' ? [baseline] : (model?.candidates ?? []);
      const found = shown.find((candidate) => candidate.paywall === paywall);
      if (found !== undefined) return found;
    }
  }
  return null;
}
