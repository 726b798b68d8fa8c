import type { ObservedPurchase } from '@paywright/contracts';
import { type AskingScene, commandsAmong, noon } from './asking-scene.ts';

export const hour = 3_600_000;

/**
 * Lets time pass until so many hours after noon, as if somebody looked every hour for what is due.
 * @returns of each look that became due: after how many hours, and what it told
 */
export async function looksUntil(
  { clock, published, reconciliation, nextDue }: AskingScene,
  hours: number,
): Promise<readonly (readonly [at: number, told: ObservedPurchase])[]> {
  const looks: [at: number, told: ObservedPurchase][] = [];
  const end = noon + hours * hour;
  while (clock.now() < end) {
    // Of the hours in between, in which nothing is due, there are tens of thousands in one file of tests.
    const until = Math.min((await nextDue()) ?? end, end);
    clock.advance(Math.max(1, Math.ceil((until - clock.now()) / hour)) * hour);
    const before = published.length;
    await reconciliation.lookUpDue();
    for (const command of commandsAmong(published.slice(before)))
      if (command.type === 'ObservePurchase')
        looks.push([Math.round((clock.now() - noon) / hour), command.body.observation]);
  }
  return looks;
}
