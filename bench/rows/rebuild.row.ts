import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import type { Figure } from '../figure.ts';
import { onOwnStack } from '../own-stack.ts';
import { Reader, type Reads } from '../rebuild/reader.ts';
import { rebuildReadModel, type RebuildCost } from '../rebuild/rebuild-read-model.ts';
import { appId, eventsPerUser } from '../replay/event-log.ts';
import { publishEvents } from '../replay/publish-events.ts';
import { requireEvents, untilProjected } from '../replay/read-model.ts';
import type { RowAlone } from '../row.ts';
import type { Stack } from '../stack.ts';
import { createSubject } from '../subject.ts';

const readProfiles = 10;

/** Profile and timeline of a few of the log's people. */
async function readerOf({ gateway, adminToken, database }: Stack): Promise<Reader> {
  const rows = await queryOnce(database, `select profile_id from read_model.profile limit ${readProfiles}`);
  const profiles = rows.map(({ profile_id: id }) => `${gateway}/admin/v1/apps/${appId}/profiles/${String(id)}`);
  return Reader.open([...profiles, ...profiles.map((url) => `${url}/timeline`)], `Bearer ${adminToken}`);
}

function figuresOf(events: number, { seconds, megabytes }: RebuildCost, reads: Reads): readonly Figure[] {
  const row = `rebuild of ${events.toLocaleString('en')} events`;
  const { count, failed, slowestMs } = reads;
  return [
    { row, what: 'until it has switched', value: seconds, unit: 's', better: 'lower' },
    { row, what: 'events', value: events / seconds, unit: '/s', better: 'higher' },
    { row, what: 'memory, at most', value: megabytes, unit: 'MB', better: 'lower' },
    { row, what: 'reads that failed meanwhile', value: failed, unit: `of ${count}`, better: 'lower', must: 0 },
    { row, what: 'slowest read meanwhile', value: slowestMs, unit: 'ms', better: 'lower' },
  ];
}

async function measureRebuild(stack: Stack, users: number, say: (line: string) => void): Promise<readonly Figure[]> {
  const subject = await createSubject(stack, 0);
  if (subject.appId !== appId) throw new Error(`the events are of app ${appId}, not ${subject.appId}`);
  say('  publishing …');
  const events = await publishEvents(stack.kafka, users);
  say('  projecting …');
  await untilProjected(stack.database, events);
  await requireEvents(stack.database, events);
  say('  rebuilding …');
  const reader = await readerOf(stack);
  let cost: RebuildCost;
  let reads: Reads;
  try {
    cost = await rebuildReadModel(stack, (line) => say(`  ${line}`));
  } finally {
    reads = await reader.stop();
  }
  await requireEvents(stack.database, events);
  return figuresOf(events, cost, reads);
}

/** `npm run rebuild` beside a projection that goes on, and people who look at profiles. */
export const rebuildRow: RowAlone = {
  name: 'rebuild',
  about: 'the read model made anew from --events events: time, memory, and reads meanwhile',
  measure: (say, { events }) =>
    onOwnStack((stack) => measureRebuild(stack, Math.ceil(events / eventsPerUser), say), {
      options: ['--only', 'catalog,projection,gateway'],
    }),
};
