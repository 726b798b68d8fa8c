import type { ProfileSearch } from '@paywright/read-model';
import { validationFailed } from '../../http/api-error.ts';
import { isText, maxTextLength } from '../../validation/text.ts';
import type { Query } from '../listing.ts';

/**
 * What is looked for: `customerUserId` as a whole, or `query` as a profile id or the beginning of a customer user id.
 * @throws ApiError VALIDATION_FAILED unless exactly one is given
 */
export function profileSearch({ customerUserId, query }: Query): ProfileSearch {
  if ((customerUserId === undefined) === (query === undefined))
    throw validationFailed('Either customerUserId or query must be given.');
  if (query === undefined) return { customerUserId: searched('customerUserId', customerUserId) };
  return { query: searched('query', query) };
}

function searched(name: string, value: unknown): string {
  if (isText(value, 1, maxTextLength)) return value;
  throw validationFailed(`${name} must be a text of 1 to ${maxTextLength} characters.`);
}
