import { expect, it } from '@jest/globals';
import { toldVersion } from './told-version.ts';

it.each([
  [{ version: 3 }, undefined, 3],
  [{ version: 3, edition: 1 }, undefined, 3],
  [{}, undefined, 0],
  [{ version: 3 }, 2, 2],
  [{ version: 3, edition: 1 }, 2, 2],
  [{ version: 3, edition: 2 }, 2, 3],
  [{ version: 3, edition: 3 }, 2, 3],
])('%j, where the edition is %s, tells version %d', (record, edition, version) =>
  expect(toldVersion(record, edition)).toBe(version),
);
