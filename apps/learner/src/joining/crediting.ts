import type { ShownRecord, StartRecord } from '@paywright/selection-engine';
import { creditMs, type Decided, type Start, type View } from './journey.ts';

/** Store and server have clocks of their own. */
const clockToleranceMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;

/**
 * The exposure that a start goes to: the last one of its paywall, else the last one, of what was decided before it and
 * seen within 14 days. Null if there is none, or its own paywall's view may still come.
 * @param isLast whether nothing may come any more
 */
export function exposureCredited(
  decisions: readonly Decided[],
  { at, paywallId }: Start,
  isLast: boolean,
): Decided | null {
  const before = ofNewestProfile(decisions.filter((one) => one.at <= at + clockToleranceMs));
  const exposures = before.filter(({ shownAt }) => shownAt !== null && at - shownAt <= creditMs);
  exposures.sort((one, other) => (one.shownAt ?? 0) - (other.shownAt ?? 0));
  const same = exposures.findLast((one) => one.paywallId === paywallId);
  if (same !== undefined) return same;
  const mayCome = before.some((one) => one.paywallId === paywallId && one.shownAt === null && at - one.at <= dayMs);
  return mayCome && !isLast ? null : (exposures.at(-1) ?? null);
}

/** Who was erased and came back has the same id, and is somebody new: what was decided before sold nothing since. */
function ofNewestProfile(decisions: readonly Decided[]): readonly Decided[] {
  const createdAt = Math.max(...decisions.map(({ profileCreatedAt }) => profileCreatedAt ?? 0));
  return decisions.filter((one) => (one.profileCreatedAt ?? createdAt) === createdAt);
}

/** The record of a start, with the exposure that it goes to. */
export function startRecord({ id, at, ...bought }: Start, decision: Decided): StartRecord {
  const { values } = decision;
  const country = values['storeCountry'] ?? values['country'] ?? '';
  const { product, plan, periodDays, trialDays } = bought;
  const exposure = exposureOf(decision, decision.shownAt ?? at);
  return { type: 'start', id, at, exposure, product, plan, country, periodDays, trialDays };
}

/** Whether a view without a token may be the decision's. */
export const isOf = ({ at, placementId, paywallId, modelId }: View, one: Decided): boolean =>
  one.placementId === placementId &&
  one.paywallId === paywallId &&
  one.modelId === modelId &&
  at - one.at <= dayMs &&
  one.at - at <= clockToleranceMs;

/** A decision as it was seen at a time. */
export function exposureOf(decision: Decided, at: number): Omit<ShownRecord, 'type'> {
  const { id, paywall, values, side, share, logValue } = decision;
  return { id, at, paywall, values, side, share, logValue };
}
