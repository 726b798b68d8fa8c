import type { Store, TransactionFact } from '@paywright/contracts';
import { type Chain, transactionsOf } from '../chain/chain.ts';
import { isRefunded, isRevoked } from '../chain/refunds.ts';
import { iso } from './access-entry.ts';
import { type Product, type SoldProducts, soldProduct } from './sold-product.ts';

/** One object of `nonSubscriptions`: the latest purchase of its product. */
export interface NonSubscriptionEntry {
  readonly isConsumable: boolean;
  readonly isOneTime: boolean;
  readonly isRefund: boolean;
  readonly purchasedAt: string;
  readonly purchasedId: string;
  readonly store: Store;
  readonly sourceProductId: string;
  readonly transactionId: string;
}

/** A one-time purchase of a chain, with its product if the catalog knows it. */
export interface OneTimePurchase {
  readonly chain: Chain;
  readonly bought: TransactionFact;
  readonly product: Product | null;
}

/** What the profile owns of one-time purchases, in the order of purchase; what it gave away is not among them. */
export const oneTimePurchases = (
  profileId: string,
  chains: readonly Chain[],
  products: SoldProducts,
): readonly OneTimePurchase[] =>
  chains
    .filter(({ owner }) => owner === profileId)
    .flatMap((chain) => transactionsOf(chain).map((bought) => ({ chain, bought })))
    .filter(({ bought }) => bought.kind === 'one_time')
    .flatMap(({ chain, bought }) => productsOf(bought).map((one) => ({ chain, bought: one })))
    .map(({ chain, bought }) => ({ chain, bought, product: soldProduct(products, chain.store, bought) }))
    .sort((a, b) => a.bought.purchasedAt - b.bought.purchasedAt);

/** A transaction once for each product that it paid for, as if it had paid for nothing else. */
const productsOf = (bought: TransactionFact): readonly TransactionFact[] => [
  bought,
  ...(bought.addOns ?? []).map((addOn) => ({ ...bought, ...addOn })),
];

/** The product's access for life, if it grants any: a consumable does not. */
export const lifetimeLevel = ({ product }: OneTimePurchase): string | null =>
  product && !product.isConsumable ? product.accessLevel : null;

/** By the store's product id. @param purchases in the order of purchase */
export const nonSubscriptionsOf = (
  purchases: readonly OneTimePurchase[],
): Readonly<Record<string, NonSubscriptionEntry>> =>
  Object.fromEntries(purchases.flatMap((purchase) => entryOf(purchase) ?? []));

function entryOf({ chain, bought, product }: OneTimePurchase): [[string, NonSubscriptionEntry]] | null {
  if (!chain.store) return null;
  const { productId, transactionId, purchasedAt } = bought;
  const entry = {
    isConsumable: product?.isConsumable ?? false,
    isOneTime: true,
    isRefund: isRefunded(chain, transactionId) || isRevoked(chain, transactionId),
    purchasedAt: iso(purchasedAt),
    purchasedId: transactionId,
    store: chain.store,
    sourceProductId: productId,
    transactionId,
  };
  return [[productId, entry]];
}
