import type { ObservedPurchase } from '@paywright/contracts';
import { type AskingScene, commandsAmong, noon } from './asking-scene.ts';

export const hour = 3_600_000;

/** Lets time pass until so many hours after noon. @returns of each look that became due: after how many, and what it told */
export async function looksUntil(
  { clock, published, reconciliation }: AskingScene,
  hours: number,
): Promise<readonly (readonly [at: number, told: ObservedPurchase])[]> {
  const looks: [at: number, told: ObservedPurchase][] = [];
  while (clock.now() < noon + hours * hour) {
    clock.advance(hour);
    const before = published.length;
    await reconciliation.lookUpDue();
    for (const command of commandsAmong(published.slice(before)))
      if (command.type === 'ObservePurchase')
        looks.push([Math.round((clock.now() - noon) / hour), command.body.observation]);
  }
  return looks;
}
