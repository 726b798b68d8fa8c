import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../build.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { kafkaRuntime } from './kafka-runtime.ts';
import {
  addUp,
  chooseProjects,
  readJestReport,
  testProjects,
  withoutTests,
  type ProjectResult,
  type TestProject,
} from './test-results.ts';

const usage = `Usage: npm test -- [projects] [path] [Jest's own]

  npm test                        all but the long ones, the cheapest first
  npm test -- unit libs/platform  one project's, of files whose path has that
  npm test -- long                those that take minutes each

Projects: ${testProjects.join(', ')}.`;

const root = findProjectRoot();
/**
 * What starts often and ends soon: Node keeps compiled what it has loaded, as it does under `npm start` and in the image,
 * and Java does without its optimizing compiler, which costs a broker more than it brings before its end.
 */
const briefLives = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'paywright-tests'),
  JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1',
};
/**
 * Where each processor has a worker of its own, V8 collects and compiles in the worker's thread: others beside it would
 * take their time of the other worker, and more of it.
 */
const singleThreaded = ['--single-threaded-gc', '--no-concurrent-recompilation'];
if (process.argv.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
const { projects, jestArguments } = chooseProjects(process.argv.slice(2));
/**
 * A suite that can share its product is run by tests/together, on one with others: a start takes as much of a processor as
 * many a suite. Where another path is named, each that is named has a product to itself, by its `.alone` file.
 */
const isTogether = jestArguments.length === 0 || jestArguments.some((argument) => argument.includes('tests/together'));
const leftOut = isTogether ? String.raw`\.alone\.e2e\.spec\.ts$` : '/tests/together/';
const reports = mkdtempSync(join(tmpdir(), 'paywright-reports-'));
const results: ProjectResult[] = [];

const built = !projects.some(startsBundles) || (await build());
if (built && projects.some(isOfProduct)) await fetchKafka();
for (const project of projects) {
  if (isOfProduct(project) && !built) {
    results.push({ passed: 0, failures: [`${project}: not run, since the services do not compile`] });
    continue;
  }
  console.log(`\n— ${project} —`);
  results.push(...(await Promise.all(partsOf(project).map((part) => resultOf(project, part)))));
}
rmSync(reports, { recursive: true });

const { passed, failures } = addUp(withoutTests(results, process.argv.slice(2)));
for (const failure of failures) console.error(`FAILED  ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

async function build(): Promise<boolean> {
  try {
    await buildAll();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

/** Once, with the checkout: each product that is started has a data folder of its own, and would fetch it into that. */
async function fetchKafka(): Promise<void> {
  const say = (line: string) => console.log(line);
  await kafkaRuntime(join(root, '.data'), say).catch(() => undefined); // what cannot start without it says so
}

/**
 * Jest's options for each run of a project that goes on beside the others. Whole, the unit tests are a run for each
 * processor, of files that lie together: workers who share them out at random each load, and compile, nearly all modules.
 */
function partsOf(project: TestProject): readonly (readonly string[])[] {
  const count = availableParallelism();
  if (project === 'system') return [[workersOf(project), `--testPathIgnorePatterns=${leftOut}`]];
  if (project !== 'unit' || jestArguments.length > 0) return [[workersOf(project)]];
  return Array.from({ length: count }, (_, index) => ['--runInBand', `--shard=${index + 1}/${count}`]);
}

async function resultOf(project: TestProject, part: readonly string[]): Promise<ProjectResult> {
  const report = join(mkdtempSync(join(reports, `${project}-`)), 'report.json');
  const status = await runJest(project, part, report);
  return readReport(project, report, status);
}

function runJest(project: TestProject, part: readonly string[], report: string): Promise<number | null> {
  const node = ['--disable-warning=ExperimentalWarning', ...(startsBundles(project) ? [] : singleThreaded)];
  const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), `--selectProjects=${project}`, '--passWithNoTests'];
  const output = ['--json', `--outputFile=${report}`, '--forceExit'];
  const run = spawn(process.execPath, [...node, ...jest, ...part, ...output, ...jestArguments], {
    cwd: root,
    stdio: ['inherit', 'ignore', 'inherit'], // the report goes to standard output too, and people read the other
    env: { ...process.env, ...(project === 'long' ? {} : briefLives), NODE_ENV: 'test' },
  });
  return new Promise((resolve) => run.once('exit', resolve));
}

function workersOf(project: TestProject): string {
  // Its tests measure: nothing runs beside them.
  if (project === 'long') return '--runInBand';
  // Each file starts the whole product and breaks it. More than half of the time it waits, until Kafka has missed a
  // dead member for 6 s and the like: two products share what processors there are, three would need their memory.
  if (project === 'system') return '--maxWorkers=2';
  // They share one Postgres and one Kafka, and more than half of the time they wait for time-outs and for each other.
  if (project === 'integration') return `--maxWorkers=${Math.max(4, availableParallelism())}`;
  // Every processor: of the runner's own accord one would be left idle.
  return '--maxWorkers=100%';
}

/** Whether tests start what is built: services, or jobs of a deployment. The others are of the sources alone. */
function startsBundles(project: TestProject): boolean {
  return project !== 'unit' && project !== 'simulation';
}

/** Whether the tests start the services. */
function isOfProduct(project: string): boolean {
  return project === 'system' || project === 'long';
}

function readReport(project: string, report: string, status: number | null): ProjectResult {
  if (!existsSync(report)) return { passed: 0, failures: [`${project}: Jest ended with status ${status}`] };
  const result = readJestReport(JSON.parse(readFileSync(report, 'utf8')), root);
  const isSilent = status !== 0 && result.failures.length === 0;
  return isSilent ? { ...result, failures: [`${project}: Jest ended with status ${status}`] } : result;
}
