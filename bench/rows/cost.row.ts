import type { Figure } from '../figure.ts';
import { costOfEach, productCpuSeconds } from '../processor-time.ts';
import type { Row } from '../row.ts';
import { paywallFetches } from '../subject.ts';

const rate = 300;
/** Until the compilers of the programs have seen their code run. */
const warmUpSeconds = 30;

/** Where the processor time of a fetch goes, from the gateway to the read model and the learner behind it. */
export const costRow: Row = {
  name: 'cost',
  about: `processor time of a fetch of /paywalls by program, at ${rate}/s`,
  async measure({ stack, subject, generator, seconds }) {
    const requests = { ...paywallFetches(stack, await subject()), connections: 64, rate, warmUpSeconds: 0 };
    await generator.run({ ...requests, seconds: warmUpSeconds });
    const before = productCpuSeconds(stack);
    const result = await generator.run({ ...requests, seconds });
    const costs = costOfEach(before, productCpuSeconds(stack), result.answered);
    const total = costs.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
    return [['all', total] as const, ...costs].map(([what, value]): Figure => ({
      row: 'processor time of a fetch',
      what,
      value,
      unit: 'ms',
      better: 'lower',
      detail: { ...result },
    }));
  },
};
