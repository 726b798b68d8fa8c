import assert from 'node:assert/strict';
import { beforeAll, describe, it } from '@jest/globals';
import type { Deployment } from './case.ts';
import { cases } from './cases.ts';
import { type Access, prepare } from './preparation.ts';

const caseMs = 60_000;

/** How soon is measured elsewhere: here a busy machine takes its time. */
export const patiently: NodeJS.ProcessEnv = { WRITE_DEADLINE_MS: '8000' };

/** Every sentence of the specification is a test. @param access with both tokens, to a product that runs `patiently` */
export function conformanceCases(access: () => Access): void {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await prepare(access());
  }, caseMs);

  describe.each([...new Set(cases.map(({ reference }) => reference))])('%s', (reference) => {
    it.each(cases.filter((tried) => tried.reference === reference))(
      '$sentence',
      async ({ missing, run }) => {
        assert.equal(missing(deployment), null);
        await run(deployment);
      },
      caseMs,
    );
  });
}
