import { describe, expect, it } from '@jest/globals';
import { addUp, chooseProjects, readJestReport, withoutTests } from './test-results.ts';

describe('chooseProjects', () => {
  it.each([
    [[], ['unit', 'simulation', 'integration', 'system'], []],
    [['long'], ['long'], []],
    [['unit'], ['unit'], []],
    [
      ['system', 'unit', 'libs/platform', '-t', 'unit'],
      ['unit', 'system'],
      ['libs/platform', '-t', 'unit'],
    ],
    [['libs/platform'], ['unit', 'simulation', 'integration', 'system'], ['libs/platform']],
  ])('of %j: %j, and %j for Jest', (args, projects, jestArguments) => {
    expect(chooseProjects(args)).toEqual({ projects, jestArguments });
  });
});

it('counts a file that could not be run as a failure', () => {
  const good = { name: '/root/a.spec.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'a' }] };
  const bad = {
    ...good,
    name: '/root/b.spec.ts',
    status: 'failed',
    assertionResults: [{ status: 'failed', fullName: 'b' }],
  };
  const broken = { name: '/root/c.spec.ts', status: 'failed', assertionResults: [] };
  const result = readJestReport({ numPassedTests: 1, testResults: [good, bad, broken] }, '/root');
  expect(result).toEqual({ passed: 1, failures: ['b.spec.ts: b', 'c.spec.ts: could not be run'] });
  expect(addUp([result, { passed: 2, failures: ['x'] }])).toMatchObject({ passed: 3, failures: { length: 3 } });
});

it('does not take a path that no test has for tests that passed', () => {
  const [none, some, broken] = [
    { passed: 0, failures: [] },
    { passed: 3, failures: [] },
    { passed: 0, failures: ['a.spec.ts: a'] },
  ];
  const asked = ['unit', 'libs/nonsuch'];
  expect(withoutTests([none, none], asked)).toEqual([{ passed: 0, failures: ['no test is of unit libs/nonsuch'] }]);
  expect(withoutTests([none, some], asked)).toEqual([none, some]);
  expect(withoutTests([none, broken], asked)).toEqual([none, broken]);
});
