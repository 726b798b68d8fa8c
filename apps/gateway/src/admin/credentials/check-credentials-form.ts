import { pointer, problemOfMinimum, problemOfType, type Store } from '@paywright/contracts';
import { credentialsSchemas, type CredentialsOf } from '@paywright/store-credentials';
import type { z } from 'zod';
import { ApiError, type ErrorDetail } from '../../http/api-error.ts';

/** More would make an answer longer than any reader: the message says how many there are. */
const mostDetails = 100;

/**
 * The credentials that were sent, if they have the store's form. Whether they open it, only the store can tell.
 * @throws ApiError VALIDATION_FAILED with every fault; none repeats what was sent
 */
export function checkCredentialsForm(store: Store, body: unknown): CredentialsOf[Store] {
  const { success, data, error } = credentialsSchemas[store].safeParse(body, { error: problemOf });
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => ({ path: pointer(...path.map(String)), message }));
  throw new ApiError('VALIDATION_FAILED', sentence(faults), faults.slice(0, mostDetails));
}

/** What is to be mended; what a schema says itself goes before it. */
function problemOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.path?.length) return 'is required';
      return problemOfType(issue.expected);
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an address' : undefined;
    case 'too_small':
      if (issue.origin === 'string') return `must have at least ${several(issue.minimum, 'character')}`;
      return problemOfMinimum(issue);
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${several(issue.maximum, 'character')}`;
      return issue.origin === 'array'
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

const several = (count: number | bigint, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

function sentence(faults: readonly ErrorDetail[]): string {
  const [first, ...others] = faults;
  return first !== undefined && others.length === 0
    ? `${first.path === '' ? 'The body' : first.path} ${first.message}.`
    : `The credentials have ${faults.length} faults: details names each.`;
}
