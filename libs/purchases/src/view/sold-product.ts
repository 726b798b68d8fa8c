import type { AppSnapshot, CatalogDocument, Store } from '@paywright/contracts';

export type Product = CatalogDocument['products'][number];

/** What an app sells, and what it sold before: who bought a product keeps it when it leaves the catalog. */
export interface SoldProducts {
  readonly current: readonly Product[];
  /** The newest first. */
  readonly archived: readonly Product[];
}

export const soldProducts = ({
  document,
  archivedProducts,
}: Pick<AppSnapshot, 'document' | 'archivedProducts'>): SoldProducts => ({
  current: document.products,
  archived: archivedProducts,
});

/** How a store names what was bought. */
export interface StoreProduct {
  readonly productId: string;
  readonly basePlanId: string | null;
}

/**
 * The catalog's product that was sold: of the same base plan (at Stripe: price) if one is, else of the store's product
 * alone; one that left the catalog if there is none. null if no catalog knew it; then it grants nothing.
 */
export const soldProduct = (sold: SoldProducts, store: Store | null, bought: StoreProduct): Product | null =>
  productAmong(sold.current, store, bought) ?? withNewestLevel(sold, productAmong(sold.archived, store, bought));

/** What was sold stays as it was; what it gives access to is what its id gave last, at whatever price that was sold. */
function withNewestLevel({ current, archived }: SoldProducts, product: Product | null): Product | null {
  if (product === null) return null;
  const isNamedSo = ({ id }: Product) => id === product.id;
  const { accessLevel } = current.find(isNamedSo) ?? archived.find(isNamedSo) ?? product;
  return { ...product, accessLevel };
}

function productAmong(products: readonly Product[], store: Store | null, bought: StoreProduct): Product | null {
  const named = products.filter((product) => storeProductId(product, store) === bought.productId);
  const exact = named.filter((product) => planId(product, store) === bought.basePlanId);
  return preferred(exact) ?? preferred(named.filter((product) => isForAnyPlan(product, store, bought)));
}

/** Of several that name the same, one that grants something. */
const preferred = (products: readonly Product[]): Product | null =>
  products.find(({ accessLevel }) => accessLevel !== null) ?? products[0] ?? null;

const isForAnyPlan = (product: Product, store: Store | null, { basePlanId }: StoreProduct) =>
  planId(product, store) === null || basePlanId === null;

const storeProductId = (product: Product, store: Store | null): string | null =>
  blockOf(product, store)?.productId ?? null;

function planId(product: Product, store: Store | null): string | null {
  if (store === 'play_store') return product.playStore?.basePlanId ?? null;
  return store === 'stripe' ? (product.stripe?.priceId ?? null) : null;
}

function blockOf(product: Product, store: Store | null): { readonly productId: string } | null {
  switch (store) {
    case 'app_store':
      return product.appStore;
    case 'play_store':
      return product.playStore;
    case 'stripe':
      return product.stripe;
    case null:
      return null;
  }
}
