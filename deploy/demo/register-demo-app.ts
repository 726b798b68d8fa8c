import { ToldError } from '@paywright/platform/told-error';
import { z } from 'zod';
import { adminApi } from './admin-api.ts';
import { demoCatalog } from './demo-app.ts';

const storeBlock = z.object({ productId: z.string(), basePlanId: z.string().nullish(), priceId: z.string().nullish() });
const Catalog = z.object({
  app: z.object({ bundleId: z.string(), packageName: z.string() }),
  products: z.array(
    z.object({
      period: z.enum(['weekly', 'monthly', 'annual', 'lifetime']),
      appStore: storeBlock.optional(),
      playStore: storeBlock.optional(),
      stripe: storeBlock.optional(),
    }),
  ),
});
const Credentials = z.object({ appStore: z.unknown(), playStore: z.unknown(), stripe: z.unknown() });

/** What the simulated stores understand by the catalog's periods; null: bought once. */
const periods = { weekly: 'P1W', monthly: 'P1M', annual: 'P1Y', lifetime: null } as const;

export interface DemoStores {
  readonly simulator: string;
  readonly gateway: string;
  readonly adminToken: string;
}

/** Makes the demo app known to the simulated stores, and their keys to the gateway: at each start, as addresses change. */
export async function registerDemoApp({ simulator, gateway, adminToken }: DemoStores, appId: number): Promise<void> {
  const { app, products } = Catalog.parse(demoCatalog());
  const answer = await fetch(`${simulator}/apps`, {
    method: 'POST',
    body: JSON.stringify({ appId, ...app, gateway, products: products.flatMap(soldAs) }),
  });
  if (!answer.ok) throw new ToldError(`The simulator did not take the demo app: ${await answer.text()}`);
  const { appStore, playStore, stripe } = Credentials.parse(await answer.json());
  const call = adminApi(gateway, adminToken);
  const put = (store: string, credentials: unknown) =>
    call('PUT', `/apps/${appId}/credentials/${store}`, z.unknown(), credentials);
  await Promise.all([put('app-store', appStore), put('play-store', playStore), put('stripe', stripe)]);
}

function soldAs({ period, ...stores }: z.output<typeof Catalog>['products'][number]) {
  return [stores.appStore, stores.playStore, stores.stripe].flatMap((sold) =>
    sold
      ? [{ productId: sold.productId, planId: sold.basePlanId ?? sold.priceId ?? null, period: periods[period] }]
      : [],
  );
}
