import { WrittenCatalogDocument, type CatalogDocument } from './catalog-document.ts';
import { isObject, isUsableId, pointer, type CatalogFault, type Json } from './catalog-fault.ts';
import { catalogReferenceFaults, entriesOf } from './catalog-reference-faults.ts';
import { catalogShapeFaults } from './catalog-shape-faults.ts';
import { catalogSizeFaults } from './catalog-size-faults.ts';
import {
  circularAllocationMessage,
  findCircularAllocations,
  type AllocationGraph,
} from './find-circular-allocations.ts';

/** A catalog as it was sent: `document` with every default filled in, or null where `faults` say why not. */
export interface CatalogReading {
  readonly document: CatalogDocument | null;
  readonly faults: readonly CatalogFault[];
  /** Circular allocations: no fault of the document's form, and storable by force. */
  readonly circles: readonly CatalogFault[];
}

/**
 * Everything that is wrong with a catalog, at once: its shape, the names in it, models with too many candidates,
 * and its circular allocations.
 * `revision` is ignored, so that what was read can be sent back.
 * @param json any JSON value
 */
export function findCatalogFaults(json: unknown): CatalogReading {
  if (!isObject(json)) return { document: null, faults: [{ path: '', message: 'must be an object' }], circles: [] };
  const given = Object.fromEntries(Object.entries(json).filter(([field]) => field !== 'revision'));
  const parsed = WrittenCatalogDocument.safeParse(given);
  const shape = parsed.success ? [] : catalogShapeFaults(given, parsed.error.issues);
  const faults = [...shape, ...catalogReferenceFaults(given), ...catalogSizeFaults(given)];
  return {
    document: parsed.success && faults.length === 0 ? parsed.data : null,
    faults,
    circles: findCircularAllocations(allocationsIn(given)).map(({ chain, model, entry }) => ({
      path: pointer('models', model, 'traffic', entry),
      message: circularAllocationMessage(chain),
    })),
  };
}

/** The allocations of whatever has the right shape. */
function allocationsIn(json: Json): AllocationGraph {
  const named = (list: string) =>
    entriesOf(json, list).flatMap(({ entry }) => (isUsableId(entry['id']) ? [{ id: entry['id'], entry }] : []));
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    placements: named('placements').map(({ id, entry }) => ({ id, model: text(entry['model']) })),
    models: named('models').map(({ id, entry }) => ({
      id,
      // Entries keep their places, whatever is between them.
      traffic: (Array.isArray(entry['traffic']) ? entry['traffic'] : []).map((allocation: unknown) =>
        isObject(allocation)
          ? { target: text(allocation['target']) ?? '', placement: text(allocation['placement']) ?? '' }
          : { target: '' },
      ),
    })),
  };
}
