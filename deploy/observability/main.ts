import { isMetricsTableFresh, writeMetricsTable } from './metrics-table.ts';

/** `node deploy/observability/main.ts write` and `… check`. */
const command = process.argv[2];
if (command === 'write') await writeMetricsTable();
else if (!(await isMetricsTableFresh())) {
  console.error(
    'docs/observability.md is not what the code says. Write it with: node deploy/observability/main.ts write',
  );
  process.exitCode = 1;
}
