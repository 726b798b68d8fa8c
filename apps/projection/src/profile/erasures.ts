import type { Transaction } from '@paywright/event-sourcing';
import { ProfileErased } from '@paywright/contracts';
import { insertAudit } from '../catalog/catalog.sql.ts';
import { intArray, timeArray, uuidArray } from '../columns/binary-array.ts';
import { lockLedgerPayers } from '../purchases/ledger-payers.sql.ts';
import type { ProfileEntry } from './profile.projection.ts';
import { forgetPayers, forgetPersonal } from './erasures.sql.ts';

/**
 * What follows from erasures beside the profiles' own rows: nobody is in the personal rows, nor behind what was paid until
 * then; and who asked for it is known. Few: a statement for each row of the audit.
 */
export function storeErasures(database: Transaction, entries: readonly ProfileEntry[]): void {
  const erasures = entries.flatMap(({ event }) => (event.type === ProfileErased.type ? [event] : []));
  if (erasures.length === 0) return;
  // A profile may have been erased twice in a chunk: the last time counts.
  const last = [...new Map(erasures.map((event) => [event.stream, event])).values()];
  const sorted = last.sort((a, b) => (a.stream < b.stream ? -1 : 1));
  const profileIds = uuidArray(sorted.map(({ stream }) => stream));
  const versions = intArray(sorted.map(({ streamVersion }) => streamVersion));
  const times = timeArray(sorted.map(({ body }) => body.erasedAt));
  database.send({ text: forgetPersonal, values: [profileIds, versions] });
  database.send({ text: lockLedgerPayers.alone });
  database.send({ text: forgetPayers, values: [profileIds, times] });
  for (const { id, time, stream: profileId, streamVersion, type, body } of erasures)
    database.send({
      text: insertAudit,
      values: [body.appId, streamVersion, id, new Date(time), body.actor, type, { profileId }, null],
    });
}
