import type { Figure } from '../figure.ts';
import { Generator } from '../load/generator.ts';
import { searchRate } from '../load/search-rate.ts';
import { onOwnStack } from '../own-stack.ts';
import type { RowAlone } from '../row.ts';
import type { Stack } from '../stack.ts';
import { createSubject, paywallFetches } from '../subject.ts';

const rate = 300;
const warmUpSeconds = 30;
const seconds = 20;
const p99BelowMs = 100;
const userCount = 1_000;

async function measureInstances(stack: Stack, count: number, say: (line: string) => void): Promise<readonly Figure[]> {
  await using generator = new Generator();
  const subject = await createSubject(stack, userCount);
  const moreUrls = stack.gateways.filter((gateway) => gateway !== stack.gateway);
  const requests = { ...paywallFetches(stack, subject), moreUrls, connections: 64 };
  const steady = await generator.run({ ...requests, rate, warmUpSeconds, seconds });
  const top = await searchRate({
    job: { ...requests, connections: 256 },
    run: (job) => generator.run(job),
    p99BelowMs,
    startRate: 400,
    stepSeconds: 8,
    say,
  });
  const row = `/paywalls, ${count} of gateway and selection`;
  const detail = { steady, top };
  return [
    { row, what: `at ${rate}/s, p50`, value: steady.p50, unit: 'ms', better: 'lower', detail },
    { row, what: `at ${rate}/s, p99`, value: steady.p99, unit: 'ms', better: 'lower', detail },
    {
      row,
      what: `highest rate with p99 < ${p99BelowMs} ms`,
      value: top?.rate ?? 0,
      unit: '/s',
      better: 'higher',
      detail,
    },
  ];
}

/**
 * Whether more instances cost or gain. All share the machine: where its cores are full with one of each, more can only
 * show what they cost; what they gain needs machines of their own.
 */
export const instancesRow: RowAlone = {
  name: 'instances',
  about: '/paywalls with one, two and four gateways and selection services on this machine',
  async measure(say) {
    const figures: Figure[] = [];
    for (const count of [1, 2, 4]) {
      say(`  ${count} of each …`);
      const options = ['--instances', `gateway=${count},selection=${count}`];
      figures.push(...(await onOwnStack((stack) => measureInstances(stack, count, say), { options })));
    }
    return figures;
  },
};
