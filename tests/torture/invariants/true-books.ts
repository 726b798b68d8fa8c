import { faultsOfBooks } from '../../faults/purchases/books.ts';
import { adminToken, type Stack } from '../../stack/stack.ts';
import type { Acknowledged } from '../acknowledged.ts';
import type { Finding } from './finding.ts';

/** I15: each paid month is in the ledger once, to the cent, and the ledger sums up to what the topic says. */
export async function trueBooks({ appId, bought, notTaken }: Acknowledged, stack: Stack): Promise<readonly Finding[]> {
  const faults = await faultsOfBooks(stack, { appId, adminToken, bought });
  const sentences = notTaken === null ? faults : [...faults, `a purchase was not taken: ${notTaken}`];
  return sentences.map((sentence) => ({ invariant: 'I15', kind: 'wrong', sentence }));
}
