import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { logNames, readBanditLog, type BanditLog } from './bandit-log.ts';
import { agrees, compareFacts, type Comparison } from './facts.ts';
import { catalogOf, playLog } from './play-log.ts';
import { adminFacts, tableFacts, untilProjected } from './read-model-facts.ts';
import { ReplayClient } from './replay-client.ts';
import { comparisonTable, latencyTable } from './report.ts';
import { topicFacts } from './topic-facts.ts';
import { isWholeNumber, programFlags, refuseFlags } from '../stack/program-flags.ts';

const usage = `Plays the logged traffic of fixtures/open-bandit on a running product and compares what it acknowledged
with what its topics and read models hold.

  npm run replay:open-bandit
  npm run replay:open-bandit -- --file men-random,women-bts --limit 1000

  --file <names>          of ${logNames.join(', ')}; all if left out
  --limit <rows>          from the beginning of each file
  --concurrency <users>   at a time (32)
  --url, --admin-token, --kafka, --database
                          of a product that is not the one of .data/runtime.json`;

interface Product {
  readonly gateway: string;
  readonly adminToken: string;
  readonly kafka: string;
  readonly database: string;
}

const values = programFlags(
  {
    file: { type: 'string' },
    limit: { type: 'string' },
    concurrency: { type: 'string', default: '32' },
    url: { type: 'string' },
    'admin-token': { type: 'string' },
    kafka: { type: 'string' },
    database: { type: 'string' },
    help: { type: 'boolean' },
  },
  usage,
);

/** The flags' product, else the one that runs on the data folder; null if there is neither. */
function findProduct(): Product | null {
  const { url, kafka, database } = values;
  const adminToken = values['admin-token'];
  if (url && kafka && database && adminToken) return { gateway: url, adminToken, kafka, database };
  const file = join(process.env['PAYWRIGHT_DATA_DIR'] ?? '.data', 'runtime.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

async function createApp(admin: ReplayClient, log: BanditLog): Promise<{ id: number; secretKey: string }> {
  const app = await admin.call<{ id: number; secretKey: string }>('POST', '/admin/v1/apps', {
    name: `Open Bandit ${log.name}`,
  });
  await admin.call('PUT', `/admin/v1/apps/${app.id}/catalog`, catalogOf(log));
  return app;
}

/** Compares every place with what was acknowledged; prints it. @returns whether all agree */
async function replay(product: Product, log: BanditLog, concurrency: number): Promise<boolean> {
  console.log(`\n${log.name}: ${log.rows.length} rows of ${log.users.length} users, ${log.items.length} items`);
  const admin = new ReplayClient(product.gateway, `Bearer ${product.adminToken}`, 8);
  const { id: appId, secretKey } = await createApp(admin, log);
  const client = new ReplayClient(product.gateway, secretKey, concurrency);
  const bar = new SingleBar(
    {
      format: '  {bar} {percentage}% | {value}/{total} rows | {duration_formatted}',
      noTTYOutput: true,
      notTTYSchedule: 5_000,
    },
    Presets.shades_classic,
  );
  bar.start(log.rows.length, 0);
  const acknowledged = await playLog(client, log, concurrency, bar).finally(() => bar.stop());
  await untilProjected(product.database, appId, log.rows.length);

  const inTopics = await topicFacts(product.kafka, appId);
  const profileIds = acknowledged.profiles.map((fact) => fact.split(' ')[0]!);
  const places = new Map<string, Comparison[]>([
    ['topics', compareFacts(acknowledged, inTopics.facts)],
    ['tables', compareFacts(acknowledged, await tableFacts(product.database, appId))],
    ['admin API', compareFacts(acknowledged, await adminFacts(admin, appId, profileIds))],
  ]);
  console.log(comparisonTable(places));
  console.log(
    `  events repeated in topics: ${inTopics.repeats}; out of order: ${inTopics.outOfOrder}; calls repeated: ${client.repeats}\n`,
  );
  console.log(latencyTable(client));
  await Promise.all([admin.close(), client.close()]);
  return inTopics.outOfOrder === 0 && [...places.values()].flat().every(agrees);
}

const chosen = values.file?.split(',') ?? logNames;
const names = logNames.filter((name) => chosen.includes(name));
const product = findProduct();
const unknown = chosen.find((name) => !(logNames as readonly string[]).includes(name));
const noCount = (['limit', 'concurrency'] as const).find((flag) => !isWholeNumber(values[flag] ?? '1'));
if (values.help) {
  console.log(usage);
} else if (unknown !== undefined) {
  refuseFlags(`There is no file ${unknown}.`, usage);
} else if (noCount !== undefined) {
  refuseFlags(`--${noCount} takes a whole number, 1 at least.`, usage);
} else if (!product) {
  console.error('No product runs here. Start one in another terminal with: npm start');
  process.exitCode = 2;
} else {
  let allAgree = true;
  for (const name of names) {
    const log = readBanditLog(name, values.limit === undefined ? undefined : Number(values.limit));
    allAgree = (await replay(product, log, Number(values.concurrency))) && allAgree;
  }
  console.log(allAgree ? '\nAll that was acknowledged is there, once.' : '\nThere are differences.');
  process.exitCode = allAgree ? 0 : 1;
}
