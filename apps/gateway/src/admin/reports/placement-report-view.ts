import type { PlacementPeriod, PlacementReportRow } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';
import { ratioInterval } from './ratio-interval.ts';

/** A decision's placement, in a period, by target and paywall. */
export function placementReportView({ placementId, from, to }: PlacementPeriod, rows: readonly PlacementReportRow[]) {
  const targets = rows.filter(({ paywallId }) => paywallId === null);
  return {
    placementId,
    from: isoTime(from),
    to: isoTime(to),
    targets: targets.map((row) => ({
      target: row.target,
      ...figures(row),
      paywalls: rows
        .filter(({ target, paywallId }) => target === row.target && paywallId !== null)
        .map((one) => ({ paywallId: one.paywallId, externalId: one.externalId, ...figures(one) })),
    })),
  };
}

function figures({
  requests,
  uniqueImpressions,
  conversions,
  revenueUsd,
  usdPerImpression,
  spread,
}: PlacementReportRow) {
  const interval = ratioInterval(Number(usdPerImpression ?? 0), spread, uniqueImpressions);
  return {
    requests,
    uniqueImpressions,
    conversions,
    payers: spread.payers,
    revenueUsd,
    revenuePerImpression:
      usdPerImpression === null
        ? null
        : { usd: usdPerImpression, low: interval && usdText(interval.low), high: interval && usdText(interval.high) },
  };
}

/** As the mean beside it: what is estimated is told to a millionth of a dollar. */
const usdText = (usd: number): string => usd.toFixed(6);
