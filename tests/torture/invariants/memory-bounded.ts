import type { Finding } from './finding.ts';

/** Of one process, in bytes: the most that the chart gives one of them. */
export const mostMemory = 768 * 2 ** 20;

/** I12: no service grows without bound. @param held the most that a process of each held, in bytes */
export const memoryBounded = (held: ReadonlyMap<string, number>): readonly Finding[] =>
  [...held]
    .filter(([, bytes]) => bytes > mostMemory)
    .map(([service, bytes]) => ({
      ...({ invariant: 'I12', kind: 'wrong' } as const),
      sentence: `${service} held ${Math.round(bytes / 2 ** 20)} MiB`,
    }));
