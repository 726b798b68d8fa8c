import { setTimeout as delay } from 'node:timers/promises';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { decisionFact, eventFact, impressionFact, profileFact, type Facts, type Shown } from './facts.ts';
import type { ReplayClient } from './replay-client.ts';

const projectedWithinMs = 60_000;

interface Profile {
  readonly profileId: string;
  readonly custom: readonly { key: string; value: string }[];
}
type Decision = Shown & { readonly superseded: boolean };
interface TimelineEntry {
  readonly type: string;
  readonly service: string;
  readonly data: Shown & { readonly eventType: string };
}

/** What the admin API shows of these profiles: each with its decisions and the events of its clients. */
export async function adminFacts(admin: ReplayClient, appId: number, profileIds: readonly string[]): Promise<Facts> {
  const [profiles, decisions, events]: string[][] = [[], [], []];
  for (const profileId of profileIds) {
    const path = `/admin/v1/apps/${appId}/profiles/${profileId}`;
    const { custom } = await admin.call<Profile>('GET', path);
    profiles!.push(profileFact(profileId, Object.fromEntries(custom.map(({ key, value }) => [key, value]))));
    const rows = await admin.all<Decision>(`${path}/decisions`);
    decisions!.push(...rows.filter(({ superseded }) => !superseded).map((row) => decisionFact(profileId, row)));
    const reported = (await admin.all<TimelineEntry>(`${path}/timeline`)).filter(
      ({ service }) => service === 'impression',
    );
    events!.push(...reported.map(({ data }) => eventFact(profileId, data)));
  }
  return { profiles: profiles!, decisions: decisions!, 'views and clicks': events! };
}

/** What the tables of the read model hold of the app. */
export async function tableFacts(database: string, appId: number): Promise<Facts> {
  const profiles = await queryOnce(
    database,
    'select profile_id::text, custom from read_model.profile where app_id = $1',
    [appId],
  );
  const impressions = await queryOnce(
    database,
    'select profile_id::text, paywall_id from read_model.unique_impression where app_id = $1',
    [appId],
  );
  const attributes = (custom: unknown) =>
    Object.fromEntries((custom as Profile['custom']).map(({ key, value }) => [key, value]));
  return {
    profiles: profiles.map((row) => profileFact(String(row['profile_id']), attributes(row['custom']))),
    'unique impressions': impressions.map((row) =>
      impressionFact(String(row['profile_id']), Number(row['paywall_id'])),
    ),
  };
}

/** Batches of events are acknowledged before they are projected: waits until all are, or until nothing helps. */
export async function untilProjected(database: string, appId: number, batches: number): Promise<void> {
  const sql = `select count(*) as count from read_model.profile_event where app_id = $1 and type = 'EventsReported'`;
  for (const end = performance.now() + projectedWithinMs; performance.now() < end; await delay(100)) {
    const [row] = await queryOnce(database, sql, [appId]);
    if (Number(row?.['count']) >= batches) return;
  }
}
