import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { keeps, table, type Figure } from './figure.ts';
import { Generator } from './load/generator.ts';
import type { Bench, Row, RowAlone, Sizes } from './row.ts';
import { appendRow } from './rows/append.row.ts';
import { costRow } from './rows/cost.row.ts';
import { eventsRow } from './rows/events.row.ts';
import { floorRow } from './rows/floor.row.ts';
import { growthRow } from './rows/growth.row.ts';
import { instancesRow } from './rows/instances.row.ts';
import { memoryRow } from './rows/memory.row.ts';
import { nemesesRow } from './rows/nemeses.row.ts';
import { overloadRow } from './rows/overload.row.ts';
import { paywallsRow } from './rows/paywalls.row.ts';
import { purchasesRow } from './rows/purchases.row.ts';
import { rebuildRow } from './rows/rebuild.row.ts';
import { recoveryRow } from './rows/recovery.row.ts';
import { replayRow } from './rows/replay.row.ts';
import { roundTripRow } from './rows/round-trip.row.ts';
import { signaturesRow } from './rows/signatures.row.ts';
import { startRow } from './rows/start.row.ts';
import { tracingRow } from './rows/tracing.row.ts';
import { runningStack, startStack, type Stack } from './stack.ts';
import { createSubject, type Subject } from './subject.ts';
import { isWholeNumber, programFlags, refuseFlags } from '../tests/stack/program-flags.ts';

const rows: readonly Row[] = [
  floorRow,
  memoryRow,
  paywallsRow,
  costRow,
  eventsRow,
  roundTripRow,
  appendRow,
  signaturesRow,
  overloadRow,
  recoveryRow,
];
const rowsAlone: readonly RowAlone[] = [
  purchasesRow,
  replayRow,
  tracingRow,
  instancesRow,
  nemesesRow,
  rebuildRow,
  growthRow,
  startRow,
];
const resultsFolder = new URL('results/', import.meta.url);
const userCount = 1_000;
const defaults: Sizes = { events: 100_000, profiles: 300_000 };

const usage = `Measures a running product, or one that it starts itself.

  npm run bench                                        every row
  npm run bench -- --only paywalls,events --seconds 20
  npm run bench -- --only rebuild --events 10000000    so many events (${defaults.events})
  npm run bench -- --only growth --profiles 10000000   so many profiles (${defaults.profiles})

Rows: ${[...rows, ...rowsAlone].map(({ name, about }) => `\n  ${name.padEnd(12)}${about}`).join('')}`;

function write(figures: readonly Figure[]): void {
  mkdirSync(resultsFolder, { recursive: true });
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, memoryBytes: totalmem(), node: process.version };
  const content = JSON.stringify({ time: new Date().toISOString(), machine, figures }, null, 2);
  writeFileSync(new URL('latest.json', resultsFolder), `${content}\n`);
}

type Collect = (row: { name: string; about: string }, measure: () => Promise<readonly Figure[]>) => Promise<void>;

/** Rows of a running product: the one on this data folder, or one that is started and stopped here. */
async function measureRunning(chosen: readonly Row[], running: Stack | null, collect: Collect): Promise<void> {
  const started = running ? null : await startStack(dataDir);
  const stack = running ?? started?.stack;
  if (!stack || chosen.length === 0) return;
  await using generator = new Generator();
  let subject: Promise<Subject> | undefined;
  const bench: Bench = {
    ...{ dataDir, stack, generator, seconds: Number(values.seconds), say },
    subject: () => (subject ??= createSubject(stack, userCount)),
  };
  try {
    for (const row of chosen) await collect(row, () => row.measure(bench));
  } finally {
    await started?.stop();
  }
}

async function measureAll(only: readonly string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  const isChosen = ({ name }: { name: string }) => only.length === 0 || only.includes(name);
  const collect: Collect = async (row, measure) => {
    say(`\n${row.name}: ${row.about}`);
    try {
      figures.push(...(await measure()));
    } catch (error) {
      say(`  not measured: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
    write(figures);
  };
  const running = runningStack(dataDir);
  const chosen = rows.filter(isChosen);
  if (chosen.length > 0) await measureRunning(chosen, running, collect);
  for (const row of rowsAlone.filter(isChosen)) {
    if (running) say(`\n${row.name}: not measured, since it starts products of its own: stop this one first`);
    else await collect(row, () => row.measure(say, sizes));
  }
  return figures;
}

const values = programFlags(
  {
    only: { type: 'string' },
    seconds: { type: 'string', default: '30' },
    events: { type: 'string', default: String(defaults.events) },
    profiles: { type: 'string', default: String(defaults.profiles) },
    help: { type: 'boolean' },
  },
  usage,
);
const sizes: Sizes = { events: Number(values.events), profiles: Number(values.profiles) };
const only = values.only?.split(',') ?? [];
const known = [...rows, ...rowsAlone].map(({ name }) => name);
const dataDir = process.env['PAYWRIGHT_DATA_DIR'] ?? '.data';
const say = (line: string): void => console.log(line);

const problem = problemOf();
if (values.help) {
  say(usage);
} else if (problem !== null) {
  refuseFlags(problem, usage);
} else {
  const figures = await measureAll(only);
  say(`\n${table(figures)}\n\nWritten to bench/results/latest.json`);
  if (figures.some((figure) => keeps(figure.must, figure) === false)) process.exitCode = 1;
}

function problemOf(): string | null {
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) return `There is no row ${unknown}.`;
  if (!(Number(values.seconds) >= 1)) return '--seconds takes a number, 1 at least.';
  const noCount = (['events', 'profiles'] as const).find((flag) => !isWholeNumber(values[flag]));
  return noCount === undefined ? null : `--${noCount} takes a whole number, 1 at least.`;
}
