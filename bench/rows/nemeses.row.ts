import { buildAll } from '@paywright/deploy/build.ts';
import { Clients, countOf } from '../../tests/torture/acknowledged.ts';
import { Arena } from '../../tests/torture/arena/arena.ts';
import { checkAll } from '../../tests/torture/check-all.ts';
import type { Finding, Kind } from '../../tests/torture/invariants/finding.ts';
import { nemeses } from '../../tests/torture/nemeses.ts';
import type { Figure } from '../figure.ts';
import { strikeOnce, type Felt } from '../nemeses/strike-once.ts';
import { Watch } from '../nemeses/watch.ts';
import type { RowAlone } from '../row.ts';

/** Few enough that what is measured is the fault, and not the load. */
const load = { clients: 2, customers: 1 };
const seed = 'bench';
const shown = 20;

/** What the list of faults promises, by fault: of the time since the strike's begin, and of requests. */
const bounds: Readonly<Record<string, { time?: Pick<Figure, 'must' | 'aim'>; hung?: number; failed?: number }>> = {
  N1: { time: { must: 12, aim: 7 } },
  N2: { hung: 0 },
  N12: { failed: 0 },
};

function figuresOf({ nemesis, target, mendedMs, recoveredMs, asked, failed, hung }: Felt): readonly Figure[] {
  const { time, ...counts } = bounds[nemesis.fault] ?? {};
  const about = {
    ...{ row: `${nemesis.fault} ${nemesis.name} ${target}`.trimEnd(), better: 'lower' as const },
    detail: { mendedSeconds: mendedMs / 1000, asked, failed, hung },
  };
  const seconds = (ms: number) => ({ unit: 's', value: Math.max(0, ms) / 1000 });
  const bounded = [
    ...(counts.hung === undefined ? [] : [{ what: 'no answer within 2 s', value: hung, must: counts.hung }]),
    ...(counts.failed === undefined ? [] : [{ what: 'requests that failed', value: failed, must: counts.failed }]),
  ];
  return [
    { ...about, what: 'served again, of its begin', ...seconds(recoveredMs), ...time },
    { ...about, what: 'served again, of its end', ...seconds(recoveredMs - mendedMs) },
    ...bounded.map((figure) => ({ ...about, ...figure, unit: `of ${asked}` })),
  ];
}

function sums(acknowledged: number, findings: readonly Finding[]): readonly Figure[] {
  const kinds: readonly (readonly [Kind, string])[] = [
    ['lost', 'lost'],
    ['doubled', 'doubled'],
    ['wrong', 'otherwise wrong'],
  ];
  return kinds.map(([kind, what]) => {
    const found = findings.filter((finding) => finding.kind === kind);
    return {
      ...{ row: 'all faults', what, value: found.length, unit: `of ${acknowledged}`, better: 'lower', must: 0 },
      detail: { findings: found.slice(0, shown) },
    };
  });
}

async function strikeEach(arena: Arena, say: (line: string) => void): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await using watch = await Watch.open(arena);
  const started = performance.now();
  for (const [index, nemesis] of nemeses.entries()) {
    const place = `  ${index + 1} of ${nemeses.length}  ${nemesis.fault} ${nemesis.name}`;
    const lacks = nemesis.lacks(arena);
    if (lacks !== null) {
      say(`${place}: not done, needs ${lacks}`);
      continue;
    }
    const felt = await strikeOnce(arena, watch, nemesis, Math.round(performance.now() - started));
    const [mended, again] = [felt.mendedMs, felt.recoveredMs].map((ms) => (ms / 1000).toFixed(1));
    say(`${place} ${felt.target}: mended after ${mended} s, served again after ${again} s, ${felt.failed} failed`);
    figures.push(...figuresOf(felt));
  }
  return figures;
}

/** The strikes and checks of `npm run torture`, each strike once, with time to recover and a look at how long that takes. */
export const nemesesRow: RowAlone = {
  name: 'nemeses',
  about: 'each fault of npm run torture once: time until all requests succeed again, what is lost or doubled',
  async measure(say) {
    await buildAll();
    const arena = await Arena.open();
    try {
      const clients = await Clients.start(arena, load);
      const figures = await strikeEach(arena, say);
      const told = await clients.stop();
      say('  checking …');
      return [...figures, ...sums(countOf(told), (await checkAll(arena, told, seed)).findings)];
    } finally {
      await arena.close();
    }
  },
};
