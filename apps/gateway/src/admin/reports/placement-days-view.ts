import type { PlacementDay } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';
import { comparisonView, type ReportedPlacement } from './placement-report-view.ts';

/** Decisions of a placement, in a period, by day of UTC and target, and how AI compared with Baseline when each day ended. */
export const placementDaysView = (
  { placementId, model, from, to }: ReportedPlacement,
  days: readonly PlacementDay[],
) => ({
  placementId,
  model,
  from: isoTime(from),
  to: isoTime(to),
  days: days.map(({ day, targets, comparison }) => ({ day, targets, comparison: comparisonView(comparison) })),
});
