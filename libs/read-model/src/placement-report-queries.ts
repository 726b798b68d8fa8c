import { targets, type Target } from '@paywright/contracts';
import { codeOf } from '@paywright/platform';
import type { QueryResultRow } from 'pg';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { runningPowers } from './running-comparison.ts';
import { selectPlacementDays, type SelectedPlacementDay } from './sql/select-placement-days.sql.ts';
import { selectPlacementReport, type SelectedPlacementRow } from './sql/select-placement-report.sql.ts';
import type { SelectedComparison } from './sql/target-comparison.sql.ts';

/** A placement, and when it was asked for: from `from` until before `to`, in milliseconds since the epoch. */
export interface PlacementPeriod {
  readonly appId: number;
  readonly placementId: string;
  readonly from: number;
  readonly to: number;
  /** The number of a model: only what the placement served while it had this one. */
  readonly model?: number;
}

/**
 * What came of the decisions of a period, to this day, for a target and a paywall; for a target as a whole where
 * `paywallId` is null. Superseded decisions do not count, nor do purchases out of production.
 */
export interface PlacementReportRow {
  readonly target: Target;
  readonly paywallId: number | null;
  readonly externalId: string | null;
  readonly requests: number;
  readonly uniqueImpressions: number;
  readonly conversions: number;
  /** USD after refunds, a decimal text. */
  readonly revenueUsd: string;
  /** Of money that has no exchange rate yet, and is missing in USD; in alphabetical order. */
  readonly unvaluedCurrencies: readonly string[];
  /** USD a unique impression, a decimal text with 6 digits behind the point; null without impressions. */
  readonly usdPerImpression: string | null;
  /** How the profiles with an impression or a purchase spread around that mean. */
  readonly spread: ProfileSpread;
  /** Requests that were drawn: not those that got Baseline because nothing could be drawn. */
  readonly draws: number;
  /** USD that came of draws, a draw; as above, null without draws. */
  readonly usdPerDraw: string | null;
  /** How the profiles with a draw spread around that. */
  readonly drawSpread: ProfileSpread;
  /** Of AI as a whole with Baseline; null for the others, and unless both were drawn while either could be. */
  readonly comparison: TargetComparison | null;
}

/** A day of UTC, such as 2026-01-31. */
export interface PlacementDay {
  readonly day: string;
  /** Those that were served. */
  readonly targets: readonly TargetDay[];
  /** Of all decisions from the beginning of the period until the day's end; null until both were drawn while either could be. */
  readonly comparison: TargetComparison | null;
}

/** What came of the decisions of a day, to this day, for a target. */
export interface TargetDay {
  readonly target: Target;
  readonly requests: number;
  readonly draws: number;
  readonly uniqueImpressions: number;
  readonly conversions: number;
  /** Those that came of draws. */
  readonly drawConversions: number;
  /** USD after refunds, a decimal text. */
  readonly revenueUsd: string;
  /** What came of draws of it. */
  readonly drawRevenueUsd: string;
}

/** What AI and Baseline earned a draw, as if both had been drawn alike at any time, whatever their shares were then. */
export interface TargetComparison {
  readonly ai: ComparedTarget;
  readonly baseline: ComparedTarget;
  /** AI minus Baseline, a decimal text with 6 digits behind the point. */
  readonly usdPerDraw: string;
  /** How profiles spread around the difference: their sums are of USD a draw. */
  readonly spread: ProfileSpread;
}

export interface ComparedTarget {
  readonly draws: number;
  /** So many that weighed alike would tell as much as those that paid. */
  readonly payers: number;
  /** A decimal text with 6 digits behind the point. */
  readonly usdPerDraw: string;
}

/** Sums over profiles; `surplus` is what one paid beyond its unique impressions (or draws) times the mean, in USD. */
export interface ProfileSpread {
  readonly profiles: number;
  /** Whose money is not 0: who got all of it back tells of what people pay no more than who never paid. */
  readonly payers: number;
  readonly squaredSurplus: number;
  readonly cubedSurplus: number;
}

