import type { AppSnapshot, stores } from '@paywright/contracts';

export type Store = (typeof stores)[number];

type Document = AppSnapshot['document'];
type Paywall = Document['paywalls'][number];
type Product = Document['products'][number];
type Attachment = Paywall['products'][number];

/** A product of a paywall in one store, in the generation v1: the fields of both forms, identifiers alone. */
export interface SourceProduct {
  readonly store: Store;
  readonly serviceProductId: number;
  readonly isConsumable: boolean;
  readonly productId: string;
  readonly sourceProductId: string;
  readonly basePlanId: string | null;
  readonly offerId: string | null;
  readonly offerIds: readonly string[];
  readonly appStoreOfferType: string | null;
  readonly promotionalOfferId: string | null;
  readonly winBackOfferId: string | null;
}

const storeOrder: readonly Store[] = ['app_store', 'play_store', 'stripe'];

/**
 * An entry for each attached product and store that sells it, by attachment, then store.
 * @param store null lists every store
 */
export function sourceProductsOf(paywall: Paywall, snapshot: AppSnapshot, store: Store | null): SourceProduct[] {
  const products = new Map(snapshot.document.products.map((product) => [product.id, product]));
  const listed = store === null ? storeOrder : [store];
  return paywall.products.flatMap((attachment) => {
    const product = products.get(attachment.product);
    const serviceProductId = snapshot.ids.products[attachment.product];
    if (product === undefined || serviceProductId === undefined) return [];
    return listed.flatMap((one) => {
      const sold = soldIn[one](product, attachment);
      if (sold === null) return [];
      const { productId, offerId } = sold;
      return [
        {
          store: one,
          serviceProductId,
          isConsumable: product.isConsumable,
          sourceProductId: productId,
          offerIds: offerId === null ? [] : [offerId],
          ...sold,
        },
      ];
    });
  });
}

type StoreFields = Pick<
  SourceProduct,
  'productId' | 'basePlanId' | 'offerId' | 'appStoreOfferType' | 'promotionalOfferId' | 'winBackOfferId'
>;

const noAppStoreOffer = { appStoreOfferType: null, promotionalOfferId: null, winBackOfferId: null };

/** How each store sells a product on a paywall; null if it does not. */
const soldIn: Readonly<Record<Store, (product: Product, attachment: Attachment) => StoreFields | null>> = {
  app_store: ({ appStore }, { appStore: offer }) =>
    appStore && {
      productId: appStore.productId,
      basePlanId: null,
      offerId: offer?.offerId ?? null,
      appStoreOfferType: offer?.offerType ?? null,
      promotionalOfferId: offer?.promotionalOfferId ?? null,
      winBackOfferId: offer?.winBackOfferId ?? null,
    },
  play_store: ({ playStore }, { playStore: offer }) =>
    playStore && {
      productId: playStore.productId,
      basePlanId: playStore.basePlanId,
      offerId: offer?.offerId ?? null,
      ...noAppStoreOffer,
    },
  stripe: ({ stripe }) =>
    stripe && { productId: stripe.productId, basePlanId: null, offerId: null, ...noAppStoreOffer },
};
