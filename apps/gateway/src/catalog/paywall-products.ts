import type { AppSnapshot } from '@paywright/contracts';

type Document = AppSnapshot['document'];
type Paywall = Document['paywalls'][number];
type Product = Document['products'][number];
type Attachment = Paywall['products'][number];

/** The products of a paywall in the generation v2, by attachment: a block a store, null where it is not sold. */
export function paywallProductsOf(paywall: Paywall, { document, ids }: AppSnapshot): object[] {
  const products = new Map(document.products.map((product) => [product.id, product]));
  return paywall.products.flatMap((attachment, position) => {
    const product = products.get(attachment.product);
    const paywallProductId = ids.paywallProducts[`${paywall.id}/${position}`];
    if (product === undefined || paywallProductId === undefined) return [];
    return [paywallProductOf(product, attachment, paywallProductId)];
  });
}

function paywallProductOf(product: Product, attachment: Attachment, paywallProductId: number): object {
  const { name, period, appStore, playStore, stripe, web2wave, custom } = product;
  return {
    paywallProductId,
    name,
    period,
    appStore: appStore && {
      productId: appStore.productId,
      offerId: attachment.appStore?.offerId ?? null,
      promotionalOfferId: attachment.appStore?.promotionalOfferId ?? null,
      offerType: attachment.appStore?.offerType ?? null,
    },
    playStore: playStore && {
      productId: playStore.productId,
      basePlanId: playStore.basePlanId,
      offerId: attachment.playStore?.offerId ?? null,
    },
    stripe: stripe && { ...stripe, trialPeriodDays: stripe.trialPeriodDays ?? 0 },
    web2wave,
    custom,
  };
}
