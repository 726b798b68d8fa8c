import { observe } from '../faults/observe.ts';
import type { Acknowledged } from './acknowledged.ts';
import type { Arena } from './arena/arena.ts';
import { untilCommandsAreHandled } from './at-rest.ts';
import { asRebuilt, type Rebuilt } from './invariants/as-rebuilt.ts';
import { deadLettersAsInjected } from './invariants/dead-letters-as-injected.ts';
import { decisionsReplay } from './invariants/decisions-replay.ts';
import type { Finding } from './invariants/finding.ts';
import { findingsOfProfiles } from './invariants/of-profiles.ts';
import { trueBooks } from './invariants/true-books.ts';

export interface Checked {
  readonly findings: readonly Finding[];
  /** Null where it came to no rebuild. */
  readonly rebuilt: Rebuilt | null;
}

/** Waits for rest, then holds what was acknowledged against all that can be seen from outside. */
export async function checkAll(arena: Arena, told: Acknowledged, seed: string): Promise<Checked> {
  const { findings, rebuilt } = await checkAtRest(arena, told, seed);
  return { findings: [...arena.stack.takeDeaths().map(standstill), ...findings], rebuilt };
}

async function checkAtRest({ stack, poisoned }: Arena, told: Acknowledged, seed: string): Promise<Checked> {
  const [gateway] = stack.gateways;
  if (gateway === undefined) return { findings: [standstill('no gateway runs')], rebuilt: null };
  const findings: Finding[] = [];
  /** What one check cannot say does not hide what the others find. */
  const note = async (check: () => Promise<readonly Finding[]>) => {
    try {
      findings.push(...(await check()));
    } catch (error) {
      findings.push(standstill(error instanceof Error ? error.message : String(error)));
    }
  };
  await note(() => untilCommandsAreHandled(stack).then(() => []));
  if (findings.length > 0) return { findings, rebuilt: null }; // what is on its way would look lost
  await note(() => trueBooks(told, stack));
  await note(async () => findingsOfProfiles(told.history, await observe(stack)));
  await note(() => decisionsReplay(told.history, gateway, seed));
  await note(() => deadLettersAsInjected(stack.databaseUrl, poisoned));
  let rebuilt: Rebuilt | null = null;
  await note(async () => {
    const { findings: unlike, ...figures } = await asRebuilt(stack);
    rebuilt = figures;
    return unlike;
  });
  return { findings, rebuilt };
}

/** I6: whoever ended by itself handles nothing more; and what does not come to rest cannot be looked at. */
const standstill = (sentence: string): Finding => ({ invariant: 'I6', kind: 'wrong', sentence });
