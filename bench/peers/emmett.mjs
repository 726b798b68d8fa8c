// The same appends by emmett's event store: one event a call with the version that is expected, many calls at once.
import { randomUUID } from 'node:crypto';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const { databaseUrl, commands, streams, inFlight } = JSON.parse(process.argv[2]);
const store = getPostgreSQLEventStore(databaseUrl);
await store.schema.migrate();

const names = Array.from({ length: streams }, () => `profile-${randomUUID()}`);
const lane = async (first) => {
  // A stream belongs to one lane, so the version it has is known.
  for (let index = first, round = 0; index < commands; index += inFlight, round++) {
    const stream = names[index % streams];
    const seen = versions.get(stream);
    const { nextExpectedStreamVersion } = await store.appendToStream(
      stream,
      [{ type: 'Shown', data: { paywallId: index % 7, placementId: 'onboarding', note: 'x'.repeat(200) } }],
      { expectedStreamVersion: seen ?? 'STREAM_DOES_NOT_EXIST' },
    );
    versions.set(stream, nextExpectedStreamVersion);
  }
};
const versions = new Map();
const begun = performance.now();
await Promise.all(Array.from({ length: inFlight }, (_, first) => lane(first)));
const seconds = (performance.now() - begun) / 1000;
await store.close();
process.send({ eventsPerSecond: commands / seconds });
process.disconnect();
