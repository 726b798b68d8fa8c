import { intArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { ProfileErased } from '@paywright/contracts';
import { insertAudit } from '../catalog/catalog.sql.ts';
import { lockLedgerPayers } from '../purchases/ledger-payers.sql.ts';
import { schemas } from '../rebuild/schemas.ts';
import type { ProfileEntry } from './profile.projection.ts';
import { forgetAttributes, forgetPayers, forgetPersonal, selectKeptTables } from './erasures.sql.ts';

/**
 * What follows from erasures beside the profiles' own rows: nobody is in the personal rows, nor behind what was paid until
 * then, nor in the read models that are kept beside this one; and who asked for it is known. Few: a statement for each row of
 * the audit.
 */
export async function storeErasures(database: Transaction, entries: readonly ProfileEntry[]): Promise<void> {
  const erasures = entries.flatMap(({ event }) => (event.type === ProfileErased.type ? [event] : []));
  if (erasures.length === 0) return;
  const kept = await findKept(database);
  // A profile may have been erased twice in a chunk: the last time counts.
  const last = [...new Map(erasures.map((event) => [event.stream, event])).values()];
  const sorted = last.sort((a, b) => (a.stream < b.stream ? -1 : 1));
  const profileIds = uuidArray(sorted.map(({ stream }) => stream));
  const versions = intArray(sorted.map(({ streamVersion }) => streamVersion));
  const times = timeArray(sorted.map(({ body }) => body.erasedAt));
  // A rebuild, too, locks rows of people before the ledger's payers.
  for (const text of [
    forgetPersonal(),
    ...kept.profile.map((table) => forgetAttributes(table)),
    ...kept.profile_personal.map((table) => forgetPersonal(table)),
  ])
    database.send({ text, values: [profileIds, versions] });
  database.send({ text: lockLedgerPayers.alone });
  for (const text of [forgetPayers(), ...kept.ledger_entry.map((table) => forgetPayers(table))])
    database.send({ text, values: [profileIds, times] });
  for (const { id, time, stream: profileId, streamVersion, type, body } of erasures)
    database.send({
      text: insertAudit,
      values: [body.appId, streamVersion, id, new Date(time), body.actor, type, { profileId }, null],
    });
}

const tables = ['profile', 'profile_personal', 'ledger_entry'] as const;
type Table = (typeof tables)[number];

/**
 * The tables of the read model that was read before, which no event reaches, and of one that was begun, which may never go on.
 * They keep their names until the transaction ends: a switch waits for it.
 */
async function findKept(database: Transaction): Promise<Record<Table, readonly string[]>> {
  const { rows } = await database.query<{ name: Table; place: string }>(selectKeptTables, [
    [schemas.former, schemas.next],
    tables,
  ]);
  const placesOf = (table: Table) => rows.flatMap(({ name, place }) => (name === table ? [place] : []));
  return {
    profile: placesOf('profile'),
    profile_personal: placesOf('profile_personal'),
    ledger_entry: placesOf('ledger_entry'),
  };
}
