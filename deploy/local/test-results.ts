import { z } from 'zod';

export const testProjects = ['unit', 'simulation', 'integration', 'system', 'long'] as const;
export type TestProject = (typeof testProjects)[number];

/** How one run of Jest ended. */
export interface ProjectResult {
  readonly passed: number;
  /** A line for each test, and for each file that could not be run. */
  readonly failures: readonly string[];
}

/** Which projects to run: those named first, all but the long one if none is; what follows is for Jest. */
export function chooseProjects(args: readonly string[]): {
  projects: readonly TestProject[];
  jestArguments: readonly string[];
} {
  const isProject = (name: string | undefined) => testProjects.some((known) => known === name);
  const end = args.findIndex((name) => !isProject(name));
  const named = end === -1 ? args : args.slice(0, end);
  const projects = testProjects.filter((project) =>
    named.length === 0 ? project !== 'long' : named.includes(project),
  );
  return { projects, jestArguments: args.slice(named.length) };
}

const JestReport = z.object({
  numPassedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/**
 * Reads what Jest writes with --json.
 * @param root taken off the front of file names
 */
export function readJestReport(report: unknown, root: string): ProjectResult {
  const { numPassedTests, testResults } = JestReport.parse(report);
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(`${root}/`, '');
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`);
    return status === 'failed' ? [`${file}: could not be run`] : [];
  });
  return { passed: numPassedTests, failures };
}

export const addUp = (results: readonly ProjectResult[]): ProjectResult => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failures: results.flatMap(({ failures }) => failures),
});

/** A path or a name that no test has is misspelt: it must not pass for tests that passed. */
export const withoutTests = (results: readonly ProjectResult[], asked: readonly string[]): readonly ProjectResult[] =>
  results.every(({ passed, failures }) => passed + failures.length === 0)
    ? [{ passed: 0, failures: [`no test is of ${asked.length > 0 ? asked.join(' ') : 'this project'}`] }]
    : results;
