import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { countFallbacks } from '../fallbacks.ts';
import type { Generator } from '../load/generator.ts';
import { failed, type LoadResult } from '../load/load-job.ts';
import type { Stack } from '../stack.ts';
import { paywallFetches, type Subject } from '../subject.ts';

const fetchRate = 300;
const readRate = 100;
const warmUpSeconds = 10;
const compileSeconds = 40;
const seconds = 20;
/** So many that none is asked for twice in a run. */
const asked = fetchRate * (warmUpSeconds + seconds);

export const rates = { paywalls: fetchRate, reads: readRate } as const;

/** Of any profiles of an app but its users, asked for in turn: few or many, the services remember none of them. */
export interface MeasuredProfiles {
  readonly paywalls: LoadResult;
  /** By the admin API. */
  readonly reads: LoadResult;
  /** Requests that were not answered, or by a fallback. */
  readonly notServed: number;
}

/** Fetches paywalls until the compilers of all programs have seen their code run. */
export async function warmUp(stack: Stack, subject: Subject, generator: Generator): Promise<void> {
  const fetches = paywallFetches(stack, subject);
  await generator.run({ ...fetches, rate: fetchRate, seconds: compileSeconds, warmUpSeconds: 0, connections: 64 });
}

/** @throws if the projection could not fold something in: then profiles are not as the product's own */
export async function measureProfiles(stack: Stack, subject: Subject, generator: Generator): Promise<MeasuredProfiles> {
  const profileIds = await anyOthers(stack, subject);
  const begun = new Date();
  const rest = { seconds, connections: 64 };
  const fetches = fetchesOf(stack, subject, profileIds);
  const paywalls = await generator.run({ ...fetches, ...rest, rate: fetchRate, warmUpSeconds });
  const reads = await generator.run({
    ...profileReads(stack, subject, profileIds),
    ...{ ...rest, rate: readRate, warmUpSeconds: 5 },
  });
  const fellBack = await countFallbacks(stack.database, subject.appId, begun);
  await requireNothingAside(stack);
  return { paywalls, reads, notServed: failed(paywalls) + failed(reads) + fellBack };
}

async function requireNothingAside({ database }: Stack): Promise<void> {
  const [row] = await queryOnce(database, 'select count(*)::int as count from read_model.dead_letter');
  if (row?.['count'] !== 0) throw new Error(`${Number(row?.['count'])} records are dead letters`);
}

async function anyOthers({ database }: Stack, { appId, users }: Subject): Promise<readonly string[]> {
  const rows = await queryOnce(
    database,
    `select profile_id from read_model.profile where app_id = $1 and profile_id <> all($2::uuid[])
     order by random() limit $3`,
    [appId, users.map(({ profileId }) => profileId), asked],
  );
  return rows.map(({ profile_id: id }) => String(id));
}

const fetchesOf = (stack: Stack, { secretKey }: Subject, profileIds: readonly string[]) =>
  paywallFetches(stack, { secretKey, users: profileIds.map((profileId) => ({ profileId })) });

const profileReads = ({ gateway, adminToken }: Stack, { appId }: Subject, profileIds: readonly string[]) => ({
  ...{ url: gateway, method: 'GET', headers: { authorization: `Bearer ${adminToken}` } },
  path: profileIds.map((id) => `/admin/v1/apps/${appId}/profiles/${id}`),
  bodies: profileIds.map(() => ''),
});
