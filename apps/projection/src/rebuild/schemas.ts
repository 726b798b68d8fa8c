import { ToldError } from '@paywright/platform';
import { readModelSchema } from '@paywright/read-model';

/** The schema that services read, the one that a rebuild makes beside it, and the one that was read before. */
export const schemas = {
  live: readModelSchema,
  next: `${readModelSchema}_next`,
  former: `${readModelSchema}_former`,
} as const;

/** What was asked for is not done; the message says why, and what to do. */
export class RebuildRefused extends ToldError {
  override readonly name = 'RebuildRefused';
}
