import { DatabaseError } from 'pg';

/** SQLSTATE classes of rows that a database refuses as they are: data exception, integrity constraint, limit (of an index). */
const refusedRows = /^(22|23|54)/;
const programmingErrors = new Set(['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'ZodError']);

/**
 * Whether an error will come again with the same records, however often they are tried. Everything else
 * (a lost connection, a missing table, a full disk) is the infrastructure's, and passes or is mended.
 */
export function isFaultOfRecords(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code !== undefined && refusedRows.test(error.code);
  return error instanceof Error && programmingErrors.has(error.name);
}
