import { usualWaits } from '../domain/buy.ts';
import type { StoreName, Waits } from '../domain/purchase.ts';

/** How long the store waits for its money: as the purchase says, else as it usually does. */
export function waitsOf(
  store: StoreName,
  { grace, retry }: { readonly grace?: string | null | undefined; readonly retry?: string | null | undefined },
): Waits {
  const usual = usualWaits[store];
  return { grace: grace === undefined ? usual.grace : grace, retry: retry === undefined ? usual.retry : retry };
}
