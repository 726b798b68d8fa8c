import type { PlacementDay } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';
import type { ReportedPlacement } from './placement-report-view.ts';

/** Decisions of a placement, in a period, by day of UTC and target; days without one are left out. */
export function placementDaysView({ placementId, model, from, to }: ReportedPlacement, rows: readonly PlacementDay[]) {
  const days = Map.groupBy(rows, ({ day }) => day);
  return {
    placementId,
    model,
    from: isoTime(from),
    to: isoTime(to),
    days: [...days].map(([day, ofDay]) => ({ day, targets: ofDay.map(figures) })),
  };
}

const figures = ({
  target,
  requests,
  draws,
  uniqueImpressions,
  conversions,
  drawConversions,
  ...money
}: PlacementDay) => {
  const { revenueUsd, drawRevenueUsd } = money;
  return { target, requests, draws, uniqueImpressions, conversions, drawConversions, revenueUsd, drawRevenueUsd };
};
