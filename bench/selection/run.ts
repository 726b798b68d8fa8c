import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { keeps, table, type Figure } from '../figure.ts';
import { chart } from './chart.ts';
import { checkFigures } from './checks/checks.ts';
import { measure, type Measured } from './measure.ts';
import { installVowpal, VowpalProcess } from './peers/vowpal-process.ts';
import { engineName, linesOf, summaryTable } from './summary.ts';
import { targetFigures } from './targets.ts';
import { scenarios, type Scenario } from './world/scenarios.ts';
import { isWholeNumber, programFlags, refuseFlags } from '../../tests/stack/program-flags.ts';

/** Worlds that nothing was tuned on: tuning used seeds of another name. */
const judgingSeed = (index: number) => `judging ${index}`;
const resultsFolder = new URL('../results/', import.meta.url);

const usage = `Lets the engine and others earn in simulated worlds: the same people, the same fates.

  npm run bench:selection                              every scenario, ten worlds each, and the checks
  npm run bench:selection -- --quick                   a look, in less than a minute
  npm run bench:selection -- --scenario S1,S5 --seeds 3 --peers
  npm run bench:selection -- --report                  the table of what was measured so far

--scenario   of these: ${scenarios.map(({ name, about }) => `\n             ${name.padEnd(4)} ${about}`).join('')}
--seeds N    worlds a scenario, from --first; their seeds are fixed
--first N    the first of them (default 0)
--impressions S   times the impressions of every scenario (default 1)
--rebuilt    beside the engine the same one, made anew every night and promoted as in production
--careful    beside the engine the same one, held to a quarter of its traffic for the first two weeks
--peers      with Vowpal Wabbit: needs Python 3.10 to 3.13
--checks     the checks alone: speed, costs, off-policy estimates, false alarms, draws
--keep       adds to what was measured before (same size only)`;

const values = programFlags(
  {
    scenario: { type: 'string' },
    seeds: { type: 'string', default: '10' },
    first: { type: 'string', default: '0' },
    impressions: { type: 'string', default: '1' },
    rebuilt: { type: 'boolean', default: false },
    careful: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    checks: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  usage,
);
const variations = [...(values.rebuilt ? [{ rebuilt: true }] : []), ...(values.careful ? [{ carefulDays: 14 }] : [])];
const say = (line: string): void => console.log(line);
/** A quick look leaves what was measured in full as it is. */
const resultsName = values.quick ? 'selection-quick' : 'selection';
const resultsFile = new URL(`${resultsName}.json`, resultsFolder);
const chartFile = new URL(`${resultsName}.svg`, resultsFolder);

interface Results {
  readonly measured: readonly Measured[];
  readonly checks: readonly Figure[];
}

function earlier(): Results {
  if (!existsSync(resultsFile)) return { measured: [], checks: [] };
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

function write({ measured, checks }: Results): void {
  mkdirSync(resultsFolder, { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  writeFileSync(
    resultsFile,
    `${JSON.stringify({ machine, measured, checks, targets: targetFigures(measured) }, null, 1)}\n`,
  );
  writeFileSync(chartFile, chart(allLines(measured)));
}

const allLines = (measured: readonly Measured[]) =>
  scenarios.flatMap(({ name }) => (measured.some(({ scenario }) => scenario === name) ? linesOf(name, measured) : []));

function report({ measured, checks }: Results): void {
  const figures = [...targetFigures(measured), ...checks];
  say(`\n${summaryTable(allLines(measured))}`);
  if (figures.length > 0) say(`\n${table(figures)}`);
  say(`\nWritten to bench/results/${resultsName}.json and .svg`);
  if (figures.some((figure) => keeps(figure.must, figure) === false)) process.exitCode = 1;
}

/** The same world measured again takes the place of what was known of it; contenders of other runs stay beside. */
function join(before: readonly Measured[], fresh: Measured): readonly Measured[] {
  const isSame = (one: Measured) => one.scenario === fresh.scenario && one.seed === fresh.seed && one.impressions === fresh.impressions; // prettier-ignore
  const known = before.find(isSame)?.scores ?? [];
  const kept = known.filter(({ name }) => fresh.scores.every((score) => score.name !== name));
  return [...before.filter((one) => !isSame(one)), { ...fresh, scores: [...fresh.scores, ...kept] }];
}

async function measureWorlds(
  chosen: readonly Scenario[],
  seeds: readonly string[],
  size: number,
  before: Results,
): Promise<Results> {
  const problem = values.peers ? installVowpal(say) : 'not asked for: add --peers';
  say(problem === null ? 'With Vowpal Wabbit.' : `\n*** WITHOUT VOWPAL WABBIT: ${problem} ***`);
  await using vowpal = problem === null ? new VowpalProcess() : null;
  let results = before;
  for (const seed of seeds) {
    for (const scenario of chosen) {
      const fresh = await measure(scenario, seed, size, vowpal, variations);
      results = { ...results, measured: join(results.measured, fresh) };
      const short = fresh.scores.map(({ name, ofBest }) => `${name} ${ofBest.toFixed(3)}`).join(', ');
      const engine = fresh.scores.find(({ name }) => name === engineName);
      say(`${scenario.name}, ${seed}: ${short}  (${engine?.seconds.toFixed(0)} s)`);
      write(results);
    }
  }
  return results;
}

const count = values.quick ? 2 : Number(values.seeds);
const size = values.quick ? 0.2 : Number(values.impressions);
const names = values.scenario?.split(',') ?? (values.quick ? ['S1', 'S12'] : scenarios.map(({ name }) => name));
const problem = problemOf();
if (values.help) {
  say(usage);
} else if (problem !== null) {
  refuseFlags(problem, usage);
} else if (values.report) {
  report(earlier());
} else {
  let results = values.keep ? earlier() : { measured: [], checks: [] };
  if (!values.checks) {
    const seeds = Array.from({ length: count }, (_, index) => judgingSeed(Number(values.first) + index));
    results = await measureWorlds(
      scenarios.filter(({ name }) => names.includes(name)),
      seeds,
      size,
      results,
    );
  }
  if (values.checks || (!values.quick && values.scenario === undefined)) {
    results = { ...results, checks: await checkFigures(say) };
    write(results);
  }
  report(results);
}

function problemOf(): string | null {
  const unknown = names.find((name) => scenarios.every((scenario) => scenario.name !== name));
  if (unknown !== undefined) return `There is no scenario ${unknown}.`;
  if (!isWholeNumber(values.seeds)) return '--seeds takes a whole number, 1 at least.';
  if (!isWholeNumber(values.first, 0)) return '--first takes a whole number, 0 at least.';
  return Number(values.impressions) > 0 ? null : '--impressions takes a number above 0.';
}
