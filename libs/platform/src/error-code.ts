/** SQLSTATE classes: connection, rollback (40), resources, operator intervention, system. */
const passingSqlState = /^(08|40|53|57|58)[0-9A-Z]{3}$/;
/**
 * A server that takes no writes: a standby, or one whose disk is nearly full; a transaction that was held up for too long; and
 * a lock that was waited for too long.
 */
const passingSqlStates: ReadonlySet<string> = new Set(['25006', '25P03', '25P04', '55P03']);
/** Node's system errors: ECONNREFUSED, ETIMEDOUT, EPIPE, ENOTFOUND, EAI_AGAIN … */
const systemError = /^E[A-Z_]{3,}$/;
/** Node's and Zod's own misuse errors are ERR_…: those are ours. */
const misuse = /^ERR_/;

/** The code that a system or a database gave an error, or its type; empty if it has neither. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'type' in error && typeof error.type === 'string' ? error.type : '';
}

/** Whether a code is one of Node's for a certificate that is not trusted: CERT_HAS_EXPIRED, UNABLE_TO_VERIFY_LEAF_SIGNATURE … */
export const isMistrust = (code: string): boolean => /CERT|SIGNATURE|HOSTNAME/.test(code);

/** What pg says, without a code, of a connection that was lost while it was asked, or gave no answer. By its exact text. */
const lostWhileAsked: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
]);

/** Whether an error is one of a server or the network that may well pass by itself. */
export function isPassingFault(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '') return error instanceof Error && lostWhileAsked.has(error.message);
  return passingSqlState.test(code) || passingSqlStates.has(code) || (systemError.test(code) && !misuse.test(code));
}

/** As Postgres makes them. Neither a system error nor the code of another library looks so. */
const sqlState = /^([0-5][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;
/** SQLSTATE classes of rows that are refused as they are: two of one key in a statement, data, constraints, limits (of an index). */
const refusedRows = /^(21|22|23|54)/;

/**
 * Whose fault an error of a database is, where statements are fixed texts. That of the `rows` will come again with the same
 * ones, however often they are tried. Every other meets any rows, until it passes or somebody mends the database: a lost
 * connection, a full disk, a table or a right that is not there. Null of an error that no database made.
 */
export function sqlFaultOf(error: unknown): 'rows' | 'database' | null {
  const code = codeOf(error);
  if (!sqlState.test(code)) return null;
  return refusedRows.test(code) ? 'rows' : 'database';
}
