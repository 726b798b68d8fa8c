import { days, worldStart } from './calendar.ts';
import { stream } from './chance.ts';
import { dayMs, fields, People } from './people.ts';
import type { Scenario } from './scenarios.ts';

/** One device, one country: what a crawler looks like. */
const botFeatures = Uint8Array.of(1, 1, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** Who comes when, and what is known of them. */
export function makeCrowd(scenario: Scenario, seed: string, impressions: number) {
  const people = new People(seed, worldStart, days);
  const [when, who, bots] = [stream(seed, 'when'), stream(seed, 'who'), stream(seed, 'bots')];
  const at = new Float64Array(impressions);
  const isBot = new Uint8Array(impressions);
  const person = new Uint32Array(impressions);
  const all = new Uint8Array(impressions * fields.length);
  for (let impression = 0; impression < impressions; impression++) {
    at[impression] = Math.floor(worldStart + ((impression + when(impression)) / impressions) * days * dayMs);
    person[impression] = scenario.visits ? Math.floor((who(impression) * impressions) / scenario.visits) : impression;
    const day = (at[impression]! - worldStart) / dayMs;
    const burst = scenario.bots;
    isBot[impression] =
      burst && day >= burst.day && day < burst.day + burst.days && bots(impression) < burst.share ? 1 : 0;
    const features = all.subarray(impression * fields.length, (impression + 1) * fields.length);
    people.features(person[impression]!, at[impression]!, features);
    if (isBot[impression]) features.set(botFeatures);
  }
  const features = (impression: number) => all.subarray(impression * fields.length, (impression + 1) * fields.length);
  return { at, isBot, person, features };
}
