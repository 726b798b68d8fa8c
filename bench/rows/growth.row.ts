import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figure.ts';
import { grow } from '../growth/grow.ts';
import { measureProfiles, rates, warmUp, type MeasuredProfiles } from '../growth/measure-profiles.ts';
import { Generator } from '../load/generator.ts';
import { onStack, withOwnData } from '../own-stack.ts';
import type { RowAlone } from '../row.ts';
import { catalog, createSubject } from '../subject.ts';

const templates = 1_000;
const attributesOfOneIn = 4;
const fewProfiles = 10_000;
const mostRatio = 1.2;

const works = [
  ['paywalls', `/paywalls at ${rates.paywalls}/s`],
  ['reads', `profile read at ${rates.reads}/s`],
] as const;

/** What few profiles took, what many took, and how many times that is. */
function figuresOf(profiles: number, few: MeasuredProfiles, many: MeasuredProfiles): readonly Figure[] {
  const among = (count: number, what: string) => `${what}, of ${count.toLocaleString('en')} profiles`;
  const figures = works.flatMap(([work, row]) =>
    (['p50', 'p99'] as const).flatMap((which): readonly Figure[] => {
      const about = { row, unit: 'ms', better: 'lower' } as const;
      const [one, other] = [few[work], many[work]];
      return [
        { ...about, what: among(fewProfiles, which), value: one[which], detail: { ...one } },
        { ...about, what: among(profiles, which), value: other[which], detail: { ...other } },
        { ...about, what: `${which}, ratio`, value: other[which] / one[which], unit: 'x', must: mostRatio },
      ];
    }),
  );
  const notServed = few.notServed + many.notServed;
  return [
    ...figures,
    { row: 'growth', what: 'failed, or by a fallback', value: notServed, unit: '', better: 'lower', must: 0 },
  ];
}

/** What was written while profiles were cloned keeps the disk busy for a while, which is not a matter of how many there are. */
const restMs = 120_000;

async function measureGrowth(dataDir: string, wanted: number, say: (line: string) => void): Promise<readonly Figure[]> {
  await using generator = new Generator();
  const [fewClones, manyClones] = [fewProfiles / templates - 1, Math.ceil(wanted / templates) - 1];
  const [subject, others] = await onStack(dataDir, async (stack) => [
    await createSubject(stack, templates, catalog, attributesOfOneIn),
    await createSubject(stack, templates), // to warm up with: clones are to have no more than one decision
  ]);
  const growTo = async (from: number, to: number): Promise<void> => {
    const profileIds = subject.users.map(({ profileId }) => profileId);
    await onStack(dataDir, ({ database }) => grow(database, profileIds, [from, to], say));
    say('  the disk rests …');
    await delay(restMs);
  };
  // Each on a product that has just been started, so that it remembers none of few profiles either.
  const measure = () =>
    onStack(dataDir, async (stack) => {
      say('  warming up …');
      await warmUp(stack, others, generator);
      say('  measuring …');
      return measureProfiles(stack, subject, generator);
    });
  await growTo(0, fewClones);
  const few = await measure();
  await growTo(fewClones, manyClones);
  const many = await measure();
  return figuresOf((manyClones + 1) * templates, few, many);
}

/** The same product with few profiles, and with many: whether what is asked of one depends on how many there are. */
export const growthRow: RowAlone = {
  name: 'growth',
  about: `/paywalls and a profile read with ${fewProfiles.toLocaleString('en')} and with --profiles profiles`,
  async measure(say, { profiles }) {
    if (profiles <= fewProfiles) throw new Error(`--profiles must be above ${fewProfiles}`);
    return withOwnData((dataDir) => measureGrowth(dataDir, profiles, say));
  },
};
