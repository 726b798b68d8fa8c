import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import type { Figure } from '../figure.ts';
import { fetchBounds, latencyFigures } from '../latency-figures.ts';
import { Generator } from '../load/generator.ts';
import { failed } from '../load/load-job.ts';
import { searchRate } from '../load/search-rate.ts';
import type { RowAlone } from '../row.ts';
import { startStack, type Stack } from '../stack.ts';
import { BenchAppStore, type SoldPurchase } from '../stores/app-store.ts';
import { catalog, createSubject, paywallFetches, type Subject } from '../subject.ts';

const validateRate = 100;
const warmUpSeconds = 30;
const seconds = 30;
const burst = 10_000;
/** Stores that have news for many customers send it side by side, and again where it was not taken. */
const sendersAtOnce = 128;
const paywallRate = 300;
/** As long as for the row of /paywalls: to keep its figures, a product must have had them. */
const paywallWarmUpSeconds = 40;
/** Measured for so long, shorter than any burst took; they are asked for until its end. */
const paywallSeconds = 25;
const rightWithinMs = 300_000;
const userCount = 1_000;

interface Scene {
  readonly stack: Stack;
  readonly store: BenchAppStore;
  readonly subject: Subject;
  readonly generator: Generator;
  readonly say: (line: string) => void;
}

const json = { 'content-type': 'application/json' };

