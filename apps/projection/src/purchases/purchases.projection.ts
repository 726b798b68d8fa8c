import { topics } from '@paywright/contracts';
import type { ProjectionDefects } from '../defects.ts';
import type { TellContradictions } from '../following/contradictions.ts';
import { eventProjection } from '../following/event-projection.ts';
import { foldChains } from './fold-chains.ts';
import { storeLedger } from './ledger.ts';
import { loadChains, storeChains } from './purchase-chains.ts';
import { toPurchaseEntry } from './purchase-entry.ts';
import { purchaseEventsAt, storePurchaseEvents } from './purchase-events.ts';

/** What was bought, whose it is, and what it earned. A stream is a chain of purchases; a profile may have several. */
export const purchasesProjection = (defects: ProjectionDefects, tell?: TellContradictions) =>
  eventProjection(
    {
      topic: topics.purchaseEvents,
      awaited: 'chain',
      read: toPurchaseEntry,
      load: loadChains,
      eventsAt: purchaseEventsAt,
      store: (database, entries, before) => {
        const after = foldChains(entries, before);
        storeChains(database, after);
        storePurchaseEvents(database, entries);
        storeLedger(database, entries, before, after);
      },
    },
    defects,
    tell,
  );
