import { topics } from '@paywright/contracts';
import type { ProjectionDefects } from '../defects.ts';
import { eventProjection } from '../following/event-projection.ts';
import { foldChains } from './fold-chains.ts';
import { storeLedger } from './ledger.ts';
import { loadChains, storeChains } from './purchase-chains.ts';
import { toPurchaseEntry } from './purchase-entry.ts';
import { storePurchaseEvents } from './purchase-events.ts';

/** What was bought, whose it is, and what it earned. A stream is a chain of purchases; a profile may have several. */
export const purchasesProjection = (defects: ProjectionDefects) =>
  eventProjection(
    {
      topic: topics.purchaseEvents,
      awaited: 'chain',
      read: toPurchaseEntry,
      load: loadChains,
      store: (database, entries, before) => {
        const after = foldChains(entries, before);
        storeChains(database, after);
        storePurchaseEvents(database, entries);
        storeLedger(database, entries, before, after);
      },
    },
    defects,
  );
