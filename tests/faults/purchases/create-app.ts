import { sendPatiently } from '../../stack/send-patiently.ts';
import { adminToken, type Stack } from '../../stack/stack.ts';

const catalog = {
  app: { bundleId: 'com.example', packageName: 'com.example' },
  accessLevels: [{ id: 'premium' }],
  products: [
    {
      ...{ id: 'pro', name: 'Pro', period: 'monthly', accessLevel: 'premium' },
      ...{ appStore: { productId: 'pro.monthly' }, playStore: { productId: 'pro.monthly', basePlanId: 'monthly' } },
    },
  ],
  paywalls: [{ id: 'calm', name: 'Calm', products: [{ product: 'pro' }] }],
  placements: [{ id: 'onboarding', name: 'Onboarding', baseline: 'calm' }],
};

/** An app that sells in the App Store, and on Play if it has credentials for it: one subscription, or what another catalog has. */
export async function createApp(
  stack: Stack,
  credentials: object,
  { sold = catalog, playStore }: { readonly sold?: object; readonly playStore?: object } = {},
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
  if (playStore) await admin('PUT', `/apps/${appId}/credentials/play-store`, playStore);
  return { appId, secretKey };
}
