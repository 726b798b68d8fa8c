import type { Own } from './case.ts';
import { accepted, eventually } from './expectations.ts';
import type { Json } from './http.ts';

/** A profile's timeline, newest first, all pages. */
export async function timeline({ admin, appId }: Own, profileId: string): Promise<Json[]> {
  const entries: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await admin.get(
      `/apps/${appId}/profiles/${profileId}/timeline?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    entries.push(...accepted(answer, 200));
    cursor = answer.body.nextCursor;
  }
  return entries;
}

const reportedType = (entry: Json): unknown => entry.data?.eventType ?? entry.type;

/**
 * The events that clients reported about a profile, oldest first, as the timeline holds them once the marker is
 * there: a last event sent after all that may have been stored.
 */
export async function reportedEvents(own: Own, profileId: string): Promise<Json[]> {
  const eventType = `marker_${Math.random().toString(36).slice(2)}`;
  accepted(await own.app.v1('/events', [{ eventType, profileId }]), 200);
  const entries = await eventually('the marker event', async () => {
    const found = await timeline(own, profileId);
    return found.some((entry) => reportedType(entry) === eventType) ? found : null;
  });
  const reported = entries.filter(({ service }) => service === 'impression').reverse();
  return reported.filter((entry) => reportedType(entry) !== eventType).map(({ data }) => data);
}

/** The profile's only decision, as `GET …/decisions/{decisionId}` explains it. */
export async function onlyDecision({ admin, appId }: Own, profileId: string): Promise<Json> {
  const row = await eventually('the decision', async () => {
    const rows = accepted(await admin.get(`/apps/${appId}/profiles/${profileId}/decisions`), 200);
    return rows[0];
  });
  return accepted(await admin.get(`/apps/${appId}/decisions/${row.id}`), 200);
}
