import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { liveYear } from './live-year.ts';
import { noRates, ratesOf } from './compare/rates.ts';
import { findProduct } from './driver/find-product.ts';
import { comparisonTable, countsTable } from './report/tables.ts';
import { stateChart, stateSvg } from './report/state-chart.ts';
import { programFlags } from '../stack/program-flags.ts';

const usage = `Lets simulated customers of three stores live a year, and compares what the running product says of each
of them with what a small model says.

  npm run demo:year
  npm run demo:year -- --customers 200 --days 120 --seed another

  --customers <n>   how many (1000)
  --days <n>        how long (365)
  --seed <text>     the same customers for the same text (paywright)
  --rates <file>    the exchange rates that the product has, to be held against its books (deploy/rates/eurofxref-hist.csv);
                    "none": only that each row is worth its own rate
  --url, --admin-token, --simulator   of a product that is not the one of .data/runtime.json

The clock of the product moves on by as many days.`;

const values = programFlags(
  {
    customers: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
    seed: { type: 'string', default: 'paywright' },
    rates: { type: 'string', default: process.env['FX_RATES_FILE'] ?? 'deploy/rates/eurofxref-hist.csv' },
    url: { type: 'string' },
    'admin-token': { type: 'string' },
    simulator: { type: 'string' },
    help: { type: 'boolean' },
  },
  usage,
);

const dataDir = process.env['PAYWRIGHT_DATA_DIR'] ?? '.data';
const [customers, days] = [Number(values.customers), Number(values.days)];
const product = findProduct(values, dataDir);

if (values.help) {
  console.log(usage);
} else if (!(customers >= 1 && days >= 1)) {
  console.error(`--customers and --days take a number, 1 at least.\n\n${usage}`);
  process.exitCode = 2;
} else if (!product) {
  console.error('No product with simulated stores runs here. Start one in another terminal with: npm start');
  process.exitCode = 2;
} else {
  const rates = values.rates === 'none' ? noRates : ratesOf(readFileSync(values.rates, 'utf8'));
  const { seed } = values;
  const lived = await liveYear({ product, rates, customers, days, seed, run: randomUUID().slice(0, 8) });
  const { comparisons, counts, states } = lived;

  const folder = join(dataDir, 'demo-year');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'states.svg'), stateSvg(states));
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify({ customers, days, seed, ...lived }, null, 2)}\n`);

  console.log(`\nStates as the model has them, from the first day to the last:\n${stateChart(states)}`);
  console.log(`\n${countsTable(counts)}\n\n${comparisonTable(comparisons)}`);
  console.log(`\nWritten to ${folder}: states.svg, report.json`);
  const agree = comparisons.every(({ differences }) => differences.length === 0);
  console.log(agree ? 'Every profile and every ledger is as the model has it.' : 'There are differences.');
  process.exitCode = agree ? 0 : 1;
}
