import { writeOrCheck } from '../local/write-or-check.ts';
import { isMetricsTableFresh, writeMetricsTable } from './metrics-table.ts';

const stale = 'docs/observability.md is not what the code says. Write it with: npm run observability:write';

/** `npm run observability:write` and `npm run observability:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), 'deploy/observability/main.ts', {
  write: async () => {
    await writeMetricsTable();
    return [];
  },
  check: async () => ((await isMetricsTableFresh()) ? [] : [stale]),
});
