import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');

it.each([
  ['tests/demo-year/run.ts', 'npm run demo:year'],
  ['tests/torture/run.ts', 'npm run torture'],
  ['tests/rolling/run.ts', 'npm run rolling'],
  ['tests/replay/run.ts', 'npm run replay:open-bandit'],
  ['tests/conformance/run.ts', 'npm run conformance'],
  ['bench/run.ts', 'npm run bench'],
  ['bench/selection/run.ts', 'npm run bench:selection'],
])('%s says which flags there are, where it does not know one', (program, usage) => {
  const args = ['--disable-warning=ExperimentalWarning', join(root, program), '--nonesuch'];
  const refusal = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root });
  expect(refusal).toMatchObject({ status: 2, stdout: '' });
  expect(refusal.stderr).toMatch(/^Unknown option '--nonesuch'/);
  expect(refusal.stderr).toContain(usage);
  expect(refusal.stderr).not.toContain('node:internal');
});
