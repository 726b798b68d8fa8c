/** SQLSTATE classes: connection, rollback (40), resources, operator intervention, system. */
const passingSqlState = /^(08|40|53|57|58)[0-9A-Z]{3}$/;
/** Node's system errors: ECONNREFUSED, ETIMEDOUT, EPIPE, ENOTFOUND, EAI_AGAIN … */
const systemError = /^E[A-Z_]{3,}$/;
/** Node's and Zod's own misuse errors are ERR_…: those are ours. */
const misuse = /^ERR_/;

/** Whether an error with this code is one of a server or the network that may well pass by itself. */
export const isPassingFault = (code: string): boolean =>
  passingSqlState.test(code) || (systemError.test(code) && !misuse.test(code));
