import { describe, expect, it } from '@jest/globals';
import { Arena } from './arena/arena.ts';
import { brokenBuilds } from './broken-builds.ts';
import { torture } from './torture.ts';

const patient = 600_000;

/** What a checker does not find where it is there, it does not find anywhere. */
describe('a build that is broken on purpose is caught', () => {
  it.each(brokenBuilds)(
    '$defect',
    async ({ defect, strikes, invariants, durationMs, repeatMs }) => {
      const arena = await Arena.open({ defects: defect });
      try {
        const plan = {
          seed: process.env['FAULT_SEED'] ?? 'broken',
          clients: 4,
          customers: 1,
          onStrike: () => undefined,
        };
        const { struck, findings } = await torture(arena, {
          ...plan,
          durationMs,
          nemeses: [strikes],
          ...(repeatMs !== undefined && { repeatMs }),
        });
        expect(struck).not.toEqual([]);
        expect(findings.map(({ invariant }) => invariant)).toContainEqual(
          expect.stringMatching(`^(${invariants.join('|')})$`),
        );
      } finally {
        await arena.close();
      }
    },
    patient,
  );
});
