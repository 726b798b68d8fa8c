import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { ProgramRun } from './run-in-turn.ts';

const root = join(import.meta.dirname, '..', '..');

/** A program, and the command that its usage begins with. */
const programs = [
  ['tests/demo-year/run.ts', 'npm run demo:year'],
  ['tests/torture/run.ts', 'npm run torture'],
  ['tests/rolling/run.ts', 'npm run rolling'],
  ['tests/replay/run.ts', 'npm run replay:open-bandit'],
  ['tests/conformance/run.ts', 'npm run conformance'],
  ['bench/run.ts', 'npm run bench'],
  ['deploy/reseal/main.ts', 'node dist/deploy/reseal/main.js'],
  ['bench/selection/run.ts', 'npm run bench:selection'],
  ['tests/helm/render.ts', 'npm run helm:render'],
] as const;

const asked = [
  ['deploy/local/test.ts', ['--help'], 'npm test -- unit'],
  ['deploy/local/test.ts', ['unit', '--help'], 'npm test -- unit'],
  ['tests/helm/render.ts', ['--help'], 'npm run helm:render'],
  ['bench/selection/rebuild-cost.ts', ['--help'], 'npm run bench:rebuild'],
  ['deploy/reseal/main.ts', ['--help'], 'node dist/deploy/reseal/main.js'],
] as const;

const refused = [
  ['bench/selection/rebuild-cost.ts', ['many'], /^many is no number of exposures.*\n\n.*npm run bench:rebuild/s],
  ['bench/selection/rebuild-cost.ts', ['999'], /^999 is no number of exposures/],
  ['bench/selection/rebuild-cost.ts', ['2000', '3000'], /^2000 3000 is no number of exposures/],
  ['bench/selection/rebuild-cost.ts', ['--nonesuch'], /^--nonesuch is no number of exposures/],
  [
    'tests/replay/run.ts',
    ['--limit', 'x'],
    /^--limit takes a whole number, 1 at least\.\n\n.*npm run replay:open-bandit/s,
  ],
  ['tests/replay/run.ts', ['--concurrency', '0'], /^--concurrency takes a whole number, 1 at least\./],
  ['tests/rolling/run.ts', ['--per-second', 'x'], /^--per-second takes a number above 0\.\n\n.*npm run rolling/s],
  ['tests/torture/run.ts', ['--minutes', 'x'], /^--minutes takes a number above 0\.\n\n.*npm run torture/s],
  ['tests/conformance/run.ts', [], /^--url takes the address of a gateway, .*\n\n.*npm run conformance/s],
  ['tests/conformance/run.ts', ['--url', '127.0.0.1:3000', '--key', 'k'], /^--url takes the address of a gateway, /],
  ['tests/conformance/run.ts', ['--url', 'http://127.0.0.1:2'], /^One of --key and --admin-token opens it\.\n\n/],
  [
    'tests/conformance/run.ts',
    ['--url', 'http://127.0.0.1:2', '--key', 'k'],
    /^Nothing answers at http:\/\/127\.0\.0\.1:2: /,
  ],
  ['tests/replay/run.ts', ['--file', 'nope'], /^There is no file nope\.\n\n/],
  ['bench/run.ts', ['--only', 'nope'], /^There is no row nope\.\n\n.*npm run bench/s],
  ['bench/run.ts', ['--events', '0.5'], /^--events takes a whole number, 1 at least\.\n\n/],
  ['bench/selection/run.ts', ['--scenario', 'S1,S99'], /^There is no scenario S99\.\n\n.*npm run bench:selection/s],
  ['bench/selection/run.ts', ['--first', 'x'], /^--first takes a whole number, 0 at least\.\n\n/],
  ['tests/rolling/run.ts', ['--from', 'no-such-version'], /^no-such-version is no commit or tag of this clone\.\n$/],
] as const;

const unknown = '--nonesuch';
/** By program, the arguments of all of its runs, and once it has run, how they ended: a process for each program. */
const lists = Map.groupBy(
  [
    ...programs.map(([program]) => ({ program, args: [unknown] as readonly string[] })),
    ...[...asked, ...refused].map(([program, args]) => ({ program, args: args })),
  ],
  ({ program }) => program as string,
);
const ended = new Map<string, readonly ProgramRun[]>();

function run(program: string, args: readonly string[]): ProgramRun {
  const all = (lists.get(program) ?? []).map((one) => one.args);
  const runs = ended.get(program) ?? runInTurn(program, all);
  ended.set(program, runs);
  return runs[all.findIndex((one) => String(one) === String(args))]!;
}

function runInTurn(program: string, all: readonly (readonly string[])[]): readonly ProgramRun[] {
  const node = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'run-in-turn.ts')];
  const child = spawnSync(process.execPath, [...node, join(root, program), JSON.stringify(all)], {
    encoding: 'utf8',
    cwd: root,
    timeout: 60_000, // one that refuses nothing begins its work
  });
  expect(child).toMatchObject({ status: 0, stderr: '' });
  return JSON.parse(child.stdout);
}

it.each(programs)('%s says which flags there are, where it does not know one', (program, usage) => {
  const refusal = run(program, [unknown]);
  expect(refusal).toMatchObject({ status: 2, stdout: '' });
  expect(refusal.stderr).toMatch(/^Unknown option '--nonesuch'/);
  expect(refusal.stderr).toContain(usage);
  expect(refusal.stderr).not.toContain('node:internal');
});

it.each(asked)('%s %j says what it takes, and does nothing', (program, args, usage) => {
  expect(run(program, args)).toMatchObject({ status: 0, stdout: expect.stringContaining(usage), stderr: '' });
});

it.each(refused)('%s %j is refused with what is wrong', (program, args, reason) => {
  expect(run(program, args)).toMatchObject({ status: 2, stderr: expect.stringMatching(reason) });
});
