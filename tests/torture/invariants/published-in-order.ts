import type { Finding } from './finding.ts';
import { streamOf, withoutRepeats, type KnownEvent } from './observation.ts';

/** I1, I4: every stored event is in its topic, and there in stream order once repeats are dropped. */
export function publishedInOrder(stored: readonly KnownEvent[], published: readonly KnownEvent[]): readonly Finding[] {
  const streams = Map.groupBy(published, streamOf);
  return [...Map.groupBy(stored, streamOf)].flatMap(([stream, events]): readonly Finding[] => {
    const first = withoutRepeats(streams.get(stream) ?? []);
    const ids = new Map(events.map(({ id, version }) => [version, id]));
    if (first.length !== events.length) {
      const kind = first.length < events.length ? 'lost' : 'doubled';
      return [
        { invariant: 'I1', kind, sentence: `${stream}: ${events.length} events stored, ${first.length} published` },
      ];
    }
    if (first.every(({ version, id }, index) => version === index + 1 && ids.get(version) === id)) return [];
    const order = first.map(({ version }) => version).join();
    return [{ invariant: 'I4', kind: 'wrong', sentence: `${stream}: published as ${order}` }];
  });
}
