import { isMetricsTableFresh, writeMetricsTable } from './metrics-table.ts';

/** `npm run observability:write` and `npm run observability:check`. */
const command = process.argv[2];
if (command === 'write') await writeMetricsTable();
else if (!(await isMetricsTableFresh())) {
  console.error('docs/observability.md is not what the code says. Write it with: npm run observability:write');
  process.exitCode = 1;
}
