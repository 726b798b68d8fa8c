import { writeOrCheck } from '../local/write-or-check.ts';
import { isMetricsTableFresh, writeMetricsTable } from './metrics-table.ts';

const stale = 'docs/observability.md is not what the code says. Write it with: npm run observability:write';

const usage = `The table of metrics in docs/observability.md, which is made from the code.

  npm run observability:write              writes it
  npm run observability:check              ends with 1 where it is not what the code says
  npm run observability:check -- --help    this text
`;

/** `npm run observability:write` and `npm run observability:check`. */
process.exitCode = await writeOrCheck(process.argv.slice(2), usage, {
  write: async () => {
    await writeMetricsTable();
    return [];
  },
  check: async () => ((await isMetricsTableFresh()) ? [] : [stale]),
});
