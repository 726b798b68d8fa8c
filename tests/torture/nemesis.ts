import type { Arena } from './arena/arena.ts';

/** One blow: what is done to whom, when, and for how long. Times in milliseconds. */
export interface Strike {
  readonly nemesis: string;
  /** A service, a server or a link; empty where there is nothing to choose. */
  readonly target: string;
  /** After the start of the run. */
  readonly atMs: number;
  /** Until what was broken is mended again. */
  readonly lastsMs: number;
}

/** A way to break things, and to mend them again. */
export interface Nemesis {
  readonly name: string;
  /** Of the list of faults in docs/faults.md: N1 … N13. */
  readonly fault: string;
  /** What it does, for people. */
  readonly about: string;
  /** Whom it may strike; empty: there is nothing to choose. */
  readonly targets: readonly string[];
  /** Least and most of `Strike.lastsMs`. */
  readonly lastsMs: readonly [least: number, most: number];
  /** How long everything takes to be well again after that, at most and about: the next strike waits for it. */
  readonly recoversMs: number;
  /** How many brokers it takes; one if left out. */
  readonly brokers?: number;
  /** What this machine lacks for it; null where it can be done. */
  lacks(arena: Arena): string | null;
  /** Resolves when all is mended. @throws if that does not succeed */
  strike(arena: Arena, strike: Strike): Promise<void>;
}

export const lacksNothing = (): null => null;

/** Whether there are as many brokers as it takes. */
export const canStrike = ({ brokers = 1 }: Pick<Nemesis, 'brokers'>, brokerCount: number): boolean =>
  brokers <= brokerCount;

/** Why a nemesis cannot be had in an arena; null where it can. */
export const lackOf = (nemesis: Nemesis, arena: Arena): string | null =>
  canStrike(nemesis, arena.stack.allBrokers.length) ? nemesis.lacks(arena) : `--brokers ${nemesis.brokers}`;
