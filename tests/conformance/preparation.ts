import { randomUUID } from 'node:crypto';
import type { Deployment, Own } from './case.ts';
import { wholeCatalog } from './catalog.ts';
import { Admin, App } from './clients.ts';
import { accepted } from './expectations.ts';
import type { Json } from './http.ts';

export interface Access {
  readonly url: string;
  readonly key?: string | undefined;
  readonly placement?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly viewerToken?: string | undefined;
}

/** A new app, with its keys as they are shown this once. */
export async function createApp(admin: Admin): Promise<Json> {
  return accepted(await admin.post('/apps', { name: `conformance ${randomUUID()}` }), 201);
}

async function makeOwn(url: string, admin: Admin, viewerToken: string | undefined): Promise<Own> {
  const apps = [await createApp(admin), await createApp(admin)];
  const replies = [];
  for (const { id } of apps)
    replies.push(accepted(await admin.put(`/apps/${id}/catalog?force=true`, wholeCatalog), 200));
  const [first, second] = apps;
  return {
    admin,
    viewer: viewerToken ? new Admin(url, viewerToken) : null,
    appId: first.id,
    app: new App(url, first.secretKey),
    publicKey: first.publicKey,
    otherApp: new App(url, second.secretKey),
    ids: replies[0].ids,
  };
}

/**
 * A deployment ready for the cases. With an admin token the suite makes two apps and their catalogs for itself;
 * without one it uses the given key and placement.
 * @throws if there is neither a key nor an admin token, or the deployment refuses the preparation
 */
export async function prepare({ url, key, placement, adminToken, viewerToken }: Access): Promise<Deployment> {
  if (adminToken) {
    const own = await makeOwn(url, new Admin(url, adminToken), viewerToken);
    return { url, app: own.app, placement: 'plain', own };
  }
  if (!key) throw new Error('--key or --admin-token is needed');
  return { url, app: new App(url, key), placement: placement ?? null, own: null };
}
