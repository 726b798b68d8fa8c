import type { Append } from './event-store.ts';

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const firstOf = (numbers: readonly number[]): number | undefined =>
  numbers.length > 0 ? Math.min(...numbers) : undefined;

/** Parts that go in one transaction. All writers touch rows in the same order, lest two wait for each other. */
export const together = (parts: readonly Append[]): Append => ({
  inbox: parts.flatMap(({ inbox }) => inbox).sort((a, b) => compare(a.commandId, b.commandId)),
  events: parts
    .flatMap(({ events }) => events)
    .sort((a, b) => compare(a.stream, b.stream) || a.streamVersion - b.streamVersion),
  personal: parts.flatMap(({ personal }) => personal).sort((a, b) => compare(a.stream, b.stream)),
  snapshots: parts.flatMap(({ snapshots }) => snapshots).sort((a, b) => compare(a.stream, b.stream)),
  epoch: firstOf(parts.flatMap(({ epoch }) => epoch ?? [])),
});

/** $1 to $13 of the append. */
export const appendParameters = ({ inbox, events }: Append): unknown[] => [
  inbox.map(({ commandId }) => commandId),
  inbox.map(({ stream }) => stream),
  inbox.map(({ firstVersion }) => firstVersion),
  inbox.map(({ lastVersion }) => lastVersion),
  inbox.map(({ reply }) => reply),
  events.map(({ stream }) => stream),
  events.map(({ streamVersion }) => streamVersion),
  events.map(({ id }) => id),
  events.map(({ type }) => type),
  events.map(({ version }) => version),
  events.map(({ time }) => time),
  JSON.stringify(events.map(({ body }) => body)),
  JSON.stringify(events.map(({ correlationId, causationId }) => ({ correlationId, causationId }))),
];

/** $14 to $21 of the append with state. */
export const stateParameters = ({ personal, snapshots }: Append): unknown[] => [
  snapshots.map(({ stream }) => stream),
  snapshots.map(({ version }) => version),
  snapshots.map(({ code }) => code),
  JSON.stringify(snapshots.map(({ state }) => state)),
  personal.map(({ stream }) => stream),
  personal.map(({ version }) => version),
  personal.map(({ erased }) => erased),
  JSON.stringify(personal.map(({ changes }) => changes)),
];
