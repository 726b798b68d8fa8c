import { canBeCarried, findCatalogFaults, type CatalogDocument, type CatalogFault } from '@paywright/contracts';
import { ApiError } from '../../http/api-error.ts';

/** More would make an answer longer than any reader: the message says how many there are. */
const mostDetails = 1_000;

/**
 * The catalog that was sent, with every default.
 * @param force whether circular allocations may be stored
 * @throws ApiError VALIDATION_FAILED with every fault, circular allocations among them;
 * CIRCULAR_PLACEMENT_ALLOCATION if they are all that is wrong; PAYLOAD_TOO_LARGE if defaults make it too long
 */
export function checkCatalog(body: unknown, { force }: { force: boolean }): CatalogDocument {
  const { document, faults, circles } = findCatalogFaults(body);
  const circular = force ? [] : circles;
  if (document === null) {
    const all = [...faults, ...circular];
    throw new ApiError('VALIDATION_FAILED', sentence(all), all.slice(0, mostDetails));
  }
  const [first] = circular;
  if (first !== undefined)
    throw new ApiError('CIRCULAR_PLACEMENT_ALLOCATION', first.message, circular.slice(0, mostDetails));
  if (!canBeCarried(document))
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The catalog is too long with every default: split it over apps.');
  return document;
}

function sentence(faults: readonly CatalogFault[]): string {
  const [first, ...others] = faults;
  if (first !== undefined && others.length === 0)
    return `${first.path === '' ? 'The catalog' : first.path} ${first.message}.`;
  return `The catalog has ${faults.length} faults: details names each.`;
}
