import type { Store } from '@paywright/contracts';
import { credentialsSchemas, type CredentialsOf } from '@paywright/store-credentials';
import { ApiError, type ErrorDetail } from '../../http/api-error.ts';

/** More would make an answer longer than any reader: the message says how many there are. */
const mostDetails = 100;

/**
 * The credentials that were sent, if they have the store's form. Whether they open it, only the store can tell.
 * @throws ApiError VALIDATION_FAILED with every fault; none repeats what was sent
 */
export function checkCredentialsForm(store: Store, body: unknown): CredentialsOf[Store] {
  const { success, data, error } = credentialsSchemas[store].safeParse(body);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => ({ path: pointer(path), message }));
  throw new ApiError('VALIDATION_FAILED', sentence(faults), faults.slice(0, mostDetails));
}

const pointer = (path: readonly PropertyKey[]) =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function sentence(faults: readonly ErrorDetail[]): string {
  const [first, ...others] = faults;
  return first !== undefined && others.length === 0
    ? `${first.path === '' ? 'The body' : first.path}: ${first.message}.`
    : `The credentials have ${faults.length} faults: details names each.`;
}
