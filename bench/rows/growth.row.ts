import type { Figure } from '../figure.ts';
import { grow } from '../growth/grow.ts';
import { measureProfiles, rates, warmUp, type MeasuredProfiles } from '../growth/measure-profiles.ts';
import { Generator } from '../load/generator.ts';
import { onOwnStack } from '../own-stack.ts';
import type { RowAlone } from '../row.ts';
import type { Stack } from '../stack.ts';
import { createSubject } from '../subject.ts';

const templates = 1_000;
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

async function measureGrowth(stack: Stack, wanted: number, say: (line: string) => void): Promise<readonly Figure[]> {
  const subject = await createSubject(stack, templates);
  const profileIds = subject.users.map(({ profileId }) => profileId);
  await using generator = new Generator();
  const [fewClones, manyClones] = [fewProfiles / templates - 1, Math.ceil(wanted / templates) - 1];
  await grow(stack.database, profileIds, [0, fewClones], say);
  say('  warming up …');
  await warmUp(stack, subject, generator);
  say('  measuring …');
  const few = await measureProfiles(stack, subject, generator);
  await grow(stack.database, profileIds, [fewClones, manyClones], say);
  say('  measuring …');
  const many = await measureProfiles(stack, subject, generator);
  return figuresOf((manyClones + 1) * templates, few, many);
}

/** The same product with few profiles, and with many: whether what is asked of one depends on how many there are. */
export const growthRow: RowAlone = {
  name: 'growth',
  about: `/paywalls and a profile read with ${fewProfiles.toLocaleString('en')} and with --profiles profiles`,
  async measure(say, { profiles }) {
    if (profiles <= fewProfiles) throw new Error(`--profiles must be above ${fewProfiles}`);
    return onOwnStack((stack) => measureGrowth(stack, profiles, say));
  },
};
