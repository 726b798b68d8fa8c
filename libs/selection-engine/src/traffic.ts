import { drawIndex } from './draw-index.ts';
import type { EngineCatalog, EnginePlacement, TrafficShare } from './engine-catalog.ts';
import { uniform } from './uniform.ts';

export type Target = TrafficShare['target'];

/** One placement on the way, and what was drawn there. `weight` is the drawn share's, null without a draw. */
export interface Step {
  readonly placementId: string;
  readonly target: Target;
  readonly weight: number | null;
}

export type Route =
  | {
      readonly kind: 'route';
      /** From the requested placement to the one that serves; its last target is not 'placement'. */
      readonly path: readonly [Step, ...Step[]];
      readonly servedBy: EnginePlacement;
      /** How many placements were left behind: part of the purpose of every draw there. */
      readonly depth: number;
    }
  /** From the requested placement to the first that repeats. */
  | { readonly kind: 'circular'; readonly chain: readonly string[] }
  | { readonly kind: 'unknown-placement' };

/**
 * Which way a request goes: each placement's own draw by its model's weights, followed into Placement
 * targets. A placement without a model, and every request that is for Baseline alone, gets Baseline undrawn.
 */
export function drawRoute(
  catalog: EngineCatalog,
  request: { readonly placementId: string; readonly seed: string; readonly baselineOnly: boolean },
): Route {
  const path: Step[] = [];
  let placementId = request.placementId;
  for (;;) {
    const placement = catalog.placements.get(placementId);
    if (placement === undefined) return { kind: 'unknown-placement' };
    const depth = path.length;
    const share = request.baselineOnly ? null : drawShare(placement, request.seed, depth);
    const step = { placementId, target: share?.target ?? 'baseline', weight: share?.weight ?? null };
    path.push(step);
    if (share?.target !== 'placement') {
      const [requested = step, ...further] = path;
      return { kind: 'route', path: [requested, ...further], servedBy: placement, depth };
    }
    placementId = share.placement;
    if (path.some((passed) => passed.placementId === placementId)) {
      return { kind: 'circular', chain: [...path.map((passed) => passed.placementId), placementId] };
    }
  }
}

function drawShare({ model }: EnginePlacement, seed: string, depth: number): TrafficShare | null {
  if (model === null) return null;
  const weights = model.traffic.map(({ weight }) => weight);
  return model.traffic[drawIndex(weights, uniform(seed, `target/${depth}`))] ?? null;
}
