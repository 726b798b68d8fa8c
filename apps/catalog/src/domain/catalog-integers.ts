import type { CatalogDocument, CatalogIds } from '@paywright/contracts';

/**
 * Every integer that an app ever gave out, archived objects included: it never goes to another, and comes back with
 * its own. Paywall products are known by paywall, product and offers, and equal ones by their order.
 */
export type CatalogIntegers = Readonly<Record<keyof CatalogIds, ReadonlyMap<string, number>>>;

export const noIntegers: CatalogIntegers = {
  paywalls: new Map(),
  models: new Map(),
  products: new Map(),
  paywallProducts: new Map(),
};

/** The integers of the document's objects: the known ones again, the next free ones for what is new, in its order. */
export function integersFor(document: CatalogDocument, known: CatalogIntegers): CatalogIds {
  const attachments = attachmentsOf(document);
  const given = give(
    attachments.map(({ identity }) => identity),
    known.paywallProducts,
  );
  return {
    paywalls: give(idsOf(document.paywalls), known.paywalls),
    models: give(idsOf(document.models), known.models),
    products: give(idsOf(document.products), known.products),
    paywallProducts: Object.fromEntries(attachments.map(({ place, identity }) => [place, given[identity] ?? 0])),
  };
}

/** What is known once the document has these integers. */
export function remembering(known: CatalogIntegers, document: CatalogDocument, ids: CatalogIds): CatalogIntegers {
  const together = (kind: keyof CatalogIds) => new Map([...known[kind], ...Object.entries(ids[kind])]);
  const attachments = attachmentsOf(document).map(
    ({ place, identity }) => [identity, ids.paywallProducts[place] ?? 0] as const,
  );
  return {
    paywalls: together('paywalls'),
    models: together('models'),
    products: together('products'),
    paywallProducts: new Map([...known.paywallProducts, ...attachments]),
  };
}

const idsOf = (objects: readonly { readonly id: string }[]) => objects.map(({ id }) => id);

function give(names: readonly string[], known: ReadonlyMap<string, number>): Record<string, number> {
  let highest = [...known.values()].reduce((most, integer) => Math.max(most, integer), 0);
  return Object.fromEntries(names.map((name) => [name, known.get(name) ?? ++highest]));
}

interface Attachment {
  /** Where it is in this document: `calm/0`. */
  readonly place: string;
  readonly identity: string;
}

function attachmentsOf({ paywalls }: CatalogDocument): readonly Attachment[] {
  return paywalls.flatMap(({ id: paywall, products }) => {
    const equals = new Map<string, number>();
    return products.map(({ product, appStore, playStore }, position): Attachment => {
      // A block without an offer says the same as no block.
      const offers = [
        appStore?.offerId ?? null,
        appStore?.offerType ?? null,
        appStore?.promotionalOfferId ?? null,
        appStore?.winBackOfferId ?? null,
        playStore?.offerId ?? null,
      ];
      const attachment = JSON.stringify([paywall, product, ...offers]);
      const nth = equals.get(attachment) ?? 0;
      equals.set(attachment, nth + 1);
      return { place: `${paywall}/${position}`, identity: `${attachment}#${nth}` };
    });
  });
}
