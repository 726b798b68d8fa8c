import { PaywallServed, topics } from '@paywright/contracts';
import { decodeEvent, type ReceivedMessage } from '@paywright/messaging/topics';
import { modelKey } from '@paywright/selection-models';
import type { Published } from './replayed.ts';

/** A draw between AI and Baseline: what chose for AI, and when the broker had it. */
export interface Chosen {
  readonly partition: number;
  readonly storedAt: number;
  readonly model: string;
  /** SHA-256 of the snapshot; null where nothing was learned. */
  readonly sha256: string | null;
  /** Of 100. */
  readonly aiWeight: number;
}

/** @param events the records of `selection.events` */
export function chosenOf(events: readonly ReceivedMessage[]): readonly Chosen[] {
  return events.flatMap((record): readonly Chosen[] => {
    const event = decodeEvent(record);
    if (record.topic !== topics.selectionEvents || event.type !== PaywallServed.type) return [];
    const { appId, weighing } = PaywallServed.body.parse(event.body);
    if (weighing === undefined) return [];
    const [, sha256 = null] = /^learned-\d+:(.+)$/.exec(weighing.policy) ?? [];
    const model = modelKey({ appId, model: weighing.model });
    return [{ partition: record.partition, storedAt: record.timestamp, model, sha256, aiWeight: weighing.aiWeight }];
  });
}

/**
 * How many milliseconds after a snapshot was published somebody's choice was its work, or a newer one's; null if
 * nobody's was.
 * @param snapshots of its model, in the order in which they were published
 * @param chosen by those who serve, in any order
 */
export function servedAfterMs(
  snapshot: Published,
  snapshots: readonly Published[],
  chosen: readonly Chosen[],
): number | null {
  const place = snapshots.findIndex(({ sha256 }) => sha256 === snapshot.sha256);
  const fresh = new Set(snapshots.slice(place).map(({ sha256 }) => sha256));
  const model = modelKey(snapshot);
  const times = chosen.filter((one) => one.model === model && one.sha256 !== null && fresh.has(one.sha256));
  return times.length === 0 ? null : Math.min(...times.map(({ storedAt }) => storedAt)) - snapshot.storedAt;
}
