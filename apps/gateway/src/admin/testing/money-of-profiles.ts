import { ratioInterval } from '../reports/ratio-interval.ts';

/** What one profile saw and paid. */
export interface MoneyOfProfile {
  readonly impressions: number;
  readonly usd: number;
}

function summed(profiles: readonly MoneyOfProfile[]) {
  const whole = { impressions: 0, usd: 0 };
  for (const { impressions, usd } of profiles) {
    whole.impressions += impressions;
    whole.usd += usd;
  }
  const ratio = whole.usd / whole.impressions;
  const spread = { profiles: profiles.length, payers: 0, squaredSurplus: 0, cubedSurplus: 0 };
  for (const { impressions, usd } of profiles) {
    const surplus = usd - impressions * ratio;
    if (usd !== 0) spread.payers += 1;
    spread.squaredSurplus += surplus * surplus;
    spread.cubedSurplus += surplus * surplus * surplus;
  }
  return { impressions: whole.impressions, ratio, spread };
}
/** USD an impression. */
export const meanOf = (profiles: readonly MoneyOfProfile[]) => summed(profiles).ratio;

/** The interval of that mean. */
export const intervalOf = (profiles: readonly MoneyOfProfile[]) => {
  const { impressions, ratio, spread } = summed(profiles);
  return ratioInterval(ratio, spread, impressions);
};
