import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Arena } from './arena/arena.ts';
import { nemeses } from './nemeses.ts';
import type { Nemesis } from './nemesis.ts';

/** A build that is broken on purpose, what it takes to see that from outside, and what is seen. */
export interface BrokenBuild {
  readonly defect: string;
  /** Whom it strikes, with what, and for how long each time. */
  readonly strikes: Nemesis;
  /** One of them is found broken. */
  readonly invariants: readonly string[];
  /** Long enough for one strike. */
  readonly durationMs: number;
  /** For who would mend it by asking again: it has to show without that. */
  readonly repeatMs?: number;
}

const busyMs = 60_000;
/** So many reports behind a profile's first. */
const midway = 4;

function strikes(name: string, target = '', lastsMs = 0): Nemesis {
  const nemesis = nemeses.find((known) => known.name === name);
  if (!nemesis) throw new Error(`There is no fault ${name}.`);
  return {
    ...nemesis,
    targets: target === '' ? [] : [target],
    lastsMs: [lastsMs, lastsMs],
    async strike(arena, strike) {
      await untilBusy(arena);
      await nemesis.strike(arena, strike);
    },
  };
}

/** Until clients are in the midst of what they do: else there is nothing to lose yet. On a busy machine it takes its time. */
async function untilBusy({ stack }: Arena): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    for (const end = performance.now() + busyMs; performance.now() < end; await sleep(200)) {
      const { rows } = await client.query('select from impression.event where version > 1 limit $1', [midway]);
      if (rows.length === midway) return;
    }
  } finally {
    await client.end();
  }
}

export const brokenBuilds: readonly BrokenBuild[] = [
  { defect: 'no-inbox', strikes: strikes('deliver-again', 'commands'), invariants: ['I1'], durationMs: 6_000 },
  {
    defect: 'inbox-in-own-transaction',
    strikes: strikes('crash-at-a-point', 'impression:after_append'),
    ...{ invariants: ['I1'], durationMs: 9_000 },
  },
  {
    defect: 'append-without-version',
    strikes: strikes('deliver-again', 'commands'),
    ...{ invariants: ['I1'], durationMs: 9_000 },
  },
  {
    defect: 'no-republication',
    strikes: strikes('crash-at-a-point', 'impression:after_append'),
    ...{ invariants: ['I1'], durationMs: 9_000 },
  },
  {
    defect: 'deadline-before-inbox',
    strikes: strikes('crash-at-a-point', 'profile:after_append'),
    ...{ invariants: ['I1'], durationMs: 9_000, repeatMs: 0 },
  },
  {
    defect: 'publish-before-append',
    strikes: strikes('cut-link', 'impression↔postgres', 6_000),
    ...{ invariants: ['I1', 'I4'], durationMs: 14_000, repeatMs: 0 },
  },
  { defect: 'conflicts-for-ever', strikes: strikes('forget-inbox'), invariants: ['I6'], durationMs: 5_000 },
  {
    defect: 'commit-before-handling',
    strikes: strikes('crash-at-a-point', 'impression:after_append'),
    ...{ invariants: ['I1'], durationMs: 9_000, repeatMs: 0 },
  },
  { defect: 'parse-outside-catch', strikes: strikes('poison', 'commands'), invariants: ['I6'], durationMs: 4_000 },
  {
    defect: 'faults-are-dead-letters',
    strikes: strikes('cut-link', 'impression↔postgres', 6_000),
    ...{ invariants: ['I11'], durationMs: 14_000 },
  },
  {
    defect: 'from-latest',
    strikes: strikes('forget-offsets', 'selection', 3_000),
    ...{ invariants: ['I1', 'I6'], durationMs: 11_000 },
  },
  {
    defect: 'projection-without-stream-version',
    strikes: strikes('deliver-again', 'events'),
    ...{ invariants: ['I5'], durationMs: 6_000 },
  },
  {
    defect: 'projection-offset-outside-transaction',
    strikes: strikes('crash-at-a-point', 'projection:after_projection_commit'),
    ...{ invariants: ['I5'], durationMs: 9_000 },
  },
  { defect: 'no-parking', strikes: strikes('refuse-rows'), invariants: ['I5'], durationMs: 4_000 },
  {
    defect: 'answer-as-jsonb',
    strikes: strikes('slow-database', 'profile', 4_000),
    ...{ invariants: ['I9'], durationMs: 9_000 },
  },
];

/** What a short run from outside cannot tell from a whole build. Each is shown beside the code that it breaks. */
export const notSeenFromOutside: readonly { readonly defect: string; readonly why: string }[] = [
  {
    defect: 'idempotent-producer',
    why: 'an answer has to be lost while two messages of one partition are under way, and who asked asks again: libs/messaging',
  },
  {
    defect: 'no-fencing',
    why: 'an owner that was replaced finds offsets and stream versions moved on, which drop what it writes: apps/projection',
  },
  {
    defect: 'no-hand-off',
    why: 'a slow partition makes the others late, and nothing wrong: libs/messaging measures it',
  },
];
