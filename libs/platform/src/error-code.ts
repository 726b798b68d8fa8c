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

/** Whether an error is, by its code, one of a server or the network that may well pass by itself. */
export function isPassingFault(error: unknown): boolean {
  const code = codeOf(error);
  return passingSqlState.test(code) || passingSqlStates.has(code) || (systemError.test(code) && !misuse.test(code));
}
