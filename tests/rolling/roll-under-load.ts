import { setTimeout as sleep } from 'node:timers/promises';
import { FaultyAppStore } from '../faults/purchases/app-store.ts';
import { faultsOfBooks } from '../faults/purchases/books.ts';
import { createApp } from '../faults/purchases/create-app.ts';
import { observe } from '../faults/observe.ts';
import { adminToken, Stack } from '../stack/stack.ts';
import { untilCommandsAreHandled } from '../torture/at-rest.ts';
import { findingsOfProfiles } from '../torture/invariants/of-profiles.ts';
import { unavailableMs } from '../torture/unavailable.ts';
import { Balancer } from './balancer.ts';
import { Client, type Exchange } from './client.ts';
import { drainMs, Rolling } from './roll.ts';
import { Traffic } from './traffic.ts';
import { migrateTo, type Version } from './version.ts';

export interface RollingPlan {
  readonly from: Version;
  readonly to: Version;
  readonly perSecond: number;
  /** Told what begins. */
  readonly say?: (line: string) => void;
  /** Looks at the database in the end. */
  readonly inspect?: (stack: Stack) => Promise<void>;
}

export interface RollingOutcome {
  readonly exchanges: readonly Exchange[];
  readonly rolledForthMs: number;
  readonly rolledBackMs: number;
  /** Every stretch of more than a second without a paywall. */
  readonly unavailableMs: number;
  /** What was acknowledged and is not in stores, topics, read model and ledger as it should; a sentence each. */
  readonly findings: readonly string[];
}

/** Replaces every service by the other version and back again, while users come at a steady rate. */
export async function rollUnderLoad({ from, to, perSecond, say, inspect }: RollingPlan): Promise<RollingOutcome> {
  const store = await FaultyAppStore.start();
  const version = { root: from.root, migrate: (url: string) => migrateTo(from, url) };
  const stack = await Stack.start('info', { ...store.environment, DRAIN_DELAY_MS: String(drainMs) }, { version });
  const rolling = new Rolling(stack);
  const balancer = await Balancer.start(() => rolling.gateways);
  const client = new Client(balancer);
  try {
    const seller = await createApp(stack, store.credentials);
    const traffic = new Traffic({ client, store, seller, app: stack.app, perSecond });
    await sleep(arrivalMs);
    const start = performance.now();
    say?.(`From ${from.name} to ${to.name} …`);
    const rolledForthMs = await took(() => rolling.forth(to));
    say?.(`… and back …`);
    const rolledBackMs = await took(() => rolling.back(from));
    await sleep(calmMs);
    await traffic.stop();
    const end = performance.now();
    await untilCommandsAreHandled(stack);
    const findings = findingsOfProfiles(traffic.history, await observe(stack)).map(({ sentence }) => sentence);
    const books = await faultsOfBooks(stack, { appId: seller.appId, adminToken, bought: traffic.bought });
    await inspect?.(stack);
    const answeredAt = client.exchanges
      .filter(({ path, status }) => path.endsWith('/paywalls') && status === 200)
      .map((exchange) => exchange.answeredAt);
    return {
      ...{ exchanges: client.exchanges, rolledForthMs, rolledBackMs, findings: [...findings, ...books] },
      unavailableMs: unavailableMs(answeredAt, start, end),
    };
  } finally {
    await balancer.stop();
    await stack.stop();
    await store.stop();
  }
}

/** By then the users have come, and ask for paywalls. */
const arrivalMs = 3_000;
const calmMs = 1_000;

async function took(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
