import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProduct, type Product } from '@paywright/testing';
import { codeBlock } from './code-blocks.ts';
import { launcherThatEnds, moduleThatPrints, programsBut, runShell } from './run-command.ts';

const startMs = 240_000;
const dataDir = mkdtempSync(join(tmpdir(), 'paywright-newcomer-'));
const readme = 'README.md';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ dataDir });
}, startMs);
afterAll(async () => {
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, startMs);

const demoKey = () => product.runtime().demo?.secretKey ?? '';

/** The README's requests, at this product's address. */
function readmeRequests(): readonly [createProfile: string, fetchPaywall: string] {
  const block = codeBlock(readme, 'sh', 'web-api/profiles').replaceAll('http://127.0.0.1:3000', product.gateway);
  const [createProfile, fetchPaywall, ...others] = block.split(/^(?=curl )/m);
  if (!createProfile || !fetchPaywall || others.length > 0) throw new Error('The README has other requests now.');
  return [createProfile, fetchPaywall];
}

async function admin<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  const { adminToken } = product.runtime();
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${product.gateway}/admin/v1${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { ok, data }: { ok: boolean; data: Data } = JSON.parse(await answer.text());
  expect(ok).toBe(true);
  return data;
}

describe('somebody who follows the README', () => {
  let profileId = '';

  it('pastes the request that npm start prints', async () => {
    const printed = /^curl .*$/m.exec(product.output())?.[0] ?? '';
    expect(JSON.parse(await runShell(printed))).toMatchObject({ ok: true, data: { profileId: expect.any(String) } });
  });

  it('creates a profile and fetches its paywall', async () => {
    const [createProfile, fetchPaywall] = readmeRequests();
    const KEY = demoKey();
    const created = JSON.parse(await runShell(createProfile, { KEY }));
    profileId = created.data.profileId;
    expect(created).toMatchObject({ ok: true, data: { customerUserId: 'anna' } });
    const served = JSON.parse(await runShell(fetchPaywall.replace('<data.profileId>', profileId), { KEY }));
    expect(served).toMatchObject({
      ok: true,
      data: { paywallSessionId: expect.any(String), sourceProducts: expect.any(Array) },
    });
  });

  it('reads the decision in its topic, by the page’s program', async () => {
    const program = codeBlock('docs/topics.md', 'js', 'kafkajs');
    const said = await moduleThatPrints(program, /paywallId/, { BROKER: product.runtime().kafka });
    expect(said).toContain(profileId);
  }, 60_000);

  it('writes the page on what the demo’s model earned', async () => {
    const [command = ''] = codeBlock('docs/reports.md', '', 'npm run report').split(/ {2,}/);
    const page = join(dataDir, 'report.html');
    await runShell(`${command} --out ${page}`, { PAYWRIGHT_DATA_DIR: dataDir });
    const html = readFileSync(page, 'utf8');
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html).toContain('<svg');
    expect(html).toContain('onboarding');
    expect(html).not.toMatch(/(src|href)="https?:/);
  });

  it('makes an app and a catalog of its own, and is served from it at once', async () => {
    const app = await admin<{ id: number; secretKey: string }>('POST', '/apps', { name: 'mine' });
    const catalog = {
      products: [{ id: 'monthly', name: 'Monthly', period: 'monthly', appStore: { productId: 'my.monthly' } }],
      paywalls: [{ id: 'only', name: 'Only', products: [{ product: 'monthly' }] }],
      placements: [{ id: 'start', name: 'Start', baseline: 'only' }],
    };
    await admin('PUT', `/apps/${app.id}/catalog`, catalog);
    const headers = { authorization: app.secretKey, 'content-type': 'application/json' };
    const post = async (path: string, body: unknown): Promise<{ ok: boolean; data: Record<string, unknown> }> => {
      const url = `${product.gateway}/api/v1/web-api${path}`;
      return JSON.parse(await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).text());
    };
    const device = { country: 'DE', device: 'Pixel 9', os: 'Android 15', platform: 'android' };
    const { data: profile } = await post('/profiles', device);
    const { data: paywall } = await post('/paywalls', { profileId: profile['profileId'], placementId: 'start' });
    expect(paywall).toMatchObject({ externalId: 'only', sourceProducts: [{ sourceProductId: 'my.monthly' }] });
    const shown = {
      eventType: 'paywall_shown',
      profileId: profile['profileId'],
      paywallSessionId: paywall['paywallSessionId'],
    };
    expect(await post('/events', [shown])).toMatchObject({ ok: true });
  });

  it('is told who holds the data when it starts a second time', async () => {
    const second = await launcherThatEnds({ PAYWRIGHT_DATA_DIR: dataDir, GATEWAY_PORT: '0' });
    expect(second.status).toBe(1);
    expect(second.said).toContain(String(product.pid));
  });

  it('is told how to choose another port when one is taken', async () => {
    const port = new URL(product.gateway).port;
    const elsewhere = mkdtempSync(join(tmpdir(), 'paywright-newcomer-'));
    const second = await launcherThatEnds({ PAYWRIGHT_DATA_DIR: elsewhere, GATEWAY_PORT: port });
    rmSync(elsewhere, { recursive: true, force: true });
    expect([second.status, second.said]).toEqual([
      1,
      expect.stringContaining(`GATEWAY_PORT=${Number(port) + 1} npm start`),
    ]);
  });

  it('is told the three ways out where there is no Java', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'paywright-newcomer-'));
    const PATH = programsBut(elsewhere, /^(java|mvn)$/);
    const without = { PAYWRIGHT_DATA_DIR: join(elsewhere, 'data'), GATEWAY_PORT: '0', PATH, JAVA_HOME: '' };
    const { status, said } = await launcherThatEnds(without);
    rmSync(elsewhere, { recursive: true, force: true });
    expect(status).toBe(1);
    for (const way of ['Java', 'docker compose up', 'KAFKA_BROKERS']) expect(said).toContain(way);
  });

  it(
    'runs a second product beside the first',
    async () => {
      const second = await startProduct();
      try {
        expect(second.gateway).not.toBe(product.gateway);
        expect((await fetch(`${second.gateway}/openapi.json`)).status).toBe(200);
        expect((await fetch(`${product.gateway}/openapi.json`)).status).toBe(200);
      } finally {
        await second.stop();
      }
    },
    startMs,
  );

  it(
    'finds everything again after a stop and a start',
    async () => {
      expect(await product.stop()).toBe(0);
      product = await startProduct({ dataDir });
      const [, fetchPaywall] = readmeRequests();
      const served = await runShell(fetchPaywall.replace('<data.profileId>', profileId), { KEY: demoKey() });
      expect(JSON.parse(served)).toMatchObject({ ok: true });
    },
    startMs,
  );
});
