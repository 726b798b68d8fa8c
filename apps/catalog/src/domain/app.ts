import {
  CatalogDocument,
  type AppCreated,
  type AppSnapshot,
  type CatalogIds,
  type CatalogReplaced,
  type KeyIssued,
  type KeyRevoked,
  type Store,
  type StoreCredentialsRemoved,
  type StoreCredentialsSet,
} from '@paywright/contracts';
import { noIntegers, remembering, type CatalogIntegers } from './catalog-integers.ts';

export type AppEvent =
  AppCreated | KeyIssued | KeyRevoked | CatalogReplaced | StoreCredentialsSet | StoreCredentialsRemoved;

/** An app with its keys and its catalog. `version` is the number of its events. */
export interface App {
  readonly status: 'present';
  readonly appId: number;
  readonly version: number;
  readonly name: string;
  readonly createdAt: number;
  readonly keys: AppSnapshot['keys'];
  readonly revision: number;
  readonly document: CatalogDocument;
  /** Of former documents, as they were last under their stores' names, the newest first. */
  readonly archivedProducts: CatalogDocument['products'];
  readonly ids: CatalogIds;
  /** Of archived objects too. */
  readonly integers: CatalogIntegers;
  /** By paywall, of archived ones too. */
  readonly paywallRevisions: ReadonlyMap<string, number>;
  /** The stores that it has credentials for, as far as it was told. */
  readonly credentials: ReadonlySet<Store>;
}

export type AppState = { readonly status: 'absent' } | App;

const emptyCatalog = CatalogDocument.parse({});

export function evolve(state: AppState, event: AppEvent): AppState {
  if (event.type === 'AppCreated') return created(event);
  if (state.status === 'absent') return state;
  const app = { ...state, version: state.version + 1 };
  switch (event.type) {
    case 'KeyIssued': {
      const { key, createdAt } = event.body;
      return { ...app, keys: [...app.keys, { ...key, createdAt, revokedAt: null }] };
    }
    case 'KeyRevoked': {
      const { keyId, revokedAt } = event.body;
      return { ...app, keys: app.keys.map((key) => (key.keyId === keyId ? { ...key, revokedAt } : key)) };
    }
    case 'CatalogReplaced': {
      const { revision, document, ids, paywallRevisions } = event.body;
      return {
        ...app,
        revision,
        document,
        archivedProducts: archiving([...app.document.products, ...app.archivedProducts], document),
        ids,
        integers: remembering(app.integers, document, ids),
        paywallRevisions: new Map([...app.paywallRevisions, ...Object.entries(paywallRevisions)]),
      };
    }
    case 'StoreCredentialsSet':
      return { ...app, credentials: new Set([...app.credentials, event.body.store]) };
    case 'StoreCredentialsRemoved':
      return { ...app, credentials: new Set([...app.credentials].filter((store) => store !== event.body.store)) };
    default:
      event satisfies never;
      return state;
  }
}

type Product = CatalogDocument['products'][number];

/** A product that stores sell under another name now, as when its price changes, is still what was sold under the former. */
const archiving = (known: readonly Product[], { products }: CatalogDocument): CatalogDocument['products'] => {
  const told = new Set(products.map(soldAs));
  return known.filter((product) => {
    const name = soldAs(product);
    const isNew = !told.has(name);
    told.add(name);
    return isNew;
  });
};

const soldAs = ({ id, appStore, playStore, stripe }: Product): string =>
  JSON.stringify([
    id,
    appStore?.productId,
    playStore && [playStore.productId, playStore.basePlanId],
    stripe && [stripe.productId, stripe.priceId],
  ]);

const created = ({ body: { appId, name, createdAt, keys } }: AppCreated): App => ({
  status: 'present',
  appId,
  version: 1,
  name,
  createdAt,
  keys: keys.map((key) => ({ ...key, createdAt, revokedAt: null })),
  revision: 0,
  document: emptyCatalog,
  archivedProducts: [],
  ids: { paywalls: {}, models: {}, products: {}, paywallProducts: {} },
  integers: noIntegers,
  paywallRevisions: new Map(),
  credentials: new Set(),
});
