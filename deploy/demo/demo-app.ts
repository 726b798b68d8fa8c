import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { adminApi, UnexpectedAnswer, type AdminCall } from './admin-api.ts';
import { loadSecrets, saveSecrets, type Secrets } from '../local/secrets.ts';

type Demo = NonNullable<Secrets['demo']>;

const App = z.object({
  id: z.int(),
  keys: z.array(z.object({ kind: z.string(), prefix: z.string(), revokedAt: z.unknown() })),
});
const CreatedApp = z.object({ id: z.int(), secretKey: z.string() });
const StoredCatalog = z.object({ revision: z.int() });

/** The catalog of the demo app, as the admin API takes it. */
export const demoCatalog = (): unknown =>
  JSON.parse(readFileSync(join(findProjectRoot(), 'deploy', 'demo', 'catalog.json'), 'utf8'));

/**
 * The demo app, with its catalog: made through the admin API at the first start on this data, found again later.
 * Picks up where an interrupted start left off.
 * @param dataDir where secrets.json remembers it
 */
export async function ensureDemo(gateway: string, adminToken: string, dataDir: string): Promise<Demo> {
  const call = adminApi(gateway, adminToken);
  const secrets = loadSecrets(dataDir);
  const known = secrets.demo && (await isUsable(call, secrets.demo)) ? secrets.demo : null;
  const demo = known ?? (await createApp(call));
  if (!known) saveSecrets(dataDir, { ...secrets, demo });

  const catalog = `/apps/${demo.appId}/catalog`;
  const { revision } = await call('GET', catalog, StoredCatalog);
  if (revision === 0) await call('PUT', catalog, StoredCatalog, demoCatalog());
  return demo;
}

async function createApp(call: AdminCall): Promise<Demo> {
  const { id, secretKey } = await call('POST', '/apps', CreatedApp, { name: 'Demo' });
  return { appId: id, secretKey };
}

/** Whether the app that we know is in this database, which may be another than last time, and has our key. */
async function isUsable(call: AdminCall, { appId, secretKey }: Demo): Promise<boolean> {
  try {
    const { keys } = await call('GET', `/apps/${appId}`, App);
    return keys.some(({ prefix, revokedAt }) => secretKey.startsWith(prefix) && (revokedAt ?? null) === null);
  } catch (error) {
    if (error instanceof UnexpectedAnswer && error.status === 404) return false;
    throw error;
  }
}
