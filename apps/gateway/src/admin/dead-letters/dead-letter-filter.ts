import { deadLetterStatuses } from '@paywright/contracts';
import type { DeadLetterFilter } from '@paywright/read-model';
import { validationFailed } from '../../http/api-error.ts';
import { isText, maxTextLength } from '../../validation/text.ts';
import type { Query } from '../listing.ts';

/** What of the list is asked for. @throws ApiError VALIDATION_FAILED */
export function deadLetterFilter({ group, topic, appId, status }: Query): DeadLetterFilter {
  return {
    group: textOf('group', group),
    topic: textOf('topic', topic),
    appId: appOf(appId),
    status: statusOf(status),
  };
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || isText(value, 1, maxTextLength)) return value;
  throw validationFailed(`${name} must be a text of 1 to ${maxTextLength} characters.`);
}

/** The greatest that the database holds. */
const greatestId = 2_147_483_647;

function appOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= greatestId) return Number(value);
  throw validationFailed(`appId must be an integer from 1 to ${greatestId}.`);
}

function statusOf(value: unknown): DeadLetterFilter['status'] {
  if (value === undefined) return undefined;
  const status = deadLetterStatuses.find((known) => known === value);
  if (status) return status;
  throw validationFailed(`status must be one of ${deadLetterStatuses.join(', ')}.`);
}
