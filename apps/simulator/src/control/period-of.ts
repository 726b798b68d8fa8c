import type { SimulatedApp } from '../state/simulated-app.ts';

/** What nobody has said anything about lasts a month. */
const usual = 'P1M';

/**
 * How long a period is: as the purchase says, else as the app's products say; null for what is bought once.
 * @param isOneTime whether the purchase itself says that it is
 */
export function periodOf(
  { products }: SimulatedApp,
  { productId, period }: { readonly productId: string; readonly period?: string | undefined },
  planId: string | null,
  isOneTime: boolean,
): string | null {
  if (isOneTime) return null;
  if (period !== undefined) return period;
  const ofProduct = products.filter((product) => product.productId === productId);
  const known =
    ofProduct.find((product) => planId !== null && product.planId === planId) ??
    ofProduct.find(({ planId: plan }) => plan == null || planId === null);
  return known ? known.period : usual;
}
