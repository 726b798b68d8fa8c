import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { loadSecrets, saveSecrets, type Secrets } from '../local/secrets.ts';

type Demo = NonNullable<Secrets['demo']>;

const Envelope = z.object({ data: z.unknown() });
const App = z.object({
  id: z.int(),
  keys: z.array(z.object({ kind: z.string(), prefix: z.string(), revokedAt: z.unknown() })),
});
const CreatedApp = z.object({ id: z.int(), secretKey: z.string() });
const StoredCatalog = z.object({ revision: z.int() });

/** An answer of the admin API that is not the expected one. */
class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;
  constructor(call: string, status: number, text: string) {
    super(`${call} answered ${status}: ${text.slice(0, 500)}`);
    this.status = status;
  }
}

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
  const document: unknown = JSON.parse(readFileSync(join(findProjectRoot(), 'deploy', 'demo', 'catalog.json'), 'utf8'));
  if (revision === 0) await call('PUT', catalog, StoredCatalog, document);
  return demo;
}

type AdminCall = ReturnType<typeof adminApi>;

function adminApi(gateway: string, adminToken: string) {
  return async <S extends z.ZodType>(method: string, path: string, answer: S, body?: unknown): Promise<z.output<S>> => {
    const response = await fetch(`${gateway}/admin/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new UnexpectedAnswer(`${method} /admin/v1${path}`, response.status, text);
    return answer.parse(Envelope.parse(JSON.parse(text)).data);
  };
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