const TargetText = z.enum(targets);

/** A report reads more than its connection has time for: so it would when asked for again. */
export class ReportTooLong extends Error {
  override readonly name = 'ReportTooLong';
}

/** What was served at placements, and what it earned. */
export class PlacementReportQueries {
  readonly #database: Queryable;

  /** @param database a pool of its own: a report reads much, and serving must not wait for it */
  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * By target, the target as a whole first, then its paywalls by rising integer; nothing if nothing was served.
   * @throws ReportTooLong
   */
  async ofPlacement(period: PlacementPeriod): Promise<readonly PlacementReportRow[]> {
    const rows = await this.#ask<SelectedPlacementRow>(selectPlacementReport, period);
    return rows.map(toReportRow);
  }

  /**
   * Day by day; one on which nothing was served is absent.
   * @throws ReportTooLong
   */
  async daysOfPlacement(period: PlacementPeriod): Promise<readonly PlacementDay[]> {
    const rows = await this.#ask<SelectedPlacementDay>(selectPlacementDays, period);
    let comparison: TargetComparison | null = null;
    return [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => {
      const running = ofDay[0]!.running;
      // Otherwise it stands as it stood the day before.
      if (running !== null) comparison = toComparison({ ...running, ...runningPowers(running) });
      return { day, targets: ofDay.map(toTargetDay), comparison };
    });
  }

  /** Without a name it is planned for its period: the best plan of a day is not that of a month. */
  async #ask<Row extends QueryResultRow>(text: string, period: PlacementPeriod): Promise<readonly Row[]> {
    try {
      return (await this.#database.query<Row>(text, parametersOf(period))).rows;
    } catch (error) {
      if (codeOf(error) === cutOff) throw new ReportTooLong('A report was cut off for its time.', { cause: error });
      throw error;
    }
  }
}

/** Postgres' query_canceled: here, a statement that took longer than it may. */
const cutOff = '57014';

const parametersOf = ({ appId, placementId, from, to, model }: PlacementPeriod) => [
  ...[appId, placementId, new Date(from), new Date(to), model ?? null],
];

const toTargetDay = (row: SelectedPlacementDay): TargetDay => ({
  ...{ target: TargetText.parse(row.target), requests: row.requests, draws: row.draws },
  ...{ uniqueImpressions: row.impressions, conversions: row.conversions, drawConversions: row.draw_conversions },
  ...{ revenueUsd: row.revenue, drawRevenueUsd: row.draw_revenue },
});

const toReportRow = (row: SelectedPlacementRow): PlacementReportRow => ({
  target: TargetText.parse(row.target),
  paywallId: row.paywall_id,
  externalId: row.external_id,
  requests: row.requests,
  uniqueImpressions: row.impressions,
  conversions: row.conversions,
  revenueUsd: row.revenue,
  unvaluedCurrencies: row.unvalued_currencies,
  usdPerImpression: row.shown_mean,
  spread: spreadOf(row, 'shown'),
  draws: row.draws,
  usdPerDraw: row.drawn_mean,
  drawSpread: spreadOf(row, 'drawn'),
  comparison: row.comparison && toComparison(row.comparison),
});

const toComparison = (row: SelectedComparison): TargetComparison => ({
  ai: { draws: row.ai_draws, payers: row.ai_payers, usdPerDraw: row.ai_mean },
  baseline: { draws: row.baseline_draws, payers: row.baseline_payers, usdPerDraw: row.baseline_mean },
  usdPerDraw: row.difference,
  spread: {
    profiles: row.units,
    payers: Math.min(row.ai_payers, row.baseline_payers),
    squaredSurplus: row.squares,
    cubedSurplus: row.cubes,
  },
});

const spreadOf = (row: SelectedPlacementRow, measure: 'shown' | 'drawn'): ProfileSpread => ({
  profiles: row[`${measure}_units`],
  payers: row[`${measure}_payers`],
  squaredSurplus: row[`${measure}_squares`] ?? 0,
  cubedSurplus: row[`${measure}_cubes`] ?? 0,
});
