import { pathToFileURL } from 'node:url';
import { appBundle } from '@paywright/deploy/build.ts';
import { startProduct } from '@paywright/testing';
import { startProcess } from '../peer-process.ts';
import { eventsPerUser } from '../replay/event-log.ts';
import { publishEvents } from '../replay/publish-events.ts';
import { requireEvents, untilProjected } from '../replay/read-model.ts';
import type { RowAlone } from '../row.ts';

const eventCount = 1_000_000;

async function replay({ database, kafka }: { database: string; kafka: string }): Promise<number> {
  const env = { DATABASE_URL: database, KAFKA_BROKERS: kafka, MANAGEMENT_PORT: '0', LOG_LEVEL: 'warn' };
  const begun = performance.now();
  await using projection = new AsyncDisposableStack();
  projection.use(await startProcess(pathToFileURL(appBundle('projection')), env));
  await untilProjected(database, eventCount);
  const seconds = (performance.now() - begun) / 1000;
  await requireEvents(database, eventCount);
  return seconds;
}

/** An empty read model and a million events: from the start of the projection's process until it has them all. */
export const replayRow: RowAlone = {
  name: 'replay',
  about: `projection of ${eventCount.toLocaleString('en')} events into an empty read model`,
  async measure(say) {
    await using product = await startProduct({ only: ['catalog'], env: { PAYWRIGHT_DEMO: '0' } });
    say('  publishing …');
    await publishEvents(product.runtime().kafka, eventCount / eventsPerUser);
    say('  projecting …');
    const seconds = await replay(product.runtime());
    return [
      {
        row: 'projection',
        what: 'replay of 1 million events',
        value: seconds,
        unit: 's',
        better: 'lower',
        must: 45,
        aim: 15,
      },
    ];
  },
};
