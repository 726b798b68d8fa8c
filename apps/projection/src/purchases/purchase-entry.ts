import type { topics } from '@paywright/contracts';
import type { EventOn } from '../following/event-projection.ts';

export type PurchaseEvent = EventOn<typeof topics.purchaseEvents>;

/** An event of a chain, and its body as it was published. */
export interface PurchaseEntry {
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
  readonly event: PurchaseEvent;
  readonly json: Buffer;
}

export const toPurchaseEntry = (event: PurchaseEvent, json: Buffer): PurchaseEntry => ({
  id: event.id,
  stream: event.stream,
  streamVersion: event.streamVersion,
  event,
  json,
});
