import { setTimeout as delay } from 'node:timers/promises';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';

/** Beyond what the projection rests, takes over, or waits for a lock. */
const stillForMs = 60_000;

async function count(database: string, sql: string): Promise<number> {
  const [row] = await queryOnce(database, sql);
  return Number(row?.['count'] ?? 0);
}

/** Events that the read model is past, by the offsets in its own database. */
const projected = (database: string): Promise<number> =>
  count(
    database,
    `select coalesce(sum(next_offset), 0) as count from read_model.projection_offset where topic in ('profile.events', 'selection.events', 'impression.events')`,
  );

/** Events of profiles that the read model holds. */
const heldEvents = (database: string): Promise<number> =>
  count(database, 'select count(*) from read_model.profile_event');

/** Resolves when the read model is past so many events. @throws if it stands still before that, or holds others */
export async function untilProjected(database: string, events: number): Promise<void> {
  let [done, movedAt] = [0, performance.now()];
  while (done < events) {
    const before = done;
    done = await projected(database);
    if (done > before) movedAt = performance.now();
    if (performance.now() - movedAt > stillForMs)
      throw new Error(`the read model stands still ${events - done} events behind`);
    await delay(50);
  }
}

/** @throws unless the read model holds so many events of profiles */
export async function requireEvents(database: string, events: number): Promise<void> {
  const held = await heldEvents(database);
  if (held !== events) throw new Error(`the read model holds ${held} of ${events} events`);
}
