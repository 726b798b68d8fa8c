/** Showings of about the same promise: how many, and USD of each. */
export interface PromisedTenth {
  readonly exposures: number;
  readonly promisedUsd: number;
  readonly broughtUsd: number;
}

/**
 * How far money keeps to the showings that promised most: Gini coefficients by rising promise, of what was promised and of
 * what came. 0 is money spread evenly over the order; the two are alike where promises come true. Null without money.
 */
export interface Concentration {
  readonly promised: number | null;
  readonly brought: number | null;
}

/** @param tenths by rising promise */
export const concentrationOf = (tenths: readonly PromisedTenth[]): Concentration => ({
  promised: gini(tenths.map(({ exposures, promisedUsd: usd }) => ({ exposures, usd }))),
  brought: gini(tenths.map(({ exposures, broughtUsd: usd }) => ({ exposures, usd }))),
});

/** 1 less twice the area below the Lorenz curve through the groups' ends; within a group all are taken for alike. */
function gini(groups: readonly { readonly exposures: number; readonly usd: number }[]): number | null {
  const people = groups.reduce((sum, { exposures }) => sum + exposures, 0);
  const money = groups.reduce((sum, { exposures, usd }) => sum + exposures * usd, 0);
  if (people <= 0 || money <= 0) return null;
  let [doubleArea, below] = [0, 0];
  for (const { exposures, usd } of groups) {
    const upTo = below + exposures * usd;
    doubleArea += (exposures / people) * ((below + upTo) / money);
    below = upTo;
  }
  return 1 - doubleArea;
}