/** What the service's questions took, in milliseconds: sum and count so far. */
async function storeTime({ stack }: Scene): Promise<{ sum: number; count: number }> {
  const service = stack.services.find(({ name }) => name === 'purchase-validation');
  const text = await (await fetch(`${service?.management}/metrics`)).text();
  const read = (suffix: string) =>
    [...text.matchAll(new RegExp(`^store_seconds_${suffix}\\{[^}]*app_store[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return { sum: 1_000 * read('sum'), count: read('count') };
}

const validateBody = ({ subject }: Scene, { transactionId, originalTransactionId }: SoldPurchase, index: number) =>
  JSON.stringify({
    productId: 'pro.monthly',
    transactionId,
    originalTransactionId,
    profileId: subject.users[index % subject.users.length]!.profileId,
  });

async function measureValidate(scene: Scene): Promise<Figure[]> {
  const { stack, store, subject, generator } = scene;
  const sold = await store.sell(Array.from({ length: validateRate * (warmUpSeconds + seconds) }, () => ({})));
  const job = {
    url: stack.gateway,
    method: 'POST',
    path: '/api/v1/web-api/purchases/apple-store/validate',
    headers: { ...json, authorization: subject.secretKey },
    bodies: sold.map((purchase, index) => validateBody(scene, purchase, index)),
    connections: 64,
    rate: validateRate,
  };
  await generator.run({ ...job, warmUpSeconds: 0, seconds: warmUpSeconds });
  const before = await storeTime(scene);
  const rest = { ...job, bodies: job.bodies.slice(validateRate * warmUpSeconds) };
  const result = await generator.run({ ...rest, warmUpSeconds: 0, seconds });
  const after = await storeTime(scene);
  const storeMs = (after.sum - before.sum) / (after.count - before.count);
  const about = { row: 'validate', unit: 'ms', better: 'lower' } as const;
  const detail = { ...result, failed: failed(result), storeMs };
  return [
    { ...about, what: `at ${validateRate}/s, p50`, value: result.p50, must: 15, aim: 8, detail },
    { ...about, what: `at ${validateRate}/s, p99`, value: result.p99, must: 60, aim: 30, detail },
    { ...about, what: 'p50 beyond the store’s mean answer', value: result.p50 - storeMs, must: 15, aim: 6, detail },
  ];
}

const notificationJob = ({ stack, subject }: Scene, sold: readonly SoldPurchase[]) => ({
  url: stack.gateway,
  method: 'POST',
  path: `/notifications/${subject.appId}/app-store`,
  headers: json,
  bodies: sold.map(({ notification }) => notification),
  connections: 128,
});

const sellToUsers = ({ store, subject }: Scene, count: number): Promise<readonly SoldPurchase[]> =>
  store.sell(
    Array.from({ length: count }, (_, index) => ({
      appAccountToken: subject.users[index % subject.users.length]!.profileId,
    })),
  );

async function booked({ stack, subject }: Scene): Promise<number> {
  const [row] = await queryOnce(
    stack.database,
    `select count(*)::int as count from read_model.ledger_entry where app_id = $1 and payer_profile_id is not null`,
    [subject.appId],
  );
  return Number(row?.['count'] ?? 0);
}

async function untilBooked(scene: Scene, count: number): Promise<void> {
  for (const end = performance.now() + rightWithinMs; ; await delay(250)) {
    const found = await booked(scene);
    if (found === count) return;
    if (found > count) throw new Error(`${found} movements were booked, ${count} made`);
    if (performance.now() > end) throw new Error(`${count - found} movements were not booked`);
  }
}

async function measureAccepted(scene: Scene): Promise<Figure[]> {
  const sold = await sellToUsers(scene, 5_000);
  const before = await booked(scene);
  await scene.generator.run({ ...notificationJob(scene, sold), rate: 200, warmUpSeconds: 0, seconds: 12 });
  scene.say('notifications, highest rate:');
  const top = await searchRate({
    job: notificationJob(scene, sold),
    run: (job) => scene.generator.run(job),
    p99BelowMs: 1_000,
    startRate: 400,
    stepSeconds: 5,
    say: scene.say,
  });
  // Each was sent several times over: how often does not matter, only that each was sent.
  await scene.generator.run({ ...notificationJob(scene, sold), rate: 500, warmUpSeconds: 0, seconds: 10 });
  await untilBooked(scene, before + sold.length);
  return [
    {
      ...{ row: 'notifications', what: 'accepted', unit: '/s', better: 'higher', must: 500, aim: 1_500 },
      value: top?.rate ?? 0,
      detail: { ...top },
    },
  ];
}

/** Every profile's revenue is what was sold to it. */
async function expectRight(
  { stack, subject }: Scene,
  each: number,
  before: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { profileId } of subject.users) {
    const total = await revenueOf(stack, subject, profileId);
    const expected = (before.get(profileId) ?? 0) + each * 9.99;
    if (Math.abs(total - expected) > 0.005) throw new Error(`a profile has ${total} USD, not ${expected.toFixed(2)}`);
  }
}

async function revenueOf({ gateway, adminToken }: Stack, { appId }: Subject, profileId: string): Promise<number> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await fetch(`${gateway}/admin/v1/apps/${appId}/profiles/${profileId}`, { headers });
  const { data } = (await answer.json()) as { data: { totalRevenueUsd: number } };
  return data.totalRevenueUsd;
}

interface BurstTimes {
  /** Seconds until the last was taken. */
  readonly acceptedAfter: number;
  /** Seconds until all profiles are right. */
  readonly rightAfter: number;
}

/** Sells what the burst tells. @returns sends all of it at once */
async function prepareBurst(scene: Scene): Promise<() => Promise<BurstTimes>> {
  const { stack, subject } = scene;
  const sold = await sellToUsers(scene, burst);
  const revenues = new Map<string, number>();
  for (const { profileId } of subject.users) revenues.set(profileId, await revenueOf(stack, subject, profileId));
  const before = await booked(scene);
  return async () => {
    const begun = performance.now();
    const soFar = () => (performance.now() - begun) / 1_000;
    const [acceptedAfter, rightAfter] = await Promise.all([
      sendAll(scene, sold).then(soFar),
      untilBooked(scene, before + burst).then(soFar),
    ]);
    await expectRight(scene, burst / subject.users.length, revenues);
    return { acceptedAfter, rightAfter };
  };
}

async function measureBurst(scene: Scene): Promise<Figure[]> {
  const send = await prepareBurst(scene);
  const { acceptedAfter, rightAfter } = await send();
  return [
    {
      ...{ row: 'notifications', what: `${burst} at once, until all profiles are right`, unit: 's' },
      ...{ better: 'lower', must: 40, aim: 12 },
      value: rightAfter,
      detail: { acceptedAfter },
    },
  ];
}

async function measureBurstBesidePaywalls(scene: Scene): Promise<Figure[]> {
  const send = await prepareBurst(scene);
  await using fetcher = new Generator();
  const fetches = { ...paywallFetches(scene.stack, scene.subject), connections: 64, rate: paywallRate };
  let isOver = false;
  const ask = async () => {
    const result = await fetcher.run({ ...fetches, warmUpSeconds: paywallWarmUpSeconds, seconds: paywallSeconds });
    while (!isOver) await fetcher.run({ ...fetches, warmUpSeconds: 0, seconds: 2 });
    return result;
  };
  const [served, { acceptedAfter, rightAfter }] = await Promise.all([
    ask(),
    delay(1_000 * paywallWarmUpSeconds)
      .then(send)
      .finally(() => (isOver = true)),
  ]);
  return [
    {
      ...{ row: 'notifications', what: `the same beside ${paywallRate} paywalls/s`, unit: 's', better: 'lower' },
      value: rightAfter,
      detail: { acceptedAfter },
    },
    ...latencyFigures('/paywalls during the burst', served, fetchBounds),
  ];
}

/** As a store does: side by side, each until it is taken. */
async function sendAll(scene: Scene, sold: readonly SoldPurchase[]): Promise<void> {
  const { url, path, headers } = notificationJob(scene, sold);
  const waiting = [...sold];
  const send = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      while (!(await fetch(`${url}${path}`, { method: 'POST', headers, body: next.notification })).ok) await delay(100);
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, send));
}

/** The catalog of every row, and what the App Store sells. */
const soldCatalog = (bundleId: string) => ({
  ...catalog,
  app: { bundleId },
  accessLevels: [{ id: 'premium' }],
  products: [
    ...catalog.products,
    { id: 'pro', name: 'Pro', period: 'monthly', accessLevel: 'premium', appStore: { productId: 'pro.monthly' } },
  ],
});

/** Purchases from an App Store that answers at once, of a product of its own that talks to it. */
export const purchasesRow: RowAlone = {
  name: 'purchases',
  about: 'validate, notifications one by one and in a burst, with an App Store that answers at once',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-purchases-'));
    try {
      await using store = await BenchAppStore.start(folder);
      const { production, sandbox, rootFile, credentials, bundleId } = store.address;
      const { stack, stop } = await startStack(join(folder, 'data'), {
        PAYWRIGHT_DEMO: '0',
        APPSTORE_API_BASE: production,
        APPSTORE_API_BASE_SANDBOX: sandbox,
        APPSTORE_ROOT_CERTS: rootFile,
      });
      try {
        await using generator = new Generator();
        const subject = await createSubject(stack, userCount, soldCatalog(bundleId));
        await putCredentials(stack, subject, credentials);
        const scene: Scene = { stack, store, subject, generator, say };
        const figures: Figure[] = [];
        for (const measure of [measureValidate, measureAccepted, measureBurst, measureBurstBesidePaywalls])
          figures.push(...(await measure(scene)));
        return figures;
      } finally {
        await stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function putCredentials({ gateway, adminToken }: Stack, { appId }: Subject, credentials: object): Promise<void> {
  const answer = await fetch(`${gateway}/admin/v1/apps/${appId}/credentials/app-store`, {
    method: 'PUT',
    headers: { ...json, authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) throw new Error(`PUT credentials: ${answer.status} ${await answer.text()}`);
}
