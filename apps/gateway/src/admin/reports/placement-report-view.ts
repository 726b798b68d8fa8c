import type { PlacementPeriod, PlacementReportRow, ProfileSpread, TargetComparison } from '@paywright/read-model';
import { isoTime } from '../iso-time.ts';
import { earningsInterval, ratioInterval, type RatioInterval } from './ratio-interval.ts';

export interface ReportedPlacement extends Omit<PlacementPeriod, 'model'> {
  /** Its id in the catalog; null where it was not asked for. */
  readonly model: string | null;
}

/** A decision's placement, in a period, by target and paywall. */
export function placementReportView(reported: ReportedPlacement, rows: readonly PlacementReportRow[]) {
  const { placementId, model, from, to } = reported;
  const targets = rows.filter(({ paywallId }) => paywallId === null);
  return {
    placementId,
    model,
    from: isoTime(from),
    to: isoTime(to),
    targets: targets.map((row) => ({
      target: row.target,
      ...figures(row),
      paywalls: rows
        .filter(({ target, paywallId }) => target === row.target && paywallId !== null)
        .map((one) => ({ paywallId: one.paywallId, externalId: one.externalId, ...figures(one) })),
    })),
    comparison: comparisonView(targets.find(({ comparison }) => comparison !== null)?.comparison ?? null),
  };
}

/** AI minus Baseline; its interval is that of a ratio to one, since the spread is of USD a draw. */
export function comparisonView(compared: TargetComparison | null) {
  if (compared === null) return null;
  const { ai, baseline, usdPerDraw, spread } = compared;
  return {
    aiModel: { draws: ai.draws, usdPerDraw: ai.usdPerDraw },
    baseline: { draws: baseline.draws, usdPerDraw: baseline.usdPerDraw },
    difference: told(usdPerDraw, ratioInterval(Number(usdPerDraw), spread, 1)),
  };
}

function figures(row: PlacementReportRow) {
  const { requests, draws, uniqueImpressions, conversions, revenueUsd, unvaluedCurrencies, spread, drawSpread } = row;
  return {
    requests,
    draws,
    uniqueImpressions,
    conversions,
    payers: spread.payers,
    drawPayers: drawSpread.payers,
    revenueUsd,
    unvaluedCurrencies,
    revenuePerImpression: mean(row.usdPerImpression, spread, uniqueImpressions),
    revenuePerDraw: mean(row.usdPerDraw, drawSpread, draws),
  };
}

const mean = (usd: string | null, spread: ProfileSpread, size: number) =>
  usd === null ? null : told(usd, earningsInterval(Number(usd), spread, size));

function told(usd: string, interval: RatioInterval | null) {
  return { usd, low: interval && usdText(interval.low), high: interval && usdText(interval.high) };
}

/** As the mean beside it: what is estimated is told to a millionth of a dollar. */
const usdText = (usd: number): string => usd.toFixed(6);
