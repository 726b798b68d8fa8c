import { chainsOf, firstShowings, repeatedBy, type LoggedDecision } from './any-report-log.ts';

/** What a report asks for; times in hours from the beginning of the log. */
export interface AskedPeriod {
  readonly placementId: string;
  readonly model: number | null;
  readonly from: number;
  readonly to: number;
}

type Decided = LoggedDecision & { readonly index: number };

/** Sums over profiles of a ratio: of what each had, and the USD that it paid. */
function spreadOf(units: readonly { readonly size: number; readonly usd: number }[]) {
  const [size, usd] = [sum(units.map((unit) => unit.size)), sum(units.map((unit) => unit.usd))];
  const mean = size === 0 ? null : usd / size;
  const surplus = mean === null ? [] : units.map((unit) => unit.usd - unit.size * mean);
  return {
    mean,
    ...{ profiles: units.length, payers: units.filter((unit) => Math.abs(unit.usd) > 1e-9).length },
    ...{ squaredSurplus: sum(surplus.map((x) => x ** 2)), cubedSurplus: sum(surplus.map((x) => x ** 3)) },
  };
}

/**
 * What the report of a log has to be, computed decision by decision. `whole` is by target, `comparison` of AI and
 * Baseline.
 */
export function expectedReport(log: readonly LoggedDecision[], asked: AskedPeriod) {
  const decided = log
    .map((decision, index) => ({ ...decision, index }))
    .filter(({ placementId, hour }) => placementId === asked.placementId && hour >= asked.from && hour < asked.to)
    .filter(({ model, isSuperseded }) => !isSuperseded && (asked.model === null || model === asked.model));
  const sales = salesOf(log);
  const showings = shownBy(log);
  const row = (ofRow: readonly Decided[]) => {
    const seen = (one: Decided) => showings.filter((index) => index === one.index).length;
    const earned = (one: Decided) => usdOf(sales, one.index);
    const units = (size: (one: Decided) => number, counted: readonly Decided[]) =>
      [...Map.groupBy(counted, ({ profile }) => profile).values()]
        .map((ofOne) => ({
          size: sum(ofOne.map(size)),
          usd: sum(ofOne.map(earned)),
          isPaid: ofOne.some((one) => hasMoney(sales, one.index)),
        })) // prettier-ignore
        .filter(({ size, isPaid }) => size > 0 || isPaid);
    const drawn = ofRow.filter(({ draw }) => draw !== 'none');
    return {
      ...{ requests: ofRow.length, draws: drawn.length, uniqueImpressions: sum(ofRow.map(seen)) },
      conversions: sum(
        ofRow.map(({ index }) => sales.filter((sale) => sale.index === index && sale.isConversion).length),
      ),
      revenueUsd: sum(ofRow.map(earned)),
      shown: spreadOf(units(seen, ofRow)),
      drawn: spreadOf(units(() => 1, drawn)),
    };
  };
  const rows = new Map<string, ReturnType<typeof row>>();
  for (const [target, ofTarget] of Map.groupBy(decided, (one) => one.target)) {
    rows.set(target, row(ofTarget));
    for (const [paywallId, ofPaywall] of Map.groupBy(ofTarget, (one) => one.paywallId))
      rows.set(`${target}/${paywallId}`, row(ofPaywall));
  }
  return { rows, comparison: comparisonOf(log, decided, sales) };
}

function comparisonOf(log: readonly LoggedDecision[], decided: readonly Decided[], sales: readonly Sale[]) {
  const weighed = decided.flatMap((one) => {
    const { aiWeight, baselineWeight, draw, target, index } = one;
    if (draw !== 'here' || repeatedBy(log, index) !== null) return [];
    const [least, greatest] = [Math.min(aiWeight, baselineWeight), Math.max(aiWeight, baselineWeight)];
    if (!(least > 1e-12 * greatest)) return [];
    const weight = (target === 'ai_model' ? baselineWeight : aiWeight) / (aiWeight + baselineWeight);
    const repeats = log.flatMap((_, later) => (repeatedBy(log, later) === index ? [later] : []));
    return [{ target, profile: one.profile, weight, usd: sum([index, ...repeats].map((each) => usdOf(sales, each))) }];
  });
  const side = (target: string) => {
    const draws = weighed.filter((one) => one.target === target);
    const weight = sum(draws.map((one) => one.weight));
    const mean = sum(draws.map((one) => one.weight * one.usd)) / weight;
    const earning = [...Map.groupBy(draws.filter(({ usd }) => Math.abs(usd) > 1e-9), ({ profile }) => profile).values()].map((ofOne) => sum(ofOne.map((one) => one.weight))); // prettier-ignore
    const payers = earning.length === 0 ? 0 : sum(earning) ** 2 / sum(earning.map((x) => x ** 2));
    return { draws, weight, mean, payers };
  };
  const [ai, baseline] = [side('ai_model'), side('baseline')];
  if (ai.draws.length === 0 || baseline.draws.length === 0) return null;
  const surplus = [...new Set(weighed.map(({ profile }) => profile))].map((profile) => {
    const of = ({ draws, mean, weight }: typeof ai) =>
      sum(draws.filter((one) => one.profile === profile).map((one) => one.weight * (one.usd - mean))) / weight;
    return of(ai) - of(baseline);
  });
  const told = ({ draws, mean, payers }: typeof ai) => ({ draws: draws.length, payers, usdPerDraw: mean });
  return {
    ...{ ai: told(ai), baseline: told(baseline), usdPerDraw: ai.mean - baseline.mean, profiles: surplus.length },
    ...{ squaredSurplus: sum(surplus.map((x) => x ** 2)), cubedSurplus: sum(surplus.map((x) => x ** 3)) },
  };
}

interface Sale {
  /** Of the decision. */
  readonly index: number;
  /** In cents; only what counts. */
  readonly cents: readonly number[];
  readonly isConversion: boolean;
}

/** What came of decisions: a chain that is bought again is, to a report, what it was when it was new. */
const salesOf = (log: readonly LoggedDecision[]): readonly Sale[] =>
  chainsOf(log).map(({ index, bought, again }) => {
    const { isSandbox, isFamilyShared } = again?.bought ?? bought;
    const isConversion = !isSandbox && !isFamilyShared;
    if (again !== null) return { index, cents: [again.cents], isConversion };
    return { index, cents: isSandbox ? [] : bought.cents.filter((sum) => sum !== null), isConversion };
  });

const centsOf = (sales: readonly Sale[], index: number) => sales.filter((sale) => sale.index === index).flatMap(({ cents }) => cents); // prettier-ignore
const usdOf = (sales: readonly Sale[], index: number): number => sum(centsOf(sales, index)) / 100;
const hasMoney = (sales: readonly Sale[], index: number): boolean => centsOf(sales, index).length > 0;

/** The decisions that first showings belong to. */
const shownBy = (log: readonly LoggedDecision[]): readonly number[] =>
  firstShowings(log).flatMap((told) => {
    if (told.hasToken) return [told.index];
    const newest = log.findLastIndex(
      (one) =>
        one.profile === told.profile && one.paywallId === told.paywallId && one.placementId === told.placementId &&
        one.hour <= told.at && !one.isSuperseded, // prettier-ignore
    );
    return newest >= 0 && told.at < log[newest]!.hour + 24 ? [newest] : [];
  });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
