import { setTimeout as sleep } from 'node:timers/promises';
import { MoneyMoved, topics } from '@paywright/contracts';
import { decodeEvent, readTopic } from '@paywright/messaging/topics';
import { decimalOfMicros, microsOf } from '@paywright/purchases';
import pg from 'pg';
import { connectToKafka } from '../../stack/connect-to-kafka.ts';
import type { Stack } from '../../stack/stack.ts';
import type { Bought } from './buying.ts';

const restMs = 90_000;
const monthUsd = 9.99;

interface Row {
  readonly type: string;
  readonly transactionId: string;
  readonly amount: string;
}

/** What is wrong with the books of what was bought, a sentence each, once all of it should have come. */
export async function faultsOfBooks(
  stack: Stack,
  { appId, adminToken, bought }: { appId: number; adminToken: string; bought: readonly Bought[] },
): Promise<readonly string[]> {
  const read = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await fetch(`${stack.gateways[0]}/admin/v1/apps/${appId}/profiles/${path}`, { headers });
    if (!answer.ok) throw new Error(`GET profiles/${path}: ${answer.status}`);
    return ((await answer.json()) as { data: unknown }).data;
  };
  for (const until = performance.now() + restMs; ; await sleep(500)) {
    const faults: string[] = [];
    for (const one of bought) {
      const rows = (await read(`${one.profileId}/ledger`)) as readonly Row[];
      const profile = (await read(one.profileId)) as { state: string; totalRevenueUsd: number };
      faults.push(...faultsOfOne(one, rows, profile));
    }
    // What is doubled stays so; what is missing may still come.
    if (faults.length === 0 || performance.now() > until) return [...faults, ...(await faultsOfStreams(stack))];
  }
}

function faultsOfOne(
  { profileId, transactionIds }: Bought,
  rows: readonly Row[],
  { state, totalRevenueUsd }: { state: string; totalRevenueUsd: number },
): string[] {
  const expected = [...transactionIds].sort().join();
  const found = rows.map(({ transactionId }) => transactionId).sort();
  const revenue = Number((monthUsd * transactionIds.length).toFixed(2));
  return [
    ...(found.join() === expected ? [] : [`${profileId} has rows of ${found.join()}, not of ${expected}`]),
    ...(rows.every(({ type, amount }) => type === 'charge' && Number(amount) === monthUsd)
      ? []
      : [`${profileId} has a row of another amount`]),
    ...(state === 'subscribed' ? [] : [`${profileId} is ${state}`]),
    ...(totalRevenueUsd === revenue ? [] : [`${profileId} earned ${totalRevenueUsd} USD, not ${revenue}`]),
  ];
}

/** Every stored event is published, once by its id or as often as it came again, and no version is left out. */
async function faultsOfStreams(stack: Stack): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; stream: string; version: number }>(
      'select id::text, stream::text, version from purchase.event order by stream, version',
    );
    const published = new Set<string>();
    const movements = new Map<string, string>();
    await readTopic(connectToKafka(stack), topics.purchaseEvents, (message) => {
      const event = decodeEvent(message);
      published.add(event.id);
      const { chainId, movementId, usd } = event.body as Partial<MoneyMoved['body']>;
      if (event.type === MoneyMoved.type) movements.set(`${chainId} ${movementId}`, usd ?? '0');
    });
    const last = new Map<string, number>();
    const gaps = rows.flatMap(({ stream, version }) => {
      const before = last.get(stream) ?? 0;
      last.set(stream, version);
      return version === before + 1 ? [] : [`stream ${stream} goes from ${before} to ${version}`];
    });
    const unpublished = rows.filter(({ id }) => !published.has(id)).map(({ id }) => `event ${id} was not published`);
    const stored = new Set(rows.map(({ id }) => id));
    const unknown = [...published].filter((id) => !stored.has(id)).map((id) => `event ${id} is in no stream`);
    return [...gaps, ...unpublished, ...unknown, ...(await faultsOfTotal(client, [...movements.values()]))];
  } finally {
    await client.end();
  }
}

/** The sum of the topic's movements, each counted once, is that of the ledger's rows. */
async function faultsOfTotal(client: pg.Client, usd: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ total: string }>(
    'select coalesce(sum(usd), 0)::numeric(30, 6)::text as total from read_model.ledger_entry',
  );
  const fromTopic = decimalOfMicros(usd.reduce((sum, each) => sum + microsOf(each), 0n));
  const stored = rows[0]?.total ?? '';
  return microsOf(stored) === microsOf(fromTopic)
    ? []
    : [`the topic’s movements sum up to ${fromTopic} USD, the ledger to ${stored}`];
}
