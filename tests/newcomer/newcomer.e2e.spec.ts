import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startProduct, type Product } from '@paywright/testing';
import { codeBlock, codeBlocks } from './code-blocks.ts';
import { launcherThatEnds, moduleThatPrints, programsBut, runShell } from './run-command.ts';

const startMs = 240_000;
/** Stands for the project's folder, as the pages' commands see it: with the data of this product. */
const folder = mkdtempSync(join(tmpdir(), 'paywright-newcomer-'));
const dataDir = join(folder, '.data');

let product: Product;
beforeAll(async () => {
  product = await startProduct({ dataDir });
}, startMs);
afterAll(async () => {
  await product?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, startMs);

/** Commands as somebody pastes them who has nothing but the page; only the gateway's port is another here. */
const paste = (commands: string) => runShell(commands.replaceAll('http://127.0.0.1:3000', product.gateway), {}, folder);

/** The broker's address, by the page's command. */
const broker = async () => {
  const [address = ''] = codeBlock('docs/topics.md', 'sh', 'BROKER=').split('\n');
  return (await paste(`${address}\nprintenv BROKER`)).trim();
};

const firstRequests = codeBlock('README.md', 'sh', 'web-api/profiles');

/** What the page says of the profile after the purchase, and after its refund. */
const toldOfAccount = codeBlocks('docs/first-app.md', 'json').map((block) => JSON.parse(block) as unknown);

const servedPaywall = {
  ok: true,
  data: { paywallSessionId: expect.any(String), sourceProducts: expect.arrayContaining([expect.any(Object)]) },
};

describe('somebody who follows the README', () => {
  let profileId = '';

  it('pastes the requests that npm start prints', async () => {
    const [, printed = ''] = /^Try it:\n(.*?)^Admin /ms.exec(product.output()) ?? [];
    expect(JSON.parse(await paste(printed))).toMatchObject(servedPaywall);
  });

  it('creates a profile and fetches its paywall by the README’s requests', async () => {
    const [answer = '', id = ''] = (await paste(`${firstRequests}\necho; echo "$PROFILE"`)).split('\n');
    expect(JSON.parse(answer)).toMatchObject(servedPaywall);
    profileId = id;
    expect(profileId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reads the decision in its topic, by the page’s program', async () => {
    const program = codeBlock('docs/topics.md', 'js', 'PaywallServed.v1');
    const said = await moduleThatPrints(program, /paywallId/, { BROKER: await broker() });
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

  it('puts paywalls of its own in by the page’s commands, is served from them at once, and sells', async () => {
    const printed = await paste(codeBlocks('docs/first-app.md', 'sh').join('\necho\n'));
    const answers: unknown[] = printed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { ok: true, data: { revision: 1, warnings: [] } },
      { ok: true, data: { externalId: 'only', sourceProducts: [{ sourceProductId: 'my.monthly' }] } },
      { ok: true },
      { ok: true, data: { revision: 2, warnings: [] } },
      { ok: true, data: { appStore: { lastCheck: null } } },
      ...toldOfAccount,
    ]);
  }, 60_000);

  it('counts its customers by state from the topic, by the page’s program: who got the money back', async () => {
    const program = codeBlock('docs/topics.md', 'js', 'subscription-cancelled');
    const said = await moduleThatPrints(program, /^\d+\t[a-z-]+\t\d+$/m, { BROKER: await broker() });
    expect(said).toMatch(/^2\tsubscription-cancelled\t1$/m);
  }, 60_000);

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
      2,
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
      const fetchPaywall = firstRequests.replace(/^PROFILE=.*?\)$/ms, `PROFILE=${profileId}`);
      expect(fetchPaywall).not.toContain('web-api/profiles');
      expect(JSON.parse(await paste(fetchPaywall))).toMatchObject(servedPaywall);
    },
    startMs,
  );
});
