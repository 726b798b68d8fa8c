import { circularAllocationMessage, findCircularAllocations, type CatalogDocument } from '@paywright/contracts';

/** What is allowed in a catalog and yet most likely a mistake: one sentence each, in the order of the document. */
export function catalogWarnings(document: CatalogDocument): string[] {
  const placed = new Set(document.paywalls.flatMap(({ products }) => products.map(({ product }) => product)));
  const modelsInUse = new Set(document.placements.map(({ model }) => model));
  return [
    ...unusedAccessLevels(document),
    ...document.products.flatMap((product) => storeWarnings(product, document.app)),
    ...document.products.filter(({ id }) => !placed.has(id)).map(({ id }) => `Product "${id}" is on no paywall.`),
    ...sharedStoreProducts(document),
    ...unusedPaywalls(document),
    ...sharedExternalIds(document),
    ...document.paywalls
      .filter(({ products }) => products.length === 0)
      .map(({ id }) => `Paywall "${id}" sells no product, so no choice of it earns anything.`),
    ...offersWithoutProduct(document),
    ...document.models
      .filter(({ id }) => !modelsInUse.has(id))
      .map(({ id }) => `Model "${id}" is used by no placement.`),
    ...document.models
      .filter(({ candidates }) => new Set(candidates).size === 1)
      .map(({ id }) => `Model "${id}" has one candidate, so its AI has nothing to choose from.`),
    ...document.models.flatMap(trafficWarnings),
    ...findCircularAllocations(document).map(
      ({ chain }) => `${circularAllocationMessage(chain)}. Requests that are drawn into it are answered with 422.`,
    ),
  ];
}

/** What a catalog takes away from those who use the former one: one sentence each. An empty one takes all of it. */
export function removalWarnings(former: CatalogDocument, document: CatalogDocument): string[] {
  const placements = new Set(document.placements.map(({ id }) => id));
  return [
    ...(['bundleId', 'packageName'] as const)
      .filter((name) => former.app[name] !== null && former.app[name] !== document.app[name])
      .map(
        (name) => `app.${name} was ${former.app[name]}: purchases and notifications of that are refused from then on.`,
      ),
    ...former.placements
      .filter(({ id }) => !placements.has(id))
      .map(({ id }) => `Placement "${id}" is removed: whoever asks for it is answered with 404.`),
  ];
}

type Product = CatalogDocument['products'][number];
type Model = CatalogDocument['models'][number];

function unusedAccessLevels({ accessLevels, products }: CatalogDocument): string[] {
  const granted = new Set(products.map(({ accessLevel }) => accessLevel));
  return accessLevels
    .filter(({ id }) => !granted.has(id))
    .map(({ id }) => `Access level "${id}" is granted by no product.`);
}

function storeWarnings(product: Product, { bundleId, packageName }: CatalogDocument['app']): string[] {
  const { id, appStore, playStore, stripe, web2wave, custom } = product;
  const warnings: string[] = [];
  if (![appStore, playStore, stripe, web2wave, custom].some(Boolean))
    warnings.push(`Product "${id}" is sold in no store.`);
  if (appStore && bundleId === null)
    warnings.push(`Product "${id}" is sold in the App Store, but app.bundleId is not set.`);
  if (playStore && packageName === null)
    warnings.push(`Product "${id}" is sold in the Play Store, but app.packageName is not set.`);
  return warnings;
}

/** Of two products with one store product, a purchase cannot tell which was bought. */
function sharedStoreProducts({ products }: CatalogDocument): string[] {
  const named = products.flatMap(({ id, appStore, playStore, stripe }) => {
    const names = [
      appStore && `App Store product ${appStore.productId}`,
      playStore && `Play Store product ${[playStore.productId, playStore.basePlanId ?? []].flat().join(':')}`,
      stripe && `Stripe price ${stripe.priceId}`,
    ];
    return names.flatMap((name) => (name ? [{ id, name }] : []));
  });
  return shared(named).map(([name, ids]) => `Products ${ids} are all the ${name}.`);
}

/** As when a paywall is copied for another candidate: its screen in the app, and its line in a report, are then the same. */
function sharedExternalIds({ paywalls }: CatalogDocument): string[] {
  return shared(paywalls.map(({ id, externalId: name }) => ({ id, name }))).map(
    ([name, ids]) =>
      `Paywalls ${ids} all have the external id "${name}", by which apps and reports tell paywalls apart.`,
  );
}

/** Names that several have, each with the ids of those, quoted. */
function shared(named: readonly { readonly id: string; readonly name: string }[]): [name: string, ids: string][] {
  return [...Map.groupBy(named, ({ name }) => name)]
    .filter(([, owners]) => owners.length > 1)
    .map(([name, owners]) => [name, owners.map(({ id }) => `"${id}"`).join(', ')]);
}

function unusedPaywalls({ paywalls, models, placements }: CatalogDocument): string[] {
  const used = new Set([
    ...placements.map(({ baseline }) => baseline),
    ...models.flatMap(({ candidates }) => candidates),
  ]);
  return paywalls
    .filter(({ id }) => !used.has(id))
    .map(({ id }) => `Paywall "${id}" is used by no placement and no model.`);
}

function offersWithoutProduct({ paywalls, products }: CatalogDocument): string[] {
  const sold = new Map(products.map((product) => [product.id, product]));
  return paywalls.flatMap(({ id, products: attachments }) =>
    attachments.flatMap(({ product, appStore, playStore }) => {
      const offered = (offers: object | null) =>
        offers !== null && Object.values(offers).some((offer) => offer !== null);
      const stores = [
        offered(appStore) && !sold.get(product)?.appStore ? ['App Store'] : [],
        offered(playStore) && !sold.get(product)?.playStore ? ['Play Store'] : [],
      ].flat();
      return stores.map(
        (store) => `Paywall "${id}" has a ${store} offer for product "${product}", which is not sold there.`,
      );
    }),
  );
}

/** Weights that nearly make 100 were meant as percent. */
const meantAsPercent = (sum: number) => sum > 90 && sum < 110 && Math.abs(sum - 100) > 1e-6;

function trafficWarnings({ id, traffic }: Model): string[] {
  const warnings: string[] = [];
  const targets = traffic.map((entry) =>
    entry.target === 'placement' ? `placement ${entry.placement}` : entry.target,
  );
  if (!targets.includes('ai_model'))
    warnings.push(`Model "${id}" never chooses: none of its traffic goes to ai_model.`);
  else if (!targets.includes('baseline'))
    warnings.push(
      `Model "${id}" has no guard: none of its traffic goes to baseline, so its AI is compared with nothing.`,
    );
  const sum = traffic.reduce((total, { weight }) => total + weight, 0);
  if (meantAsPercent(sum))
    warnings.push(
      `The weights of model "${id}" add up to ${Number(sum.toFixed(6))}, not to 100: each counts as its share of that.`,
    );
  const distinct = new Set(targets).size;
  if (distinct < targets.length) warnings.push(`Model "${id}" lists some target more than once: its weights add up.`);
  return warnings;
}
