import { observe } from '../faults/observe.ts';
import type { Acknowledged } from './acknowledged.ts';
import type { Arena } from './arena/arena.ts';
import { untilCommandsAreHandled } from './at-rest.ts';
import { deadLettersAsInjected } from './invariants/dead-letters-as-injected.ts';
import { decisionsReplay } from './invariants/decisions-replay.ts';
import type { Finding } from './invariants/finding.ts';
import { findingsOfProfiles } from './invariants/of-profiles.ts';
import { trueBooks } from './invariants/true-books.ts';

/** Waits for rest, then holds what was acknowledged against all that can be seen from outside. */
export async function checkAll(arena: Arena, told: Acknowledged, seed: string): Promise<readonly Finding[]> {
  const found = await checkAtRest(arena, told, seed);
  return [...arena.stack.takeDeaths().map(standstill), ...found];
}

async function checkAtRest({ stack, poisoned }: Arena, told: Acknowledged, seed: string): Promise<readonly Finding[]> {
  const [gateway] = stack.gateways;
  if (gateway === undefined) return [standstill('no gateway runs')];
  try {
    await untilCommandsAreHandled(stack);
    const books = await trueBooks(told, stack);
    return [
      ...findingsOfProfiles(told.history, await observe(stack)),
      ...(await decisionsReplay(told.history, gateway, seed)),
      ...(await deadLettersAsInjected(stack.databaseUrl, poisoned)),
      ...books,
    ];
  } catch (error) {
    return [standstill(error instanceof Error ? error.message : String(error))];
  }
}

/** I6: whoever ended by itself handles nothing more; and without rest nothing else can be said. */
const standstill = (sentence: string): Finding => ({ invariant: 'I6', kind: 'wrong', sentence });
