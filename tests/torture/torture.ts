import { setTimeout as sleep } from 'node:timers/promises';
import { Clients, countOf, type Crowd } from './acknowledged.ts';
import type { Arena } from './arena/arena.ts';
import { checkAll } from './check-all.ts';
import type { Rebuilt } from './invariants/as-rebuilt.ts';
import type { Finding } from './invariants/finding.ts';
import { memoryBounded } from './invariants/memory-bounded.ts';
import { offsetsNeverFall } from './invariants/offsets-never-fall.ts';
import { lackOf, type Nemesis, type Strike } from './nemesis.ts';
import type { Attempt } from './probe.ts';
import { percentile } from './percentile.ts';
import { Samples } from './samples.ts';
import { schedule } from './schedule.ts';
import { unavailableMs } from './unavailable.ts';

export interface Plan extends Crowd {
  readonly seed: string;
  readonly durationMs: number;
  readonly nemeses: readonly Nemesis[];
  /** Told when a strike begins. */
  readonly onStrike: (strike: Strike, index: number, count: number) => void;
  /** Ends the run early, with all checks. */
  readonly ending?: AbortSignal;
}

/** A strike as it went. Times in milliseconds after the start of the run. */
export interface Struck extends Strike {
  readonly beganMs: number;
  /** All was mended then. */
  readonly mendedMs: number;
  /** Until the next strike began. */
  readonly unavailableMs: number;
}

export interface Outcome {
  readonly struck: readonly Struck[];
  readonly acknowledged: number;
  readonly statuses: ReadonlyMap<number | 'no answer', number>;
  readonly unavailableMs: number;
  readonly rebuilt: Rebuilt | null;
  /** The most that a process of each service held, in bytes. */
  readonly mostMemory: ReadonlyMap<string, number>;
  /** Of paywalls, beside a poisoned message and at any other moment; null where there was none. */
  readonly p99Ms: { readonly poisoned: number | null; readonly otherwise: number | null };
  readonly findings: readonly Finding[];
}

/** Lets clients work while everything that the schedule says goes wrong; then checks every invariant. */
export async function torture(arena: Arena, plan: Plan): Promise<Outcome> {
  const possible = plan.nemeses.filter((nemesis) => lackOf(nemesis, arena) === null);
  const strikes = schedule(plan.seed, plan.durationMs, possible);
  const clients = await Clients.start(arena, plan);
  const samples = new Samples(arena.stack, () => arena.rewinds);
  const start = performance.now();
  const began: { strike: Strike; began: number; mended: number }[] = [];
  let notMended: Finding | null = null;
  for (const [index, strike] of strikes.entries()) {
    if (!(await pauseUntil(start + strike.atMs, plan.ending))) break;
    plan.onStrike(strike, index, strikes.length);
    const at = performance.now();
    notMended = await strikeOnce(arena, possible, strike);
    began.push({ strike, began: at, mended: performance.now() });
    if (notMended) break;
  }
  if (!notMended) await pauseUntil(start + plan.durationMs, plan.ending);
  const end = performance.now(); // who still waits for an answer asks for nothing more
  await samples.stop();
  const told = await clients.stop();
  const { answeredAt, attempts, history } = told;
  const struck = began.map(({ strike, ...at }, index) => ({
    ...strike,
    beganMs: at.began - start,
    mendedMs: at.mended - start,
    unavailableMs: unavailableMs(answeredAt, at.began, began[index + 1]?.began ?? end),
  }));
  const { findings, rebuilt } = await checkAll(arena, told, plan.seed);
  return {
    struck,
    acknowledged: countOf(told),
    statuses: history.statuses,
    unavailableMs: unavailableMs(answeredAt, start, end),
    rebuilt,
    mostMemory: samples.mostMemory,
    p99Ms: p99BesidePoison(attempts, began),
    findings: [
      ...(notMended ? [notMended] : []),
      ...offsetsNeverFall(samples.offsets),
      ...memoryBounded(samples.mostMemory),
      ...findings,
    ],
  };
}

/** Beside poison: from when it was appended until the next strike. */
function p99BesidePoison(
  attempts: readonly Attempt[],
  began: readonly { readonly strike: Strike; readonly began: number }[],
): Outcome['p99Ms'] {
  const isPoisoned = ({ askedAt }: Attempt) =>
    began.findLast((strike) => strike.began <= askedAt)?.strike.nemesis === 'poison';
  const { true: beside = [], false: others = [] } = Object.groupBy(attempts, (attempt) => `${isPoisoned(attempt)}`);
  const p99 = (of: readonly Attempt[]) =>
    percentile(
      of.map(({ askedAt, endedAt }) => endedAt - askedAt),
      0.99,
    );
  return { poisoned: p99(beside), otherwise: p99(others) };
}

async function strikeOnce(arena: Arena, nemeses: readonly Nemesis[], strike: Strike): Promise<Finding | null> {
  try {
    await nemeses.find(({ name }) => name === strike.nemesis)?.strike(arena, strike);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { invariant: 'I6', kind: 'wrong', sentence: `${strike.nemesis} ${strike.target} was not mended: ${reason}` };
  }
}

/** @returns false if the run is to end before that */
async function pauseUntil(at: number, ending: AbortSignal | undefined): Promise<boolean> {
  await sleep(Math.max(0, at - performance.now()), undefined, ending && { signal: ending }).catch(() => undefined);
  return ending?.aborted !== true;
}
