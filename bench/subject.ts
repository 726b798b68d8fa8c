import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import type { Stack } from './stack.ts';

/** An app of the bench's own, with users who have fetched a paywall. */
export interface Subject {
  readonly appId: number;
  readonly secretKey: string;
  readonly users: readonly { profileId: string; paywallSessionId: string }[];
}

const connections = new Agent({ connections: 16 });
export const placementId = 'bench';

const variants = ['calm', 'bold'];
/** One model with two variants, all traffic to it: what the peer's flag with two variants does. */
export const catalog = {
  products: [{ id: 'monthly', name: 'Monthly', period: 'monthly', appStore: { productId: 'as.monthly' } }],
  paywalls: variants.map((id) => ({ id, name: id, products: [{ product: 'monthly' }] })),
  models: [{ id: 'main', name: 'Main', candidates: variants, traffic: [{ target: 'ai_model', weight: 100 }] }],
  placements: [{ id: placementId, name: 'Bench', baseline: 'calm', model: 'main' }],
};

async function call<Data>(url: string, method: 'POST' | 'PUT', authorization: string, body: unknown): Promise<Data> {
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await request(url, { dispatcher: connections, method, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
  const { data }: { data: Data } = JSON.parse(text);
  return data;
}

async function createUser(web: string, secretKey: string, index: number, hasAttributes: boolean) {
  const device = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' };
  const body = { ...device, customerUserId: randomUUID() };
  const { profileId } = await call<{ profileId: string }>(`${web}/profiles`, 'POST', secretKey, body);
  const custom = [
    { key: 'goal', value: index % 2 ? 'sleep' : 'focus' },
    { key: 'source', value: `ad-${index % 10}` },
  ];
  if (hasAttributes) await call(`${web}/profiles/custom-attributes-all`, 'POST', secretKey, { profileId, custom });
  const paywall = { profileId, placementId };
  const { paywallSessionId } = await call<{ paywallSessionId: string }>(`${web}/paywalls`, 'POST', secretKey, paywall);
  return { profileId, paywallSessionId };
}

/** Makes the app, its catalog and its users through the public APIs: each with attributes, or one of so many. */
export async function createSubject(
  { gateway, adminToken }: Pick<Stack, 'gateway' | 'adminToken'>,
  userCount: number,
  document: object = catalog,
  attributesOfOneIn = 1,
): Promise<Subject> {
  const bearer = `Bearer ${adminToken}`;
  const app = await call<{ id: number; secretKey: string }>(`${gateway}/admin/v1/apps`, 'POST', bearer, {
    name: 'bench',
  });
  await call(`${gateway}/admin/v1/apps/${app.id}/catalog`, 'PUT', bearer, document);
  const users: Awaited<ReturnType<typeof createUser>>[] = [];
  const lanes = Array.from({ length: 16 }, async (_, lane) => {
    for (let index = lane; index < userCount; index += 16)
      users.push(await createUser(`${gateway}/api/v1/web-api`, app.secretKey, index, index % attributesOfOneIn === 0));
  });
  await Promise.all(lanes);
  return { appId: app.id, secretKey: app.secretKey, users };
}

const headersOf = ({ secretKey }: Pick<Subject, 'secretKey'>) => ({
  authorization: secretKey,
  'content-type': 'application/json',
});

/** What a load job needs to fetch a paywall for each user in turn. */
export const paywallFetches = (
  stack: Stack,
  subject: Pick<Subject, 'secretKey'> & { readonly users: readonly { readonly profileId: string }[] },
) => ({
  url: stack.gateway,
  method: 'POST',
  path: '/api/v1/web-api/paywalls',
  headers: headersOf(subject),
  bodies: subject.users.map(({ profileId }) => JSON.stringify({ profileId, placementId })),
});

/** A batch of events a user, every other one a view, all with the user's token. */
export const eventBatches = (stack: Stack, subject: Subject, eventsPerRequest: number) => ({
  url: stack.gateway,
  method: 'POST',
  path: '/api/v1/web-api/events',
  headers: headersOf(subject),
  bodies: subject.users.map((user) =>
    JSON.stringify(
      Array.from({ length: eventsPerRequest }, (_, index) => ({
        ...user,
        eventType: index % 2 ? 'button_tapped' : 'paywall_shown',
      })),
    ),
  ),
});
