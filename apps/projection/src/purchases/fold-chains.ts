import { emptyChain, evolveChain, type Chain } from '@paywright/purchases';
import type { PurchaseEntry } from './purchase-entry.ts';

/** A row of `purchase_chain`. */
export interface ChainRow {
  readonly appId: number;
  readonly version: number;
  readonly chain: Chain;
}

/** The chains that the events change, as they are after them, by chain id. Never throws. */
export function foldChains(
  entries: readonly PurchaseEntry[],
  rows: ReadonlyMap<string, ChainRow>,
): ReadonlyMap<string, ChainRow> {
  const changed = new Map<string, ChainRow>();
  for (const { stream, streamVersion: version, event } of entries) {
    const before = (changed.get(stream) ?? rows.get(stream))?.chain ?? emptyChain;
    changed.set(stream, { appId: event.body.appId, version, chain: evolveChain(before, event) });
  }
  return changed;
}
