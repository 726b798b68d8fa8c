import type { PaidAddOn, TransactionFact } from '@paywright/contracts';

/** What one purchase paid for: the first product as its own, and the others as add-ons, each once. */
export function boughtTogether(
  parts: readonly [PaidAddOn, ...PaidAddOn[]],
): PaidAddOn & Pick<TransactionFact, 'addOns'> {
  const [own, ...others] = parts;
  const byProduct = new Map([...others].reverse().map((part) => [part.productId, part]));
  byProduct.delete(own.productId);
  const addOns = [...byProduct.values()].sort((a, b) => (a.productId < b.productId ? -1 : 1));
  return { ...own, ...(addOns.length > 0 && { addOns }) };
}
