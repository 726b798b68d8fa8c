import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it.each(['prepare.ts', 'reseal/main.ts'])('%s names the variables that are missing, and nothing else', (program) => {
  const env = { PATH: process.env['PATH'] };
  const refusal = spawnSync(process.execPath, [join(import.meta.dirname, program)], { encoding: 'utf8', env });
  expect(refusal).toMatchObject({ status: 1, stdout: '' });
  const [first, ...faults] = refusal.stderr.trimEnd().split('\n');
  expect(first).toBe('The configuration is not valid:');
  expect(faults.length).toBeGreaterThan(0);
  for (const fault of faults) expect(fault).toMatch(/^ {2}[A-Z_]+: is not set/);
});
