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
  ['tests/helm/render.ts', 'npm run helm:render'],
])('%s says which flags there are, where it does not know one', (program, usage) => {
  const args = ['--disable-warning=ExperimentalWarning', join(root, program), '--nonesuch'];
  const refusal = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root });
  expect(refusal).toMatchObject({ status: 2, stdout: '' });
  expect(refusal.stderr).toMatch(/^Unknown option '--nonesuch'/);
  expect(refusal.stderr).toContain(usage);
  expect(refusal.stderr).not.toContain('node:internal');
});

const run = (program: string, ...args: readonly string[]) => {
  const node = ['--disable-warning=ExperimentalWarning', join(root, program), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, node, { encoding: 'utf8', cwd: root });
  return { status, said: stdout + stderr };
};

it.each([
  ['deploy/local/test.ts', ['--help'], 0, 'npm test -- unit'],
  ['tests/helm/render.ts', ['--help'], 0, 'npm run helm:render'],
  ['bench/selection/rebuild-cost.ts', ['--help'], 0, 'npm run bench:rebuild'],
  ['bench/selection/rebuild-cost.ts', ['many'], 2, 'npm run bench:rebuild'],
  ['tests/rolling/run.ts', ['--from', 'no-such-version'], 2, 'no-such-version is no commit or tag of this clone.'],
])('%s %j ends with %i, and says what it takes', (program, args, status, text) => {
  const ended = run(program, ...args);
  expect(ended).toMatchObject({ status, said: expect.stringContaining(text) });
  expect(ended.said).not.toContain('node:internal');
});
