import { sendPatiently } from '../../stack/send-patiently.ts';
import { adminToken, type Stack } from '../../stack/stack.ts';

const catalog = {
  app: { bundleId: 'com.example', packageName: 'com.example' },
  accessLevels: [{ id: 'premium' }],
  products: [
    {
      ...{ id: 'pro', name: 'Pro', period: 'monthly', accessLevel: 'premium' },
      ...{ appStore: { productId: 'pro.monthly' }, playStore: { productId: 'pro.monthly', basePlanId: 'monthly' } },
      stripe: { productId: 'prod_pro', priceId: 'price_pro' },
    },
  ],
  paywalls: [{ id: 'calm', name: 'Calm', products: [{ product: 'pro' }] }],
  placements: [{ id: 'onboarding', name: 'Onboarding', baseline: 'calm' }],
};

/** Credentials of other stores, by their place in the admin API. */
type Elsewhere = Readonly<Partial<Record<'play-store' | 'stripe', object>>>;

/** An app that sells in the App Store, and elsewhere as it has credentials: one subscription, or what `sold` has. */
export async function createApp(
  stack: Stack,
  credentials: object,
  { sold = catalog, elsewhere = {} }: { readonly sold?: object; readonly elsewhere?: Elsewhere } = {},
): Promise<{ appId: number; secretKey: string }> {
  const admin = async <Data>(method: string, path: string, body: object): Promise<Data> => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const sent = JSON.stringify(body);
    const answer = await sendPatiently(method, () => stack.gateways, `/admin/v1${path}`, sent, headers);
    return (JSON.parse(answer) as { data: Data }).data;
  };
  const { id: appId, secretKey } = await admin<{ id: number; secretKey: string }>('POST', '/apps', { name: 'faults' });
  await admin('PUT', `/apps/${appId}/catalog`, sold);
  await admin('PUT', `/apps/${appId}/credentials/app-store`, credentials);
  for (const [store, given] of Object.entries(elsewhere))
    await admin('PUT', `/apps/${appId}/credentials/${store}`, given);
  return { appId, secretKey };
}
