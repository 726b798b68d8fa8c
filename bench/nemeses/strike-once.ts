import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../../tests/torture/arena/arena.ts';
import type { Nemesis } from '../../tests/torture/nemesis.ts';
import { recoveredAt } from '../../tests/torture/recovered.ts';
import type { Watch } from './watch.ts';

/** Beyond a consumer's session of 6 s, where the nemesis goes on for so long at all. */
const usualMs = 10_000;

/** What clients felt of one strike; times in milliseconds. */
export interface Felt {
  readonly nemesis: Nemesis;
  readonly target: string;
  /** From the strike's begin until all was mended. */
  readonly mendedMs: number;
  /** From the strike's begin until every kind of request succeeded for good; 0 if none failed. */
  readonly recoveredMs: number;
  /** How many requests were asked, failed, and had no answer within 2 s. */
  readonly asked: number;
  readonly failed: number;
  readonly hung: number;
}

/** Strikes the first of the nemesis' targets, and waits until all is well. @throws if it is not mended, or nothing is well */
export async function strikeOnce(arena: Arena, watch: Watch, nemesis: Nemesis, atMs: number): Promise<Felt> {
  const [least, most] = nemesis.lastsMs;
  const target = nemesis.targets[0] ?? '';
  await watch.untilWell();
  const began = performance.now();
  await nemesis.strike(arena, {
    ...{ nemesis: nemesis.name, target, atMs },
    lastsMs: Math.min(Math.max(usualMs, least), most),
  });
  const mended = performance.now();
  await sleep(nemesis.recoversMs);
  await watch.untilWell();
  const until = performance.now();
  const within = watch.attempts.flat().filter(({ askedAt }) => askedAt >= began && askedAt < until);
  const recoveries = watch.attempts.map((attempts) => recoveredAt(attempts, began, until) ?? began);
  return {
    ...{ nemesis, target, mendedMs: mended - began, recoveredMs: Math.max(...recoveries) - began },
    asked: within.length,
    failed: within.filter(({ succeeded }) => !succeeded).length,
    hung: within.filter(({ hung }) => hung).length,
  };
}
