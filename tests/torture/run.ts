import { randomUUID } from 'node:crypto';
import { Arena } from './arena/arena.ts';
import { knownDefects } from './defects.ts';
import { nemeses, notDone } from './nemeses.ts';
import { clusterSize } from './nemeses/one-broker.ts';
import { canStrike, lackOf } from './nemesis.ts';
import { progressLine, reportOf } from './report.ts';
import { schedule } from './schedule.ts';
import { torture } from './torture.ts';
import { programFlags, refuseFlags } from '../stack/program-flags.ts';

const usage = `Starts the whole product on servers of its own, lets clients and customers work, and breaks everything around
them; then checks from outside that nothing acknowledged is lost, doubled or out of order. Status 1 if something is.

  npm run torture                                         one minute, a new seed
  npm run torture -- --minutes 30 --seed monday
  npm run torture -- --only fill-disk,freeze --seed 7
  npm run torture -- --brokers 3 --minutes 5              a cluster, of which one is struck as well as all at once
  npm run torture -- --defect no-inbox --only deliver-again   a broken build, which must be caught

  --minutes <n>     how long the faults go on (1); starting, resting and checking come on top
  --seed <text>     decides which fault strikes whom, when, and for how long: the same seed, the same schedule
  --only <names>    these faults alone
  --clients <n>     how many use the app at a time (4)
  --customers <n>   how many buy at a time (1)
  --brokers <n>     how many brokers there are: 1 (which is usual), or 3, with three replicas of everything
  --defect <names>  a build that is broken on purpose: ${knownDefects.join(', ')}
  --plan            print the schedule and end
  --keep            keep logs and data, as is done where something is wrong

Faults:
${nemeses.map(({ fault, name, about }) => `  ${fault.padEnd(4)}${name.padEnd(19)}${about}`).join('\n')}

Not done here:
${notDone.map(({ fault, what, why }) => `  ${fault.padEnd(4)}${what}: ${why}`).join('\n')}`;

const values = programFlags(
  {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    clients: { type: 'string', default: '4' },
    customers: { type: 'string', default: '1' },
    brokers: { type: 'string', default: '1' },
    defect: { type: 'string', default: '' },
    plan: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  usage,
);

const list = (text: string) => text.split(',').filter((name) => name !== '');
const problem = problemOf();
if (values.help) console.log(usage);
else if (problem !== null) refuseFlags(problem, usage);
else process.exitCode = await main();

function problemOf(): string | null {
  if (!(Number(values.minutes) > 0)) return '--minutes takes a number above 0.';
  for (const flag of ['clients', 'customers'] as const)
    if (!/^\d{1,3}$/.test(values[flag])) return `--${flag} takes a whole number below 1000.`;
  if (!['1', String(clusterSize)].includes(values.brokers)) return `--brokers takes 1 or ${clusterSize}.`;
  const names = nemeses.map(({ name }) => name);
  const unknown = list(values.only).find((name) => !names.includes(name));
  if (unknown !== undefined) return `There is no fault ${unknown}.`;
  const defect = list(values.defect).find((name) => !knownDefects.includes(name));
  return defect === undefined ? null : `There is no defect ${defect}.`;
}

async function main(): Promise<number> {
  const seed = values.seed ?? randomUUID().slice(0, 8);
  const only = list(values.only);
  const chosen = nemeses.filter(({ name }) => only.length === 0 || only.includes(name));
  const durationMs = Number(values.minutes) * 60_000;
  if (values.plan) {
    const possible = chosen.filter((nemesis) => canStrike(nemesis, Number(values.brokers)));
    const strikes = schedule(seed, durationMs, possible);
    for (const [index, strike] of strikes.entries()) console.log(progressLine(strike, index, strikes.length));
    return 0;
  }
  console.log(`Seed ${seed}. Starting the product …`);
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const arena = await Arena.open({ defects: values.defect, brokers: Number(values.brokers) });
  let keep = values.keep;
  try {
    const outcome = await torture(arena, {
      ...{ seed, durationMs, nemeses: chosen, ending: ending.signal },
      ...{ clients: Number(values.clients), customers: Number(values.customers) },
      onStrike: (strike, index, count) => console.log(progressLine(strike, index, count)),
    });
    const lacking = chosen.flatMap((nemesis) => {
      const lacks = lackOf(nemesis, arena);
      return lacks === null ? [] : [[nemesis, lacks] as const];
    });
    console.log(`\n${reportOf(seed, outcome, lacking)}`);
    // A build that is broken on purpose is to be caught; whatever else is found may not come again.
    keep ||= outcome.findings.length > 0 && values.defect === '';
    if (keep) console.log(`\nLogs and data: ${arena.folder}`);
    return outcome.findings.length === 0 ? 0 : 1;
  } finally {
    await arena.close({ keep });
  }
}
