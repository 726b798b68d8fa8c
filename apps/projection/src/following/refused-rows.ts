import { sqlFaultOf } from '@paywright/platform';

const programmingErrors = new Set(['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'ZodError']);

/**
 * Whether an error will come again with the same records, however often they are tried. Everything else
 * (a lost connection, a missing table, a full disk) is the infrastructure's, and passes or is mended.
 */
export function isFaultOfRecords(error: unknown): boolean {
  const fault = sqlFaultOf(error);
  if (fault !== null) return fault === 'rows';
  return error instanceof Error && programmingErrors.has(error.name);
}
