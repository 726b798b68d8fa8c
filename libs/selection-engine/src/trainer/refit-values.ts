import { FeatureEncoder } from '../features/feature-encoder.ts';
import { epochOf, isWorseByStarts } from '../evaluation/share-guard.ts';
import { calibrate } from '../value/calibrate.ts';
import { labelRows, quantileOf } from '../value/label-starts.ts';
import type { LedgerRow } from '../value/ledger-row.ts';
import { LtvTables } from '../value/ltv-tables.ts';
import { RateErrors } from '../value/rate-errors.ts';
import { SideRates } from '../value/side-rates.ts';
import type { Resolved } from '../value/tally.ts';
import type { Credited } from './conversion-ledger.ts';
import { delayBin, openAtAge, type YoungStart } from './delay-shares.ts';
import { valuesByOdds } from '../value/values-by-odds.ts';
import type { Side } from './learning-record.ts';
import { promiseTenths } from './promise-tenths.ts';
import type { Kept } from './promises.ts';
import type { Payout, YoungExposure } from './side-sums.ts';
import type { Waiting } from './fit-starts.ts';
import { ageAt, agesMs, type TrainerState } from './trainer-state.ts';
import { delayBinIn, isComparedIn, sideIn } from './waiting-columns.ts';

/** Values are fitted anew once there is so much more to learn from: starts, and what is known of their money. */
const growth = 1.02;

/** Sooner where AI's starts look like a loss, as the guard goes by what they are worth. */
export const isRefitDue = ({ ledger, valuedRecords, guard, comparison }: TrainerState): boolean =>
  ledger.count >= growth * valuedRecords || isWorseByStarts(guard, comparison.strata());

/**
 * Fits the value of starts anew from the whole ledger, and what follows from it: comparison, calibration, and how
 * promises were kept.
 * @param waiting exposures that are not mature
 */
export function refitValues(state: TrainerState, waiting: Waiting): void {
  const credited = state.ledger.rows(state.now, state.horizonDays, new FeatureEncoder(state.dictionary));
  const rows = credited.map(({ row }) => row);
  const tables = new LtvTables(rows);
  const { labels, toLearn, slopes } = labelRows(rows, state.horizonDays, tables);
  const starts = rows.map(({ active, arm }, index) => ({ active, arm, label: toLearn[index] ?? 0 }));
  const { designs } = state.arms;
  state.values.refit(
    starts,
    designs,
    valuesByOdds(rows, tables, { ...state, designs, columns: state.dictionary.size }),
  );

  const sideOf = (side: Side) => ofSide(side, credited, labels, tables.resolved);
  const ofSides = { ai: sideOf('ai'), baseline: sideOf('baseline') };
  const ratesOf = (side: 'ai' | 'baseline') => new SideRates(ofSides[side].rows, tables, ofSides[side].resolved);
  const rateErrors = new RateErrors(tables, { ai: ratesOf('ai'), baseline: ratesOf('baseline') });
  const [, day = 0] = agesMs;
  // One for both, or the means would differ by it alone; of each side apart, as all that one sells dear may be fewer than
  // so many of both's starts.
  const cap = Math.max(quantileOf(ofSides.ai.labels), quantileOf(ofSides.baseline.labels));
  // One by one, as rows are large enough.
  function* payouts(): Generator<Payout> {
    for (let index = 0; index < credited.length; index++) {
      const { isShown, row, first, exposure } = credited[index]!;
      // Of an exposure that counts nowhere, neither do its USD.
      if (!isShown) continue;
      const { side, share, at } = exposure;
      if (side === null || at + day > state.now) continue;
      const label = labels[index] ?? 0;
      const usd = label < cap ? label : cap;
      yield { side, share, since: epochOf(state.guard, at), exposure: first, usd, rateErrors: rateErrors.of(row, side, slopes, index) }; // prettier-ignore
    }
  }
  function* kept(): Generator<Kept> {
    for (let index = 0; index < credited.length; index++) {
      const { isShown, startedAt, exposure } = credited[index]!;
      const { logValue, at } = exposure;
      const isOfAge = delayBin(startedAt - at) <= ageAt(at, state.now);
      if (isShown && logValue !== null && isOfAge) yield { at, logValue, usd: labels[index] ?? 0 };
    }
  }
  state.comparison.recountUsd(payouts(), credited.length, rateErrors.names);
  learnDelays(state, waiting);
  const promised = state.promises.values(kept());
  state.calibration = calibrate(promised);
  state.promiseTenths = promiseTenths(promised, state.calibration);
  state.valuedRecords = state.ledger.count;
}

/** A side's starts, in their order. */
function ofSide(
  side: Side,
  credited: readonly Credited[],
  labels: readonly number[],
  resolved: readonly Resolved[],
): { readonly rows: LedgerRow[]; readonly labels: number[]; readonly resolved: Resolved[] } {
  const own = { rows: [] as LedgerRow[], labels: [] as number[], resolved: [] as Resolved[] };
  for (let index = 0; index < credited.length; index++) {
    const { exposure, row } = credited[index]!;
    if (exposure.side !== side) continue;
    own.rows.push(row);
    own.labels.push(labels[index] ?? 0);
    own.resolved.push(resolved[index]!);
  }
  return own;
}

/**
 * How late starts come, and so how many are still to come: they are compared as they come, so by the share that comes
 * within a day, a side whose starts come late had more by the week.
 */
function learnDelays({ now, arms, guard, delays, comparison }: TrainerState, waiting: Waiting): void {
  const shown = waiting.shown();
  const started: YoungStart[] = [];
  for (let slot = 0; slot < shown.count; slot++) {
    const [bin, at] = [delayBinIn(shown.marks[slot]!), shown.at[slot]!];
    if (bin === null) continue;
    started.push({ shown: arms.variantAt(arms.rowShown(shown.arms[slot]!, at)), ageMs: now - at, bin });
  }
  delays.learn(started, (row) => arms.variantAt(row).plan);
  // One by one, as many may wait, and in one object that each writes anew.
  const young = { side: null as Side, share: 0, since: 0, variant: 0, open: 0 };
  const eachYoung = (take: (exposure: YoungExposure) => void) => {
    for (let slot = 0; slot < shown.count; slot++) {
      const marks = shown.marks[slot]!;
      const side = sideIn(marks);
      if (!isComparedIn(marks) || side === null) continue;
      const at = shown.at[slot]!;
      young.side = side;
      young.share = shown.share[slot]!;
      young.since = epochOf(guard, at);
      young.variant = arms.rowShown(shown.arms[slot]!, at);
      young.open = openAtAge(now - at);
      take(young);
    }
  };
  comparison.recountPending(eachYoung, (row) => delays.late(arms.variantAt(row)));
}
