import type { PaidAddOn, Store, TransactionFact } from '@paywright/contracts';
import { buysPeriod, type Chain, transactionsOf } from '../chain/chain.ts';
import { isRefunded, isRevoked, returnedAt } from '../chain/refunds.ts';
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
    .flatMap(({ chain, bought }) =>
      boughtOnce(bought)
        .map((one) => ({ chain, bought: one, product: soldProduct(products, chain.store, one) }))
        // An invoice has fees too: what the catalog does not know is one.
        .filter(({ product }) => bought.kind === 'one_time' || product !== null),
    )
    .sort((a, b) => a.bought.purchasedAt - b.bought.purchasedAt);

/** A transaction once for each product that it paid for once, as if it had paid for nothing else. */
function boughtOnce(bought: TransactionFact): readonly TransactionFact[] {
  const { kind, addOns = [] } = bought;
  const alone = (addOn: PaidAddOn): TransactionFact => ({ ...bought, ...addOn, kind: 'one_time' });
  if (kind === 'one_time') return [bought, ...addOns.map(alone)];
  return buysPeriod(bought) ? addOns.filter(({ isOneTime }) => isOneTime).map(alone) : [];
}

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
    isRefund:
      isRefunded(chain, transactionId) || isRevoked(chain, transactionId) || returnedAt(chain, bought) < Infinity,
    purchasedAt: iso(purchasedAt),
    purchasedId: transactionId,
    store: chain.store,
    sourceProductId: productId,
    transactionId,
  };
  return [[productId, entry]];
}
