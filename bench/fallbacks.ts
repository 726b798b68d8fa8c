import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';

/** Decisions of an app that the gateway took by itself since then, because selection was late: they do not count as served. */
export async function countFallbacks(database: string, appId: number, since: Date): Promise<number> {
  const [row] = await queryOnce(
    database,
    `select count(*)::int as count from read_model.profile_event
     where time >= $2 and app_id = $1 and type = 'PaywallServed' and (data::json ->> 'fallback') is not null`,
    [appId, since],
  );
  return Number(row?.['count'] ?? 0);
}
