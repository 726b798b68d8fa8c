import { intArray, textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { PurchaseClaimed, PurchaseReleased, PurchaseValidated } from '@paywright/contracts';
import type { EventsAt } from '../following/contradictions.ts';
import type { Placed } from '../following/sift.ts';
import {
  deleteOwners,
  insertPurchaseEvents,
  insertReports,
  selectEventsAt,
  upsertOwners,
} from './purchase-event.sql.ts';
import type { PurchaseEntry } from './purchase-entry.ts';

/** Stores the events as they are, by chain, and on whose timelines they are: so a claim moves none of them. */
export function storePurchaseEvents(database: Transaction, entries: readonly PurchaseEntry[]): void {
  const owners = ownersAfter(entries);
  storeEvents(database, entries);
  storeOwners(
    database,
    owners.filter(({ released }) => !released),
  );
  removeOwners(
    database,
    owners.filter(({ released }) => released),
  );
  storeReports(database, entries);
}

/** What is stored at these places. */
export const purchaseEventsAt: EventsAt = async (database, places) => {
  const { rows } = await database.query<Placed>({
    name: 'select-purchase-events-at',
    text: selectEventsAt,
    values: [uuidArray(places.map(({ stream }) => stream)), intArray(places.map(({ streamVersion }) => streamVersion))],
  });
  return rows;
};

function storeEvents(database: Transaction, entries: readonly PurchaseEntry[]): void {
  database.send({
    name: 'insert-purchase-events',
    text: insertPurchaseEvents,
    values: [
      uuidArray(entries.map(({ stream }) => stream)),
      uuidArray(entries.map(({ event }) => event.id)),
      timeArray(entries.map(({ event }) => event.time)),
      intArray(entries.map(({ streamVersion }) => streamVersion)),
      intArray(entries.map(({ event }) => event.body.appId)),
      textArray(entries.map(({ event }) => event.type)),
      textArray(entries.map(({ json }) => json)),
    ],
  });
}

interface OwnerRow {
  readonly profileId: string;
  readonly chainId: string;
  readonly lostVersion: number | null;
  readonly released: boolean;
}

/** Of each profile and chain of which the events tell, how it stands after the last of them. */
function ownersAfter(entries: readonly PurchaseEntry[]): readonly OwnerRow[] {
  const owners = new Map<string, OwnerRow>();
  const set = (row: OwnerRow) => owners.set(`${row.profileId} ${row.chainId}`, row);
  for (const { stream: chainId, streamVersion, event } of entries) {
    if (event.type === PurchaseReleased.type)
      set({ profileId: event.body.formerProfileId, chainId, lostVersion: null, released: true });
    if (event.type !== PurchaseClaimed.type) continue;
    const { profileId, formerProfileId } = event.body;
    if (formerProfileId !== null)
      set({ profileId: formerProfileId, chainId, lostVersion: streamVersion, released: false });
    set({ profileId, chainId, lostVersion: null, released: false });
  }
  return [...owners.values()];
}

function storeOwners(database: Transaction, owners: readonly OwnerRow[]): void {
  if (owners.length === 0) return;
  database.send({
    name: 'upsert-owners',
    text: upsertOwners,
    values: [
      uuidArray(owners.map(({ profileId }) => profileId)),
      uuidArray(owners.map(({ chainId }) => chainId)),
      intArray(owners.map(({ lostVersion }) => lostVersion)),
    ],
  });
}

function removeOwners(database: Transaction, owners: readonly OwnerRow[]): void {
  if (owners.length === 0) return;
  database.send({
    name: 'delete-owners',
    text: deleteOwners,
    values: [uuidArray(owners.map(({ profileId }) => profileId)), uuidArray(owners.map(({ chainId }) => chainId))],
  });
}

function storeReports(database: Transaction, entries: readonly PurchaseEntry[]): void {
  const reports = entries.filter(({ event }) => event.type === PurchaseValidated.type);
  if (reports.length === 0) return;
  database.send({
    name: 'insert-reports',
    text: insertReports,
    values: [
      uuidArray(reports.map(({ event }) => event.body.profileId)),
      uuidArray(reports.map(({ stream }) => stream)),
      intArray(reports.map(({ streamVersion }) => streamVersion)),
    ],
  });
}
